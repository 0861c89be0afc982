import type { Algorithm, AlgorithmContext, Started } from "./algorithm.ts";
import type { LearnsFrom, Trains } from "./environment.ts";
import type { Option, OptionsOf, OptionTable, Widen } from "./option.ts";
import type { Setting } from "./signal.ts";
import type { LiveOf } from "./signals/live.ts";

/** Options as the algorithm receives them: live settings, each in the form of its scope, and plain sizes. */
export type ResolvedOptions<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V, infer P>
    ? Setting extends V
      ? LiveOf<P>
      : Widen<V>
    : never;
};

/** What is known about a place before training starts. */
export type PlaceInfo = Pick<AlgorithmContext, "spec" | "place" | "data"> & {
  /** The algorithm's options, filled in. */
  readonly options: Algorithm["options"];
};

/**
 * Stable: a changed name or option is listed in docs/renamed.md, and recorded scores are measured again. Experimental: names,
 * options and results may change in any version.
 */
export type Stability = "stable" | "experimental";

/** Describes an algorithm to the rest of the framework. */
export interface Description<T extends OptionTable> {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Title, authors, year. */
  readonly paper?: string;
  /** What later versions may change (default: stable). */
  readonly stability?: Stability;
  readonly options: T;
  /** Kinds of action space it supports (default: all). */
  readonly actions?: readonly string[];
  /** What it learns from (default: steps). */
  readonly learnsFrom?: LearnsFrom;
  /** What it trains (default: a policy). */
  readonly trains?: Trains;
  /** Throws, with the algorithm's name, if it cannot learn despite a supported action space: unreadable observations, no model to plan on. */
  requires?(where: PlaceInfo, name: string): void;
  /** How it starts on whole episodes, if that differs. */
  episodes?(options: ResolvedOptions<T>, context: AlgorithmContext, name: string): Started;
}

/** How an algorithm starts. */
export interface Startable<T extends OptionTable> {
  /** `name` is the name of the algorithm, or of the variant that is started. */
  start(options: ResolvedOptions<T>, context: AlgorithmContext, name: string): Started;
}

/** A method made of parts. Variants replace some of them and use the same loop or another. */
export interface Assembled<T extends OptionTable, P> {
  parts(options: ResolvedOptions<T>, context: AlgorithmContext, name: string): P;
  begin(parts: P, context: AlgorithmContext, options: ResolvedOptions<T>): Started;
}

/** An algorithm's description, with the parts it offers to variants. */
export interface Definition<T extends OptionTable, P = unknown>
  extends Description<T>,
    Startable<T>,
    Partial<Assembled<T, P>> {}

/** Options of a variant; the rest is inherited from the base method. */
export interface VariantOptions<T extends OptionTable, P = unknown> {
  /** One sentence (default: lists the replaced parts). */
  readonly summary?: string;
  readonly paper?: string;
  /** Default: that of the base method. */
  readonly stability?: Stability;
  /** Other default values. */
  readonly options?: OptionsOf<T>;
  /** What the variant learns from (default: that of the base method). */
  readonly learnsFrom?: LearnsFrom;
  /** Replacement parts that depend on options or on the place, or that have state: made anew for each run. */
  readonly parts?: (given: P, options: ResolvedOptions<T>, context: AlgorithmContext) => Partial<P>;
  /** Another loop for the same parts. */
  readonly begin?: Assembled<T, P>["begin"];
  /** A custom start, independent of the parts. */
  readonly start?: Startable<T>["start"];
  readonly episodes?: Description<T>["episodes"];
}

/**
 * A variant: its description and, by name, the parts that it replaces.
 *
 *     grpo.with("tree-grpo", { target: byStretch });
 *     grpo.with("softer", { parts: (_, o) => ({ loss: losses.policyGradient({ ratio: soft(o.clip) }) }) });
 */
export type Variant<T extends OptionTable, P = unknown> = VariantOptions<T, P> & Partial<Omit<P, "name">>;

/** An algorithm's constructor, with its description. */
export interface AlgorithmMaker<T extends OptionTable = OptionTable, P = unknown> {
  (options?: OptionsOf<T>): Algorithm;
  readonly definition: Definition<T, P>;
  /** Makes a variant with its own name from the parts that it replaces. */
  with(name: string, variant: Variant<T, P>): AlgorithmMaker<T, P>;
}
