import type { Inspection } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import type { History } from "./history.ts";

/** A probable fault, and what to do about it. */
export interface Finding {
  /** The {@link Diagnostic} that found it. */
  readonly name: string;
  /** The observation, with numbers. */
  readonly saw: string;
  /** The remedy: only settings that the run has, and none that an earlier finding says to change the other way. */
  readonly fix: string;
  /** Other findings that follow from it, whose remedies would not help. */
  readonly explains: readonly Pick<Finding, "name" | "saw">[];
  /** Confidence, from 0 to 1. */
  readonly confidence: number;
  /** Its page in the documentation: `docs/diagnostics/steps-too-large.md`. */
  readonly page: string;
}

/** Result of a rule that found its fault. */
export interface Symptom {
  /** The observation, with numbers. */
  readonly saw: string;
  /** Remedies, most promising first. */
  readonly fix: readonly Remedy[];
}

/** A remedy: a setting to raise, a setting to lower (down to `least`, default 0), or advice as text. */
export type Remedy =
  | string
  | { readonly raise: string }
  | { readonly lower: string; readonly least?: number };

/** Evidence for rules. */
export interface Evidence extends Inspection {
  readonly spec: EnvSpec;
  readonly history: History;
  readonly steps: number;
  readonly rounds: number;
  readonly settings: { readonly [name: string]: number };
  /** Settings that never changed: a schedule that ends at 0 had other values before. */
  readonly constants: { readonly [name: string]: number };
  /** The options of the algorithm with defaults; empty if it declares none. */
  readonly options: { readonly [name: string]: unknown };
}

/** Thresholds of a rule, by name. Its page lists the same ones, which a test compares. */
export interface DiagnosticLimits {
  readonly [name: string]: number;
}

/** A rule that detects one fault. */
export interface Diagnostic<L extends DiagnosticLimits = DiagnosticLimits> {
  readonly name: string;
  /** Confidence of its findings, from 0 to 1. */
  readonly confidence: number;
  readonly limits: L;
  /** Undefined without evidence, or if the run is healthy. */
  find(evidence: Evidence, limits: L): Symptom | undefined;
}

/** A diagnostic with typed thresholds. */
export const diagnostic = <const L extends DiagnosticLimits>(rule: Diagnostic<L>): Diagnostic => ({
  name: rule.name,
  confidence: rule.confidence,
  limits: rule.limits,
  find: (evidence) => rule.find(evidence, rule.limits),
});

/** The page of a diagnostic in the documentation. */
export const pageOf = ({ name }: Pick<Diagnostic, "name">): string =>
  `docs/diagnostics/${typedName(name)}.md`;

/** The command that prints the page of a diagnostic, wherever Reins is installed. */
export const explainOf = ({ name }: Pick<Diagnostic, "name">): string =>
  `reins diagnose --explain ${typedName(name)}`;

const typedName = (name: string) => name.toLowerCase().replaceAll(" ", "-");

/** A number in messages. */
export const show = (x: number): number => Number(x.toPrecision(3));
