import { deserialize, serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { type Call, failureOf, type Job, type Line } from "./carrier.ts";
import { kinds, label, Messages } from "./messages.ts";
import type { SharedColumns } from "./shared-columns.ts";
import type { Watched } from "./watchdog-settings.ts";

/**
 * The process that runs some rows of an environment. It reads requests from file 3 and writes replies to file 4,
 * until the requests end.
 */
class HungUp extends Error {}
const messages = new Messages(3, 4, () => {
  throw new HungUp();
});

/** Odd while a request is being handled. */
const calls = new Int32Array(new SharedArrayBuffer(4));
let columns: SharedColumns | undefined;

const heard = (bytes: Buffer) => deserialize(bytes) as unknown;

/** Sends a message, and exits if the other side has closed. */
function say(speak: () => void): void {
  Atomics.add(calls, 0, 1);
  try {
    speak();
  } catch (error) {
    if (error instanceof HungUp) process.exit(0);
    throw error;
  }
}

const line: Line = {
  hear() {
    try {
      const other = columns ? messages.readInto(columns.acted, kinds.step) : messages.next();
      Atomics.add(calls, 0, 1);
      return other && (heard(other.payload) as Call);
    } catch (error) {
      if (!(error instanceof HungUp)) throw error;
      return { call: "close" };
    }
  },
  allocate: () => (bytes) => new ArrayBuffer(bytes),
  changed(now) {
    if (columns !== now) label(now.led, kinds.columns);
    columns = now;
    say(() => messages.write(now.led));
  },
  answer: (value) => say(() => messages.send(kinds.answer, serialize(value))),
  fail: (failure) => say(() => messages.send(kinds.failure, serialize(failure))),
};

// Ctrl-C reaches all processes, and the parent decides.
process.on("SIGINT", () => {});
process.on("exit", (code) => {
  try {
    messages.send(kinds.exited, Uint8Array.of(code));
  } catch {
    // The other side has closed.
  }
});
const job = heard(messages.next().payload) as Job;
Atomics.add(calls, 0, 1);
const watched: Watched = { calls, timeout: job.timeout, parent: process.ppid };
new Worker(new URL("./watchdog.js", import.meta.url), { workerData: watched }).unref();
try {
  // Loaded here, so that loading errors are reported too.
  const { play } = await import("./worker-rows.ts");
  await play(job, line);
} catch (error) {
  line.fail(failureOf(error));
}
