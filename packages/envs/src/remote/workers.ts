import { resolve } from "node:path";
import { fail } from "@reins/core";
import { checkKeys, describeValue } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import type { Carrier } from "./carrier.ts";
import { Spread, type WorkersEnv } from "./distributed-env.ts";
import { EnvProcess } from "./env-process.ts";
import { EnvThread } from "./env-thread.ts";

/** Where a worker runs: in a thread of this process, or in a separate process. */
export type WorkerKind = "thread" | "process";

const carriers = { thread: EnvThread, process: EnvProcess } as const;

/** Options of distributed environments. */
export interface WorkersOptions {
  /** Number of workers. */
  readonly workers: number;
  /**
   * `"thread"` by default: memory is shared, so a step has the least overhead. `"process"`: the environment may
   * crash, exit or leak, or need a separate process, without affecting this one.
   */
  readonly carrier?: WorkerKind;
  /** Copies of the environment; 1 per worker by default. */
  readonly rows?: number;
  /** Options of the environment. */
  readonly options?: { readonly [name: string]: unknown };
  /** Timeout of a step in milliseconds; 600 000 by default. */
  readonly timeout?: number;
}

/**
 * The environment of a file, its copies distributed over worker threads or processes that step in parallel.
 * Episodes equal those in one thread, for any number of workers. It pays off where a step takes longer than the
 * handover.
 *
 * const agent = await train({ algorithm: "ppo", env: (rows) => inWorkers("./my-env.js", { workers: 4, rows }) });
 */
export function inWorkers(file: string, options: WorkersOptions): WorkersEnv {
  checkKeys(file, options, ["workers", "carrier", "rows", "options", "timeout"]);
  const { workers, rows = workers, carrier = "thread", timeout = 600_000 } = options;
  for (const [name, value] of Object.entries({ workers, rows }))
    if (!Number.isInteger(value) || value < 1)
      fail(file, `${name} is ${value}; it must be a whole number from 1.`);
  if (!Object.hasOwn(carriers, carrier))
    fail(file, `carrier is ${describeValue(carrier)}; use ${Object.keys(carriers).join(" or ")}.`);
  checkUsualRange(file, "timeout", timeout, "positive", 600_000);
  const path = resolve(file);
  const count = Math.min(workers, rows);
  const shares = Array.from(
    { length: count },
    (_, i) => Math.floor(rows / count) + (i < rows % count ? 1 : 0),
  );
  const carried: Carrier[] = [];
  try {
    for (const [i, copies] of shares.entries()) {
      const job = { file: path, options: options.options ?? {}, copies, timeout };
      carried.push(new carriers[carrier](job, `${i + 1} of ${count}`));
    }
    return new Spread(carried, shares);
  } catch (error) {
    for (const worker of carried) worker.close();
    throw error;
  }
}
