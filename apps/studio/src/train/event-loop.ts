const { port1, port2 } = new MessageChannel();
let waiting: (() => void)[] = [];
port1.onmessage = () => {
  const resolved = waiting;
  waiting = [];
  for (const done of resolved) done();
};

/** Yields to the event loop. Browsers delay nested timers, so it uses a message channel. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((done) => {
    waiting.push(done);
    port2.postMessage(0);
  });

/** Waits some milliseconds. */
export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds));
