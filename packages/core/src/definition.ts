import type { Algorithm, Context, Process } from "./algorithm.ts";
import type { Option, OptionsOf, OptionTable, Widen } from "./option.ts";
import type { LearnsFrom } from "./place.ts";
import type { Setting } from "./signal.ts";
import type { LiveOf } from "./signals/live.ts";

/** What the algorithm sees: settings alive, each in the form of its scope, and sizes as they are. */
export type Given<T extends OptionTable> = {
  readonly [K in keyof T]: T[K] extends Option<infer V, infer P>
    ? Setting extends V
      ? LiveOf<P>
      : Widen<V>
    : never;
};

/** What is known of a place before anything starts there. */
export type Where = Pick<Context, "spec" | "place" | "data"> & {
  /** The algorithm's options, filled in. */
  readonly options: Algorithm["options"];
};

/** What describes an algorithm to the rest of the framework. */
export interface Description<T extends OptionTable> {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Title, authors, year. */
  readonly paper?: string;
  readonly options: T;
  /** Kinds of action space it can take; all if absent. */
  readonly actions?: readonly string[];
  /** What it learns from: steps, if it does not say. */
  readonly learnsFrom?: LearnsFrom;
  /** Refuses, by name, where it cannot learn although it takes the actions: observations that it cannot read, no model to plan on. */
  requires?(where: Where, name: string): void;
  /** How it starts where whole episodes are played, if that differs. */
  episodes?(options: Given<T>, context: Context, name: string): Omit<Process, "settings">;
}

/** How an algorithm starts. */
export interface Started<T extends OptionTable> {
  /** `name` is the algorithm's own: that of a variant, where it is started as one. */
  start(options: Given<T>, context: Context, name: string): Omit<Process, "settings">;
}

/** A method that is made of parts: variants replace some of them, and begin as it does or in another way. */
export interface Assembled<T extends OptionTable, P> {
  parts(options: Given<T>, context: Context, name: string): P;
  begin(parts: P, context: Context, options: Given<T>): Omit<Process, "settings">;
}

/** An algorithm's description, with the parts that it is made of where it offers them to variants. */
export interface Definition<T extends OptionTable, P = unknown>
  extends Description<T>,
    Started<T>,
    Partial<Assembled<T, P>> {}

/** What a variant has of its own; all else is as in the method that it varies. */
export interface VariantOptions<T extends OptionTable, P = unknown> {
  /** One sentence; which parts differ, if it is not given. */
  readonly summary?: string;
  readonly paper?: string;
  /** Other values for options that are not given. */
  readonly options?: OptionsOf<T>;
  /** Where it was tried, if not wherever the method itself learns. */
  readonly learnsFrom?: LearnsFrom;
  /** Other parts that depend on options or on the place, or that change while they are used: they are made for each run. */
  readonly parts?: (given: P, options: Given<T>, context: Context) => Partial<P>;
  /** Another loop for the same parts. */
  readonly begin?: Assembled<T, P>["begin"];
  /** Another start, whatever the parts are. */
  readonly start?: Started<T>["start"];
  readonly episodes?: Description<T>["episodes"];
}

/**
 * A variant: what describes it, and beside that the parts that it replaces, by name.
 *
 *     grpo.with("tree-grpo", { target: byStretch });
 *     grpo.with("softer", { parts: (_, o) => ({ loss: losses.policyGradient({ ratio: soft(o.clip) }) }) });
 */
export type Variant<T extends OptionTable, P = unknown> = VariantOptions<T, P> & Partial<Omit<P, "name">>;

/** An algorithm's constructor, with its description. */
export interface AlgorithmMaker<T extends OptionTable = OptionTable, P = unknown> {
  (options?: OptionsOf<T>): Algorithm;
  readonly definition: Definition<T, P>;
  /** A variant under a name of its own, by naming what is replaced. */
  with(name: string, variant: Variant<T, P>): AlgorithmMaker<T, P>;
}
