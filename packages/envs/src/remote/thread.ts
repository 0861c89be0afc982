import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { type Call, type Failure, failureOf, type Line } from "./carrier.ts";
import { signals, type ThreadData } from "./signals.ts";

/**
 * The thread that runs some rows of an environment. However it fails or exits, the main thread must not wait for
 * it.
 */
const { job, signal, port } = workerData as ThreadData;

function tell(what: number): void {
  Atomics.store(signal, 0, what);
  Atomics.notify(signal, 0);
}

const line: Line = {
  hear() {
    Atomics.wait(signal, 0, signals.idle);
    if (Atomics.load(signal, 0) === signals.step) return undefined;
    return receiveMessageOnPort(port)!.message as Call;
  },
  allocate: (shared) => (bytes) => shared ?? new SharedArrayBuffer(bytes),
  changed: () => tell(signals.idle),
  answer(value) {
    port.postMessage({ value });
    tell(signals.idle);
  },
  fail(failure: Failure) {
    port.postMessage(failure);
    tell(signals.failed);
    // Until the main thread has read the message.
    Atomics.wait(signal, 0, signals.failed);
  },
};

process.on("exit", () => tell(signals.exited));
try {
  // Loaded here, so that loading errors are reported too.
  const { play } = await import("./worker-rows.ts");
  await play(job, line);
} catch (error) {
  line.fail(failureOf(error));
}
