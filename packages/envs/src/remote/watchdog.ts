import { fstatSync, ftruncateSync, writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { startingTime, tooLate, type Watched } from "./watchdog-settings.ts";

/** Ends this process if a call takes too long or the parent has exited: its main thread is blocked meanwhile. */
const { calls, timeout, parent } = workerData as Watched;
const tick = Math.min(1000, timeout / 4);
const clock = new Int32Array(new SharedArrayBuffer(4));
let seen = 0;
let since = performance.now();
for (;;) {
  Atomics.wait(clock, 0, 0, tick);
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  const now = Atomics.load(calls, 0);
  if (now !== seen || now % 2 === 0) {
    seen = now;
    since = performance.now();
  }
  if (performance.now() - since > (now === 1 ? startingTime(timeout) : timeout)) {
    writeSync(2, `\n${tooLate}\n`);
    process.kill(process.pid, "SIGKILL");
  }
  // Standard error of environments is kept only for failure messages.
  if (fstatSync(2).size > 1 << 20) ftruncateSync(2);
}
