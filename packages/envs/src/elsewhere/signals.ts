import type { MessagePort } from "node:worker_threads";
import type { Job } from "./carrier.ts";

/** What one thread tells the other through one number in shared memory. What belongs to it lies in columns or at a port. */
export const signals = { idle: 0, step: 1, call: 2, failed: 3, gone: 4 } as const;

/** What a worker thread is started with. */
export interface ThreadData {
  readonly job: Job;
  readonly signal: Int32Array;
  readonly port: MessagePort;
}
