import { type Env, fail, type MultiEnv, type VectorEnv } from "@reins/core";
import { vectoriseMulti } from "@reins/core/forms";
import { checkColumns, checkFrames, checkLabels, checkMask, watchColumns } from "./contract.ts";
import { checkEndless, checkEpisodes, checkSingle } from "./episodes.ts";
import { type EnvFinding, Findings } from "./finding.ts";
import { checkGoals } from "./goals.ts";
import { checkRestore } from "./restore.ts";
import { checkRewardScale } from "./reward-scale.ts";
import { checkRowSeeds, checkSeeds, checkVariety } from "./seeds.ts";
import { checkSpec } from "./spec.ts";
import { isVector, subjectOf } from "./subject.ts";
import { trace } from "./trace.ts";

/** Options of the check. */
export interface CheckEnvOptions {
  /** Seeds to play with. */
  readonly seeds?: readonly number[];
  /** Steps per seed. More finds late defects: use more than an episode has. */
  readonly steps?: number;
}

/**
 * Plays an environment with random actions and reports defects; an empty list means that none was found.
 *
 * @example
 * for (const finding of checkEnv(() => new MyEnv())) console.log(showFinding(finding));
 */
export function checkEnv(
  make: () => Env | MultiEnv | VectorEnv,
  options: CheckEnvOptions = {},
): EnvFinding[] {
  if (typeof make !== "function")
    fail(
      "checkEnv",
      "the check compares several copies. Pass a function that makes one: checkEnv(() => new MyEnv()).",
    );
  const { seeds = [0, 1, 2], steps = 250 } = options;
  const findings = new Findings();
  try {
    checkSpec((make() as Partial<Env>).spec, findings);
    // Nothing can be played in invalid spaces.
    if (!findings.list.some(({ severity }) => severity === "error"))
      checkAll(checkable(make), seeds, steps, findings);
  } catch (error) {
    findings.add({
      rule: "threw",
      severity: "error",
      expected: "reset() and step() to accept every action of the space and to return valid results",
      got: error instanceof Error ? error.message : String(error),
      advice:
        "If it rejected the action, which was sampled from spec.action, correct the space; otherwise correct what the method returns.",
    });
  }
  return findings.list;
}

/** The checked environments: several agents are checked as two copies, agent by agent. */
function checkable(make: () => Env | MultiEnv | VectorEnv): () => Env | VectorEnv {
  const first = make();
  if (!first.spec.agents || "rows" in first) return make as () => Env | VectorEnv;
  return () => vectoriseMulti(make as () => MultiEnv, 2);
}

function checkAll(
  make: () => Env | VectorEnv,
  seeds: readonly number[],
  steps: number,
  findings: Findings,
): void {
  const env = make();
  checkLabels(env.spec, findings);
  if (isVector(env)) {
    checkColumns(env, findings);
    // Invalid columns cannot be read any further.
    if (findings.has("columns")) return;
  }
  const unchanged = isVector(env) ? watchColumns(env) : undefined;
  const subject = subjectOf(env);
  subject.reset(seeds[0] ?? 0);
  checkMask(subject, findings);
  if (findings.has("mask")) return;
  for (const seed of seeds) {
    const seen = trace(subject, seed, steps);
    checkFrames(subject, seen, findings);
    if (!findings.has("observation-shape")) checkGoals(subject, seen, findings);
  }
  unchanged?.(findings);
  if (findings.has("columns")) return;

  if (!isVector(env)) for (const seed of seeds) checkSingle(make as () => Env, seed, steps, findings);
  const ended = seeds.map((seed) => checkEpisodes(subjectOf(make()), seed, steps, findings));
  if (env.spec.maxSteps === undefined && ended.every((count) => count === 0))
    checkEndless(subjectOf(make()), seeds[0] ?? 0, findings);
  if (!findings.has("reward")) checkRewardScale(subjectOf(make()), seeds[0] ?? 0, steps, findings);

  checkSeeds(make, seeds, steps, findings);
  // If equal seeds give different episodes, the other checks would only repeat that.
  if (findings.has("nondeterminism", "seeding")) return;
  checkVariety(make, findings);
  if (isVector(env)) checkRowSeeds(make as () => VectorEnv, seeds[0] ?? 0, findings);
  for (const seed of seeds) checkRestore(make, seed, steps, findings);
}
