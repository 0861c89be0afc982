import type { MessagePort } from "node:worker_threads";
import type { EnvContext, EnvSpec, Snapshot } from "@reins/core";
import type { ResultOutlines } from "./shared-columns.ts";

/** What one thread tells the other through one number in shared memory. What belongs to it lies in columns or at a port. */
export const signals = { idle: 0, step: 1, call: 2, failed: 3, gone: 4 } as const;

/** What a worker is started with. */
export interface WorkerData {
  readonly file: string;
  readonly options: object;
  /** Copies that it plays. */
  readonly copies: number;
  readonly signal: Int32Array;
  readonly port: MessagePort;
}

/** What a worker says when it can begin. */
export interface Started {
  readonly spec: EnvSpec;
  readonly outlines: ResultOutlines;
  readonly savable: boolean;
  readonly renders: boolean;
}

/** What a worker is asked for, other than steps. */
export type Call =
  | { readonly call: "share"; readonly memory: SharedArrayBuffer }
  | {
      readonly call: "reset";
      readonly seeds: readonly number[] | undefined;
      readonly context: EnvContext | undefined;
    }
  | { readonly call: "save" }
  | { readonly call: "restore"; readonly from: Snapshot }
  | { readonly call: "render"; readonly row: number }
  | { readonly call: "close" };
