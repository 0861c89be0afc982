import type { Process } from "../algorithm.ts";
import type { EnvSpec } from "../env.ts";
import type { LiveSettingState } from "../signal.ts";
import { behaviourRules } from "./behaviour.ts";
import { consequences } from "./consequences.ts";
import { environmentRules } from "./environment.ts";
import type { History } from "./history.ts";
import { learningRules } from "./learning.ts";
import { type Directions, remedyText } from "./remedies.ts";
import { rewardHackRules } from "./reward-hacks.ts";
import { rewardRules } from "./rewards.ts";
import { type Diagnostic, type Evidence, explainOf, type Finding, pageOf, type Symptom } from "./rule.ts";

/** All diagnostics: faults of the environment, of the update, and of the agent's behaviour. */
export const diagnostics: readonly Diagnostic[] = [
  ...environmentRules,
  ...rewardRules,
  ...rewardHackRules,
  ...learningRules,
  ...behaviourRules,
];

/** The part of a run that a diagnosis needs; every `Run` has it. */
export interface Subject {
  readonly options: {
    readonly env: { readonly spec: EnvSpec };
    readonly algorithm?: { readonly options: { readonly [name: string]: unknown } };
  };
  readonly history: History;
  readonly steps: number;
  readonly rounds: number;
  readonly process: Pick<Process, "settings" | "inspect">;
}

/**
 * Probable faults of a run: causes, most likely first, each with its observed consequences. Empty if the run looks
 * healthy.
 */
export function diagnose(run: Subject): Finding[] {
  const evidence: Evidence = {
    spec: run.options.env.spec,
    history: run.history,
    steps: run.steps,
    rounds: run.rounds,
    settings: shown(run.process.settings),
    constants: shown(run.process.settings, (live) => !live.moves),
    options: run.options.algorithm?.options ?? {},
    ...run.process.inspect?.(),
  };
  const seen = new Map<string, Symptom>();
  for (const rule of diagnostics) {
    const sighting = rule.find(evidence, rule.limits);
    if (sighting) seen.set(rule.name, sighting);
  }
  const given: Directions = new Map();
  const explained = new Set<string>();
  return diagnostics
    .filter(({ name }) => seen.has(name) && !isConsequence(name, seen))
    .sort((a, b) => b.confidence - a.confidence)
    .map((rule) => {
      const { saw, fix } = seen.get(rule.name)!;
      const follows = followsFrom(rule.name, seen).filter((name) => !explained.has(name));
      for (const name of follows) explained.add(name);
      return {
        name: rule.name,
        confidence: rule.confidence,
        saw,
        fix: remedyText(fix, evidence, given),
        explains: follows.map((name) => ({ name, saw: seen.get(name)!.saw })),
        page: pageOf(rule),
      };
    });
}

type Seen = ReadonlyMap<string, Symptom>;

/** Whether another finding causes it. */
const isConsequence = (name: string, seen: Seen): boolean =>
  Object.entries(consequences).some(([cause, all]) => seen.has(cause) && all.includes(name));

/** Findings that follow from a cause, directly or indirectly. */
function followsFrom(cause: string, seen: Seen): string[] {
  const direct = (consequences[cause] ?? []).filter((name) => seen.has(name));
  return [...new Set([...direct, ...direct.flatMap((name) => followsFrom(name, seen))])];
}

/** Current values of settings that have one. */
function shown(settings: Process["settings"], counts: (live: LiveSettingState) => boolean = () => true) {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([k, live]) =>
      live.shown === undefined || !counts(live) ? [] : [[k, live.shown]],
    ),
  );
}

const explanation = ({ explains }: Finding): string =>
  explains.length ? `\n  Explains: ${explains.map(({ saw }) => saw.replace(/\.$/, "")).join("; ")}.` : "";

/** Findings as text, for a terminal. */
export function report(findings: readonly Finding[]): string {
  return findings
    .map(
      (finding, i) =>
        `${i === 0 ? "Likely cause" : "Also"}: ${finding.saw}\n  Try: ${finding.fix}${explanation(finding)}\n  More: ${explainOf(finding)}`,
    )
    .join("\n");
}
