import type { Inspection } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import type { History } from "./history.ts";

/** Something that is probably wrong, and what to do about it. */
export interface Finding {
  /** The {@link Diagnostic} that found it. */
  readonly name: string;
  /** What was seen, with numbers. */
  readonly saw: string;
  /** What to try: only settings that the run has, and none that an earlier finding says to change the other way. */
  readonly fix: string;
  /** What else was seen that follows from it; remedies of those would not help. */
  readonly explains: readonly Pick<Finding, "name" | "saw">[];
  /** How sure it is, from 0 to 1. */
  readonly confidence: number;
  /** The page about it, within the documentation: `docs/diagnostics/steps-too-large.md`. */
  readonly page: string;
}

/** What a rule says of a run that has its fault. */
export interface Sighting {
  /** What was seen, with numbers. */
  readonly saw: string;
  /** What to try, the most promising first. */
  readonly fix: readonly Remedy[];
}

/** Something to try: a setting to raise, a setting to lower (down to `least`, 0 by default), or advice in words. */
export type Remedy =
  | string
  | { readonly raise: string }
  | { readonly lower: string; readonly least?: number };

/** What a rule may look at. */
export interface Evidence extends Inspection {
  readonly spec: EnvSpec;
  readonly history: History;
  readonly steps: number;
  readonly rounds: number;
  readonly settings: { readonly [name: string]: number };
  /** Those among them that never moved: a schedule that ends at 0 was something else before. */
  readonly constants: { readonly [name: string]: number };
  /** The options of the algorithm, defaults included; empty where it declares none. */
  readonly options: { readonly [name: string]: unknown };
}

/** The numbers that a rule compares with, by name. Its page has the same ones: a test compares them. */
export interface Limits {
  readonly [name: string]: number;
}

/** A rule that looks for one fault. */
export interface Diagnostic<L extends Limits = Limits> {
  readonly name: string;
  /** How sure it is, from 0 to 1, whenever it finds something. */
  readonly confidence: number;
  readonly limits: L;
  /** Says nothing where the evidence is not there, or where all is well. */
  find(evidence: Evidence, limits: L): Sighting | undefined;
}

/** A diagnostic whose rule knows the names of its limits. */
export const diagnostic = <const L extends Limits>(rule: Diagnostic<L>): Diagnostic => ({
  name: rule.name,
  confidence: rule.confidence,
  limits: rule.limits,
  find: (evidence) => rule.find(evidence, rule.limits),
});

/** The page about a diagnostic, within the documentation. */
export const pageOf = ({ name }: Pick<Diagnostic, "name">): string =>
  `docs/diagnostics/${typedName(name)}.md`;

/** The command that prints the page about a diagnostic, wherever Reins is installed. */
export const explainOf = ({ name }: Pick<Diagnostic, "name">): string =>
  `reins diagnose --explain ${typedName(name)}`;

const typedName = (name: string) => name.toLowerCase().replaceAll(" ", "-");

/** A number as messages have it. */
export const show = (x: number): number => Number(x.toPrecision(3));
