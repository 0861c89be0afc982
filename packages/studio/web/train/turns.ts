const { port1, port2 } = new MessageChannel();
let waiting: (() => void)[] = [];
port1.onmessage = () => {
  const woken = waiting;
  waiting = [];
  for (const wake of woken) wake();
};

/** Lets messages come in. A timer would do, but browsers make those wait that follow one another. */
export const turn = (): Promise<void> =>
  new Promise((done) => {
    waiting.push(done);
    port2.postMessage(0);
  });

/** Waits. */
export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds));
