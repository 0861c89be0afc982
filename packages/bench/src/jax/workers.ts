import { type Blob, resolveObjectURL } from "node:buffer";
import { Worker as Thread } from "node:worker_threads";

/** What a browser gives a worker's script. */
const prelude = `
import { parentPort } from "node:worker_threads";
globalThis.self = globalThis;
globalThis.postMessage = (message) => parentPort.postMessage(message);
parentPort.on("message", (data) => self.onmessage({ data }));
`;

/**
 * jax-js uses all cores through the browser's `Worker`, which Node lacks; without it, it runs on one. This gives it workers made
 * of Node's threads, and the number of them that it asks the browser for, so that it is measured at its best.
 */
export function provideWorkers(threads: number): void {
  class BrowserWorker {
    onmessage: ((event: { data: unknown }) => void) | undefined;
    onerror: ((error: Error) => void) | undefined;
    private readonly thread: Promise<Thread>;

    constructor(url: string) {
      this.thread = this.start(resolveObjectURL(url)!);
    }

    private async start(source: Blob): Promise<Thread> {
      const thread = new Thread(
        new URL(`data:text/javascript,${encodeURIComponent(prelude + (await source.text()))}`),
      );
      thread.on("message", (data) => this.onmessage?.({ data }));
      thread.on("error", (error) => this.onerror?.(error));
      return thread;
    }

    async postMessage(message: unknown): Promise<void> {
      (await this.thread).postMessage(message);
    }
  }
  Object.defineProperty(globalThis, "Worker", { value: BrowserWorker, configurable: true });
  Object.defineProperty(globalThis, "navigator", {
    value: { hardwareConcurrency: threads },
    configurable: true,
  });
}
