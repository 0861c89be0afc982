import type { Inspection } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import type { Run } from "../run.ts";
import { behaviourRules } from "./behaviour.ts";
import { environmentRules } from "./environment.ts";
import type { History } from "./history.ts";
import { learningRules } from "./learning.ts";

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
}

/** Looks for one fault; says nothing where the evidence is not there. */
export type Rule = (evidence: Evidence) => Finding | undefined;

const rules: readonly Rule[] = [...environmentRules, ...learningRules, ...behaviourRules];

/** What is probably wrong with a run, the likeliest cause first. Nothing, if it looks healthy. */
export function diagnose(run: Run): Finding[] {
  const evidence: Evidence = {
    spec: run.options.env.spec,
    history: run.history,
    steps: run.steps,
    rounds: run.rounds,
    settings: Object.fromEntries(
      Object.entries(run.process.settings).flatMap(([k, live]) =>
        live.shown === undefined ? [] : [[k, live.shown]],
      ),
    ),
    ...run.process.inspect?.(),
  };
  return rules
    .map((rule) => rule(evidence))
    .filter((f) => f !== undefined)
    .sort((a, b) => b.confidence - a.confidence);
}

/** Findings in words, for a terminal. */
export function report(findings: readonly Finding[]): string {
  return findings
    .map(({ saw, fix }, i) => `${i === 0 ? "Likeliest reason" : "Also"}: ${saw}\n  Try: ${fix}`)
    .join("\n");
}
