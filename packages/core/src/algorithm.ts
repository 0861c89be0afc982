import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { EnvSpec, VectorEnv } from "./env.ts";
import type { Episode } from "./episode.ts";
import { fail, said } from "./errors.ts";
import type { LearnsFrom, Place } from "./place.ts";
import type { Plan } from "./plan.ts";
import type { Acting, Scoring } from "./policy.ts";
import type { JudgedEpisode } from "./selection.ts";
import type { Moving } from "./signal.ts";
import type { Parts, Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";
import type { Task } from "./task.ts";

/** Numbers by name: `return/mean`, `loss/policy`, `policy/kl`. */
export type Metrics = Record<string, number>;

/** Metrics that are computed when they are read: a round that nobody looks at makes no numbers. */
export function liveMetrics(sources: { readonly [name: string]: () => number }): Metrics {
  const properties = Object.entries(sources).map(([name, get]) => [name, { get, enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Metrics;
}

/**
 * Metrics as a part of a process that fills one record round after round: what a round does not measure again keeps its last value, and
 * every name its place, in a run that was resumed too.
 */
export function metricsPart(metrics: Metrics): Saved {
  return {
    save: () => ({ ...metrics }),
    restore(from) {
      for (const name of Object.keys(metrics)) delete metrics[name];
      Object.assign(metrics, from);
    },
  };
}

/** What an algorithm finds around it when it starts. */
export interface Context {
  /** The run's seed. Whatever is drawn from it is drawn from a child with a name: `stream(seed, "environments")`. */
  readonly seed: number;
  /** The root of the algorithm's own random numbers: first weights, actions, what is learned from. */
  readonly key: Tensor;
  readonly spec: EnvSpec;
  readonly place: Place;
  /** Makes a training environment with this many rows, in a place of steps. Offline algorithms do not call it. */
  env(rows: number): VectorEnv;
  /** Where problems come from, where they are not simply the environment's own. */
  readonly task?: Task;
  /** Recorded experience, for algorithms that learn from it. */
  readonly data?: unknown;
  readonly plan: Plan;
  readonly statistics: Statistics;
  /** Environment steps that the run may take; schedules end there. */
  readonly budget: number;
  /** The algorithm's own settings, once they are at work. */
  readonly settings?: { readonly [name: string]: Moving };
}

/** A policy with the weights it has now. */
export interface CurrentPolicy<P extends Acting | Scoring = Acting | Scoring> {
  readonly policy: P;
  readonly weights: Tree;
}

/** The inside of a process, for diagnostics. */
export interface Inspection {
  /** Tells how the last episodes went, in no order. */
  readonly meter?: { recent(): { return: number; length: number; truncated: boolean }[] };
  /** The last episodes, with what the judge said of them. */
  readonly episodes?: readonly JudgedEpisode[];
  /** What each step of one of them was found to be worth beside what was expected, where it was learned from. */
  readonly advantageOf?: (episode: Episode) => Float32Array | undefined;
  /** The latest experience, [time, rows, …] or [steps, …], with the targets (`advantage`, `return`) where there are any. */
  readonly columns?: Columns;
  /** Updates from each batch: with one, the policy is still the one that acted whenever it is measured, however far it moves then. */
  readonly passes?: number;
  /** An optimiser's state, whose running squares show which parameters learn. */
  readonly optimiser?: Tree;
}

/** An algorithm at work. It changes itself in place; its `parts` are what a checkpoint holds. */
export interface Process {
  /** One round: gather, learn. Returns the same record each time, updated. */
  step(): Metrics | Promise<Metrics>;
  /** Environment steps taken so far. */
  readonly steps: number;
  readonly parts: Parts;
  /** What to evaluate and to watch. */
  readonly acting?: CurrentPolicy;
  readonly settings: { readonly [name: string]: Moving };
  /** Its round as one function, where it is one: rounds of several runs can then be computed together. */
  readonly whole?: WholeRound;
  /** What a diagnosis may look at, computed when it is asked for. */
  inspect?(): Inspection;
  /** True when there is nothing left to do (a planner that has converged). */
  readonly finished?: boolean;
  close?(): void;
}

/** What a round gives: what it changed as it is afterwards, and what was measured. */
export type RoundResult = {
  readonly after: readonly Tree[];
  readonly metrics: { readonly [name: string]: Tensor };
};

/**
 * A round that is one pure function, playing and learning. Alone it is one compiled call; with those of other runs it can be a part of a
 * larger one.
 */
export interface WholeRound {
  readonly name: string;
  readonly fn: (changed: readonly Tree[], read: readonly Tree[]) => RoundResult;
  /** A number that is compiled in, such as passes over a batch: with another it is another function. */
  readonly form?: () => number;
  /** False where rounds of several runs in one call would differ from its own in last bits. */
  readonly abreast?: boolean;
  /** What the round changes, where it lies, and what it only reads. */
  readonly changed: readonly Tree[];
  readonly read: readonly Tree[];
  /** Another call has computed the next round and written it to `changed`: the next `step` only takes note of it. */
  computed(metrics: RoundResult["metrics"]): void;
}

/** A way to learn. `options` are as given, with defaults filled in. */
export interface Algorithm {
  readonly name: string;
  readonly options: { readonly [name: string]: unknown };
  /** What it learns from; both, if it does not say. */
  readonly learnsFrom?: LearnsFrom;
  /** Refuses a place where it cannot learn, before anything begins there. */
  admit?(place: Place): void;
  start(context: Context): Process;
}

/** The algorithm, if it is one: one that was only named, or whose maker was not called, is not. */
export function requireAlgorithm(what: string, algorithm: unknown): Algorithm {
  if (typeof algorithm === "object" && algorithm !== null && "start" in algorithm)
    return algorithm as Algorithm;
  if (typeof algorithm === "function") {
    const { definition } = algorithm as { definition?: { name: string } };
    return fail(
      what,
      `the algorithm is a function that makes one. Call it: algorithm: ${definition?.name ?? (algorithm.name || "mine")}().`,
    );
  }
  return fail(
    what,
    `the algorithm is ${said(algorithm)}; it must be made by a function such as ppo(), or by define().`,
  );
}

/** A process with its settings, which the run moves. Getters stay getters. */
export function withSettings(
  process: Omit<Process, "settings">,
  settings: { readonly [name: string]: Moving },
): Process {
  return Object.defineProperties({ settings } as Process, Object.getOwnPropertyDescriptors(process));
}
