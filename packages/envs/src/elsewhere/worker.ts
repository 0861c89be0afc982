import { workerData } from "node:worker_threads";
import { signals, type WorkerData } from "./worker-signals.ts";

/** The thread that plays some rows of an environment. Whatever goes wrong or ends it, the other thread must not wait for it. */
const data = workerData as WorkerData;

function tell(what: number): void {
  Atomics.store(data.signal, 0, what);
  Atomics.notify(data.signal, 0);
}

function failed(error: unknown): void {
  const { message } = error instanceof Error ? error : { message: String(error) };
  // Where an environment's own error arose, not where it was caught.
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  data.port.postMessage({ message, stack: origin instanceof Error ? origin.stack : undefined });
  tell(signals.failed);
}

process.on("exit", () => tell(signals.gone));
try {
  // Loaded here, so that even what cannot be loaded is said.
  const { play } = await import("./worker-rows.ts");
  await play(data, tell, failed);
} catch (error) {
  failed(error);
  // The thread ends when it has been read.
  Atomics.wait(data.signal, 0, signals.failed);
}
