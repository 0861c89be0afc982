import type { Tensor, Tree } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import type { EnvSpec, VectorEnv } from "./env.ts";
import type { Environment, LearnsFrom, Trains } from "./environment.ts";
import type { Episode } from "./episode.ts";
import { describeValue, fail } from "./errors.ts";
import type { ExecutionPlan } from "./plan.ts";
import type { ActingPolicy, ScoringPolicy } from "./policy.ts";
import type { JudgedEpisode } from "./selection.ts";
import type { LiveSettingState } from "./signal.ts";
import type { Parts, Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";
import type { Task } from "./task.ts";

/** Numbers by name: `return/mean`, `loss/policy`, `policy/kl`. */
export type Metrics = Record<string, number>;

/** Metrics computed on read: a round whose metrics are not read has no overhead. */
export function liveMetrics(sources: { readonly [name: string]: () => number }): Metrics {
  const properties = Object.entries(sources).map(([name, get]) => [name, { get, enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Metrics;
}

/**
 * Metrics as a part of a process that fills one record every round: a metric that a round does not measure keeps its last value, and
 * every name keeps its position, also after a resume.
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

/** What an algorithm receives when it starts. */
export interface AlgorithmContext {
  /** The run's seed. Derive every random stream from it by name: `stream(seed, "environments")`. */
  readonly seed: number;
  /** The root of the algorithm's own random numbers: initial weights, actions, minibatches. */
  readonly key: Tensor;
  readonly spec: EnvSpec;
  readonly place: Environment;
  /** Makes a training environment with this many rows (stepped environments only). Offline algorithms do not call it. */
  env(rows: number): VectorEnv;
  /** Source of problems, if it is not the environment's own. */
  readonly task?: Task;
  /** Recorded experience, for algorithms that learn from it. */
  readonly data?: unknown;
  readonly plan: ExecutionPlan;
  readonly statistics: Statistics;
  /** Environment steps that the run may take; schedules end there. */
  readonly budget: number;
  /** The algorithm's live settings. */
  readonly settings?: { readonly [name: string]: LiveSettingState };
}

/** A policy with its current weights. */
export interface CurrentPolicy<P extends ActingPolicy | ScoringPolicy = ActingPolicy | ScoringPolicy> {
  readonly policy: P;
  readonly weights: Tree;
}

/** The inside of a process, for diagnostics. */
export interface Inspection {
  /** Returns and lengths of the last episodes, unordered. */
  readonly meter?: { recent(): { return: number; length: number; truncated: boolean }[] };
  /** The last episodes with their verdicts. */
  readonly episodes?: readonly JudgedEpisode[];
  /** Advantage of each step of one of these episodes, if it was trained on. */
  readonly advantageOf?: (episode: Episode) => Float32Array | undefined;
  /** The latest experience, [time, rows, …] or [steps, …], with the targets (`advantage`, `return`) where there are any. */
  readonly columns?: Columns;
  /** Updates per batch. With one, the policy still equals the behaviour policy when it is measured. */
  readonly passes?: number;
  /** The optimiser's state; its second moments show which parameters learn. */
  readonly optimiser?: Tree;
}

/** An algorithm as it starts itself: {@link Process} without its settings, which `define` adds. It changes in place; its `parts` are what a checkpoint holds. */
export interface Started {
  /** One round: gather, learn. Returns the same record each time, updated. */
  step(): Metrics | Promise<Metrics>;
  /** Environment steps taken so far. */
  readonly steps: number;
  readonly parts: Parts;
  /** The policy to evaluate and render. */
  readonly acting?: CurrentPolicy;
  /** The round as one function, if it is one: rounds of several runs can then be computed in one call. */
  readonly whole?: CompiledRound;
  /** State for diagnostics, computed on request. */
  inspect?(): Inspection;
  /** True when there is nothing left to do (a planner that has converged). */
  readonly finished?: boolean;
  close?(): void;
}

/** A started algorithm with its settings. */
export interface Process extends Started {
  readonly settings: { readonly [name: string]: LiveSettingState };
}

/** Result of a round: the new values of the trees that it changed, and the metrics. */
export type RoundResult = {
  readonly after: readonly Tree[];
  readonly metrics: { readonly [name: string]: Tensor };
};

/**
 * A round, rollout and update, as one pure function. Alone it is one compiled call; together with rounds of other runs it can be part of a
 * larger one.
 */
export interface CompiledRound {
  readonly name: string;
  readonly fn: (changed: readonly Tree[], read: readonly Tree[]) => RoundResult;
  /** A number that is compiled in, such as passes over a batch. Each value needs its own compiled function. */
  readonly form?: () => number;
  /** False if computing rounds of several runs in one call would change their last bits. */
  readonly batchable?: boolean;
  /** The trees that a round changes in place, followed by those that it only reads. */
  readonly changed: readonly Tree[];
  readonly read: readonly Tree[];
  /** Reports that another call has computed the next round and written it to `changed`; the next `step` only records it. */
  computed(metrics: RoundResult["metrics"]): void;
}

/** A way to learn. `options` are as given, with defaults filled in. */
export interface Algorithm {
  readonly name: string;
  readonly options: { readonly [name: string]: unknown };
  /** What it learns from (default: both). */
  readonly learnsFrom?: LearnsFrom;
  /** What it trains (default: a policy). */
  readonly trains?: Trains;
  /** Throws if it cannot learn in this place, before anything starts. */
  admit?(place: Environment): void;
  start(context: AlgorithmContext): Process;
}

/** Returns the algorithm, or throws if it is only a name or a maker that was not called. */
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
    `the algorithm is ${describeValue(algorithm)}; it must be made by a function such as ppo(), or by define().`,
  );
}

/** A process with its settings, which the run moves. Getters stay getters. */
export function withSettings(
  process: Started,
  settings: { readonly [name: string]: LiveSettingState },
): Process {
  return Object.defineProperties({ settings } as Process, Object.getOwnPropertyDescriptors(process));
}
