import type { Process } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import type { Moving } from "../signal.ts";
import { behaviourRules } from "./behaviour.ts";
import { environmentRules } from "./environment.ts";
import type { History } from "./history.ts";
import { learningRules } from "./learning.ts";
import { rewardRules } from "./rewards.ts";
import { type Diagnostic, type Evidence, explainOf, type Finding, pageOf } from "./rule.ts";

/** Every rule by which runs are diagnosed: faults of the environment, of the update, of what the agent does. */
export const diagnostics: readonly Diagnostic[] = [
  ...environmentRules,
  ...rewardRules,
  ...learningRules,
  ...behaviourRules,
];

/** What a diagnosis needs to know of a run; every `Run` is one. */
export interface Subject {
  readonly options: { readonly env: { readonly spec: EnvSpec } };
  readonly history: History;
  readonly steps: number;
  readonly rounds: number;
  readonly process: Pick<Process, "settings" | "inspect">;
}

/** What is probably wrong with a run, the likeliest cause first. Nothing, if it looks healthy. */
export function diagnose(run: Subject): Finding[] {
  const evidence: Evidence = {
    spec: run.options.env.spec,
    history: run.history,
    steps: run.steps,
    rounds: run.rounds,
    settings: shown(run.process.settings),
    constants: shown(run.process.settings, (live) => !live.moves),
    ...run.process.inspect?.(),
  };
  return diagnostics
    .flatMap((rule) => {
      const seen = rule.find(evidence, rule.limits);
      return seen ? [{ name: rule.name, confidence: rule.confidence, ...seen, page: pageOf(rule) }] : [];
    })
    .sort((a, b) => b.confidence - a.confidence);
}

/** The present values of settings that have one. */
function shown(settings: Process["settings"], counts: (live: Moving) => boolean = () => true) {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([k, live]) =>
      live.shown === undefined || !counts(live) ? [] : [[k, live.shown]],
    ),
  );
}

/** Findings in words, for a terminal. */
export function report(findings: readonly Finding[]): string {
  return findings
    .map(
      (finding, i) =>
        `${i === 0 ? "Likeliest reason" : "Also"}: ${finding.saw}\n  Try: ${finding.fix}\n  More: ${explainOf(finding)}`,
    )
    .join("\n");
}
