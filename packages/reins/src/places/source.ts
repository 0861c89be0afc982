import type { Tuned } from "@reins/algorithms";
import {
  type Algorithm,
  type AsyncEnv,
  type Env,
  type EnvSpec,
  type EpisodeEnvironment,
  fail,
  type MultiEnv,
  type StepEnvironment,
  type VectorEnv,
} from "@reins/core";
import { requireSteps, vectorise, vectoriseMulti } from "@reins/core/forms";
import { type BuiltinId, runningNormaliser } from "@reins/envs";
import type { Tree } from "@reins/tensor";
import { admitEnv, admitMaker } from "./admit.ts";
import type { Verifiable } from "./verifiable.ts";
import { type WrapperState, Wrapping } from "./wrappers.ts";

/**
 * What `env` accepts: an id (`"CartPole-v1"`), a function that creates one environment (`() => new MyEnv()`, which
 * may be asynchronous or multi-agent) or a vector of `rows`, or a source.
 */
export type EnvLike =
  | BuiltinId
  // Not plain `string`, so that editors still complete the names above.
  | (string & {})
  | StepEnvironment
  | ((rows: number) => VectorEnv)
  | (() => Env)
  | (() => AsyncEnv)
  | (() => MultiEnv);

/** Options of an environment, by name. */
export type EnvOptions = { readonly [name: string]: unknown };

/** Properties of a source beyond what a run needs. */
export interface SourceDetails {
  readonly options: EnvOptions;
  /** Whether its state can be saved to a checkpoint. */
  readonly savable: boolean;
  /** Whether it has a text rendering, where that is known before training. */
  readonly renders?: boolean;
  /** What a configuration must store beside id and options. */
  readonly more?: { readonly [name: string]: unknown };
  /** Settings for an algorithm here, if none are tuned for this pair. */
  tuned?(algorithm: string): Tuned | undefined;
  /** Adds a phase before an algorithm: a language model imitates before reinforcement. */
  prepare?(algorithm: Algorithm): Algorithm;
  /** Writes the trained language model with these weights as a Hugging Face folder. */
  saveModel?(weights: Tree, folder: string): Promise<void>;
  /** Writes only the adapters with these weights, in PEFT format; present only with adapters. */
  saveAdapters?(weights: Tree, folder: string): Promise<void>;
  /** What the user should know before training, such as lines of a file that are left out. */
  readonly notes?: readonly string[];
  /** Tokens to imitate before reinforcement. */
  readonly supervisedTokens?: number;
  /** Refuses a folder to which the model or its adapters cannot be written, before training. */
  checkFolder?(folder: string, content: "model" | "adapters"): void;
}

/** The environment inside wrappers. */
export interface Inside {
  readonly spec: EnvSpec;
  /** Wraps an environment without training. */
  wrap(env: VectorEnv): VectorEnv;
  /** The wrappers with their current statistics. */
  kept(): WrapperState[];
}

/** A source of environments. */
export interface EnvSource extends StepEnvironment, SourceDetails {
  /** One or a few copies in their original form, for the checker. */
  one(): Env | VectorEnv;
  /** The environment inside the wrappers, for acting without an environment. */
  readonly inside?: Inside;
  /** Whether actions are masked, as far as created environments have shown. */
  masked?(): boolean;
}

/** A source of a language task. */
export interface TextSource extends EpisodeEnvironment, SourceDetails {
  /** The task; absent for a custom stage. */
  readonly task?: Verifiable;
}

/** A source of environments or of a language task. */
export type Source = EnvSource | TextSource;

/** The source, if it has environments. */
export function steppable(source: Source): EnvSource {
  return source.make ? source : fail(source.spec.id, "a language task has no environment to step.");
}

/** A source of environments from a function or object. */
export function sourceOfMaker(env: Exclude<EnvLike, string>, options: EnvOptions = {}): EnvSource {
  admitMaker(env);
  if (typeof env !== "function") {
    let masked = false;
    const makeRows = (rows: number) => {
      const made = requireSteps(env).make(rows);
      if (!env.evaluation) requireNoStatistics(made);
      masked = made.mask !== undefined;
      return made;
    };
    return {
      options,
      savable: true,
      masked: () => masked,
      ...env,
      make: makeRows,
      one: () => makeRows(2),
    };
  }
  const first = env(1);
  admitEnv(first);
  const isMasked = first.mask !== undefined;
  const masked = () => isMasked;
  const renders = first.render !== undefined;
  const isSavable = "save" in first && first.save !== undefined && first.restore !== undefined;
  if ("rows" in first) {
    const makeRows = env as (rows: number) => VectorEnv;
    const savable = first.savable !== false;
    // Created only for inspection, and it may have threads or processes.
    first.close?.();
    requireNoStatistics(first);
    return { spec: first.spec, make: makeRows, one: () => makeRows(2), options, savable, renders, masked };
  }
  if (first.spec.agents) {
    const makeOne = env as () => MultiEnv;
    const makeCopies = (copies: number) => vectoriseMulti(makeOne, copies);
    return {
      spec: first.spec,
      make: makeCopies,
      one: () => makeCopies(2),
      options,
      savable: isSavable,
      renders,
      masked,
    };
  }
  return {
    spec: first.spec,
    one: env as () => Env,
    make: (rows) => vectorise(() => (env as () => Env | AsyncEnv)(), rows),
    options,
    masked,
    savable: isSavable,
    renders,
  };
}

/**
 * Refuses an environment with its own running statistics of observations: evaluation would create it again with
 * other statistics, and a saved agent would lack them.
 */
function requireNoStatistics(env: VectorEnv): void {
  if (runningNormaliser(env))
    fail(
      env.spec.id,
      'its function wraps it in normaliseObservation, whose running statistics evaluation and saved agents would lack. Remove it there, and pass wrappers: ["normaliseObservation"] (--wrappers normaliseObservation) instead.',
    );
}

/** A source with wrappers. `kept` holds their initial statistics. */
export function wrapped<S extends Source>(
  source: S,
  names: readonly string[],
  kept?: readonly WrapperState[],
): S;
export function wrapped(source: Source, names: readonly string[], kept?: readonly WrapperState[]): Source {
  if (!names.length) return source;
  if (!source.make)
    return fail(source.spec.id, `a language task has no environment to wrap. Omit ${names.join(", ")}.`);
  const wrapping = new Wrapping(names, kept);
  const first = wrapping.train(source.make(1));
  const { spec } = first;
  first.close?.();
  return {
    ...source,
    spec,
    make: (rows) => wrapping.train(source.make(rows)),
    more: { ...source.more, wrappers: names },
    evaluation: { spec, make: (rows) => wrapping.evaluate(source.make(rows)) },
    inside: { spec: source.spec, wrap: (env) => wrapping.evaluate(env), kept: () => wrapping.kept },
  };
}
