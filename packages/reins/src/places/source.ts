import type { Tuned } from "@reins/algorithms";
import {
  type Algorithm,
  type AsyncEnv,
  type Env,
  type EnvSpec,
  type EpisodePlace,
  fail,
  type MultiEnv,
  requireSteps,
  type StepPlace,
  type VectorEnv,
  vectorise,
  vectoriseMulti,
} from "@reins/core";
import type { BuiltinId } from "@reins/envs";
import type { Tree } from "@reins/tensor";
import { admitEnv, admitMaker } from "./admit.ts";
import type { Verifiable } from "./verifiable.ts";
import { type KeptWrapper, Wrapping } from "./wrappers.ts";

/**
 * What may be given where an environment is wanted: an id (`"CartPole-v1"`), a function that makes one copy (`() => new MyEnv()`, which
 * may answer later or have several agents) or that makes a vector of some rows, or a source.
 */
export type EnvLike =
  | BuiltinId
  // Any other name: editors complete those above only if this is not plainly `string`.
  | (string & {})
  | StepPlace
  | ((rows: number) => VectorEnv)
  | (() => Env)
  | (() => AsyncEnv)
  | (() => MultiEnv);

/** Options of an environment, by name. */
export type EnvOptions = { readonly [name: string]: unknown };

/** What is known of a place beside what a run must know. */
export interface Acquaintance {
  readonly options: EnvOptions;
  /** Whether its state can be written to a checkpoint. */
  readonly savable: boolean;
  /** What a configuration must hold beside id and options to find it again. */
  readonly more?: { readonly [name: string]: unknown };
  /** Settings that suit an algorithm here, where none were found for this very pair. */
  tuned?(algorithm: string): Tuned | undefined;
  /** Puts something before an algorithm that must come first here: a language model imitates before it is reinforced. */
  prepare?(algorithm: Algorithm): Algorithm;
  /** Writes what learns in words, with these weights, as a Hugging Face folder. */
  saveModel?(weights: Tree, folder: string): Promise<void>;
  /** Writes adapters alone, with these weights, as PEFT does; only where adapters learn. */
  saveAdapters?(weights: Tree, folder: string): Promise<void>;
  /** Tokens that are imitated before anything is reinforced. */
  readonly warmUp?: number;
  /** Stops with the reason if a model cannot be written to a folder: before training and not after it. */
  checkFolder?(folder: string): void;
}

/** What is inside wrappers. */
export interface Inside {
  readonly spec: EnvSpec;
  /** Puts the wrappers around an environment in which nothing is learned. */
  wrap(env: VectorEnv): VectorEnv;
  /** The wrappers, with their statistics of now. */
  kept(): KeptWrapper[];
}

/** Environments that were asked for. */
export interface EnvSource extends StepPlace, Acquaintance {
  /** A few copies, or one, in the form it was written in: as a checker wants to see it. */
  one(): Env | VectorEnv;
  /** What is inside the wrappers, for whoever plays without an environment. */
  readonly inside?: Inside;
  /** Whether some actions are forbidden at times, as far as that was seen of environments that were made. */
  masked?(): boolean;
}

/** Problems in words that were asked for. */
export interface TextSource extends EpisodePlace, Acquaintance {
  /** The problems; absent where a stage was given as it is. */
  readonly family?: Verifiable;
}

/** A place that was asked for, by name or as it is. */
export type Source = EnvSource | TextSource;

/** The source, if it has environments to step. */
export function steppable(source: Source): EnvSource {
  return source.make ? source : fail(source.spec.id, "it is answered in words: there is nothing to step.");
}

/** A source of environments that are given as they are. */
export function sourceOfMaker(env: Exclude<EnvLike, string>, options: EnvOptions = {}): EnvSource {
  admitMaker(env);
  if (typeof env !== "function") {
    let masked = false;
    const makeRows = (rows: number) => {
      const made = requireSteps(env).make(rows);
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
  const isSavable = "save" in first && first.save !== undefined && first.restore !== undefined;
  if ("rows" in first) {
    const makeRows = env as (rows: number) => VectorEnv;
    const savable = first.savable !== false;
    // It was made to be looked at only, and may have threads or processes of its own.
    first.close?.();
    return { spec: first.spec, make: makeRows, one: () => makeRows(2), options, savable, masked };
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
  };
}

/** A source with wrappers around what it makes. With `kept`, their statistics begin as they were then. */
export function wrapped<S extends Source>(
  source: S,
  names: readonly string[],
  kept?: readonly KeptWrapper[],
): S;
export function wrapped(source: Source, names: readonly string[], kept?: readonly KeptWrapper[]): Source {
  if (!names.length) return source;
  if (!source.make)
    return fail(
      source.spec.id,
      `it is answered in words: there is nothing to wrap. Leave out ${names.join(", ")}.`,
    );
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
