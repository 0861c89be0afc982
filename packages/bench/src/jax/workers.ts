import { type Blob, resolveObjectURL } from "node:buffer";
import { Worker as Thread } from "node:worker_threads";

/** The globals of a worker script in a browser. */
const prelude = `
import { parentPort } from "node:worker_threads";
globalThis.self = globalThis;
globalThis.postMessage = (message) => parentPort.postMessage(message);
parentPort.on("message", (data) => self.onmessage({ data }));
`;

/** Provides the browser's `Worker` on Node's threads, so that jax-js uses all cores. Without it, jax-js runs on one. */
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
