import type { Inspection } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import type { History } from "./history.ts";

/** Something that is probably wrong, and what to do about it. */
export interface Finding {
  readonly name: string;
  /** How sure it is, from 0 to 1. Causes rank above symptoms. */
  readonly confidence: number;
  /** What was seen, with numbers. */
  readonly saw: string;
  /** What to try. */
  readonly fix: string;
}

/** What a rule may look at. */
export interface Evidence extends Inspection {
  readonly spec: EnvSpec;
  readonly history: History;
  readonly steps: number;
  readonly rounds: number;
  readonly settings: { readonly [name: string]: number };
  /** Those among them that never moved: a schedule that ends at 0 was something else before. */
  readonly constants: { readonly [name: string]: number };
}

/** Looks for one fault; says nothing where the evidence is not there. */
export type Diagnostic = (evidence: Evidence) => Finding | undefined;
