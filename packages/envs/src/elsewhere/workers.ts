import { resolve } from "node:path";
import { checkKeys, checkWithin, fail, said } from "@reins/core";
import type { Carrier } from "./carrier.ts";
import { EnvProcess } from "./env-process.ts";
import { EnvThread } from "./env-thread.ts";
import { Spread, type WorkersEnv } from "./spread.ts";

/** What carries a worker: a thread of this process, or a process of its own. */
export type WorkerCarrier = "thread" | "process";

const carriers = { thread: EnvThread, process: EnvProcess } as const;

/** How an environment is spread over workers. */
export interface WorkersOptions {
  /** How many. */
  readonly workers: number;
  /**
   * `"thread"` by default: memory is shared, so a step is handed over at the least cost. `"process"`: the environment may crash, exit or
   * leak, or need a process to itself, and takes nothing down with it.
   */
  readonly carrier?: WorkerCarrier;
  /** Copies of the environment; 1 for each worker if absent. */
  readonly rows?: number;
  /** What the environment is made with. */
  readonly options?: { readonly [name: string]: unknown };
  /** Milliseconds after which a step without an answer is an error; 600 000 by default. */
  readonly timeout?: number;
}

/**
 * The environment of a file, its copies spread over worker threads or processes that step at the same time. Episodes are the same as in
 * one thread, for any number of workers. It pays where a step takes longer than handing it over.
 *
 *     const agent = await train({ algorithm: "ppo", env: (rows) => inWorkers("./my-env.js", { workers: 4, rows }) });
 */
export function inWorkers(file: string, options: WorkersOptions): WorkersEnv {
  checkKeys(file, options, ["workers", "carrier", "rows", "options", "timeout"]);
  const { workers, rows = workers, carrier = "thread", timeout = 600_000 } = options;
  for (const [name, value] of Object.entries({ workers, rows }))
    if (!Number.isInteger(value) || value < 1)
      fail(file, `${name} is ${value}; it must be a whole number from 1.`);
  if (!Object.hasOwn(carriers, carrier))
    fail(file, `carrier is ${said(carrier)}; it is ${Object.keys(carriers).join(" or ")}.`);
  checkWithin(file, "timeout", timeout, "positive", 600_000);
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
