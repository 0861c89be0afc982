import { type Bounds, fail, type Run } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { estimate, returnBoundsOf } from "@reins/core/evaluations";
import { defaultSeed } from "@reins/core/random";
import { checkUsualRange } from "@reins/core/settings";
import type { ContinueOptions } from "./continue-options.ts";
import { Lockstep } from "./lockstep.ts";
import type { Trained } from "./result.ts";
import { runTraining } from "./run-training.ts";
import type { RunWriter } from "./run-writer.ts";

/** A seed whose training failed. */
export interface FailedSeed {
  readonly seed: number;
  readonly error: Error;
}

/** Results of training with several seeds. */
export interface TrainedSeeds {
  /** The agent of each seed that finished, in order. */
  readonly agents: readonly Trained[];
  /** Seeds whose training failed, with their errors. */
  readonly failed: readonly FailedSeed[];
  /** Statistics of the agents' mean returns. */
  readonly return: {
    readonly mean: number;
    /** Standard deviation of the agents' mean returns. */
    readonly std: number;
    /** 95% confidence interval of the mean over seeds. */
    readonly interval: Bounds;
    readonly agents: number;
  };
  /** Total seconds, with compilation and evaluation. */
  readonly seconds: number;
}

/** The seeds of an option: a list, or a count from the first seed on. */
export function seedsOf(what: string, seeds: unknown, first = defaultSeed): readonly number[] {
  if (typeof seeds === "number") {
    checkUsualRange(what, "seeds", seeds, "count", 10);
    return Array.from({ length: seeds }, (_, i) => first + i);
  }
  if (!Array.isArray(seeds) || seeds.length === 0)
    return fail(what, `seeds is ${describeValue(seeds)}; it must be a count or a list of seeds: seeds: 10.`);
  for (const seed of seeds) checkUsualRange(what, "a seed", seed, "whole", 0);
  const twice = seeds.find((seed, i) => seeds.indexOf(seed) !== i);
  if (twice !== undefined)
    fail(what, `seed ${twice} appears twice, which would train the same agent twice. Remove one.`);
  return seeds;
}

/** A run and its writer. */
export interface Begun {
  readonly run: Run;
  readonly keeper: RunWriter | undefined;
}

/**
 * Trains runs of several seeds: in lockstep if their rounds can be compiled together, otherwise one after another. A failed seed
 * does not stop the others; an error is thrown if all fail.
 */
export async function trainAllSeeds(
  seeds: readonly number[],
  begin: (seed: number) => Begun,
  options: ContinueOptions,
): Promise<TrainedSeeds> {
  const began = performance.now();
  const first = begin(seeds[0]);
  const rest = seeds.slice(1);
  const ends =
    first.run.process.whole && rest.length
      ? await inLockstep([first, ...rest.map(begin)], options)
      : await inTurns(first, rest, begin, options);
  const agents = ends.flatMap((e) => (e.status === "fulfilled" ? [e.value] : []));
  const failed = ends.flatMap((e, i) =>
    e.status === "rejected" ? [{ seed: seeds[i], error: asError(e.reason) }] : [],
  );
  if (agents.length === 0) throw failed[0].error;
  const { mean, std, interval } = estimate(
    agents.map((a) => a.return.mean),
    returnBoundsOf(agents[0].spec),
  );
  return {
    agents,
    failed,
    return: { mean, std, interval, agents: agents.length },
    seconds: (performance.now() - began) / 1000,
  };
}

type End = PromiseSettledResult<Trained>;

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

function inLockstep(all: readonly Begun[], options: ContinueOptions): Promise<End[]> {
  const together = new Lockstep(all.map((b) => b.run));
  return Promise.allSettled(
    all.map(({ run, keeper }) =>
      runTraining(run, keeper, options, undefined, undefined, () => together.round(run)).finally(() =>
        together.leave(run),
      ),
    ),
  );
}

async function inTurns(
  first: Begun,
  rest: readonly number[],
  begin: (seed: number) => Begun,
  options: ContinueOptions,
): Promise<End[]> {
  const ends: End[] = [];
  const take = async (begun: () => Begun) => {
    const whole = async () => {
      const { run, keeper } = begun();
      return runTraining(run, keeper, options);
    };
    ends.push(...(await Promise.allSettled([whole()])));
  };
  await take(() => first);
  for (const seed of rest) {
    // Stopping one run stops all.
    if (ends.some((e) => e.status === "fulfilled" && e.value.ended === "stopped")) break;
    await take(() => begin(seed));
  }
  return ends;
}
