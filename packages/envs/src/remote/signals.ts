import type { MessagePort } from "node:worker_threads";
import type { Job } from "./carrier.ts";

/** Signals between two threads, through one number in shared memory. Their data lies in columns or on a port. */
export const signals = { idle: 0, step: 1, call: 2, failed: 3, exited: 4 } as const;

/** Start parameters of a worker thread. */
export interface ThreadData {
  readonly job: Job;
  readonly signal: Int32Array;
  readonly port: MessagePort;
}
