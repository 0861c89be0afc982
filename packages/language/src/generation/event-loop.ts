/** Yields to the event loop, so that tools can answer and requests can arrive. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((done) => {
    if (typeof setImmediate === "function") setImmediate(done);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        done();
      };
      port2.postMessage(0);
    }
  });
