/** Lets everything else have its turn: tools that answer, requests that come in. */
export const breath = (): Promise<void> =>
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
