import type { Env, VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { innermost } from "../wrappers/wrapper.ts";
import type { Findings } from "./finding.ts";
import { isVector, randomActions, type Subject, subjectOf } from "./subject.ts";
import { copyValue, sameValue, showValue } from "./values.ts";

/** Counts steps and rewards: time limits, and the statistics of ended episodes in a VectorEnv. Returns the number of episodes that ended. */
export function checkEpisodes(subject: Subject, seed: number, steps: number, findings: Findings): number {
  const { spec, rows, env } = subject;
  const random = defaultRng(seed);
  const lengths = new Int32Array(rows);
  const returns = new Float64Array(rows);
  let count = 0;
  subject.reset(seed);
  for (let t = 0; t < steps; t++)
    subject.step(randomActions(subject, random)).forEach(({ reward, truncated, terminated, over }, row) => {
      lengths[row]++;
      returns[row] += [reward].flat().reduce((a: number, b) => a + (b as number), 0);
      checkLimit(
        spec.maxSteps,
        lengths[row],
        over,
        Boolean(truncated) && !terminated,
        isVector(env),
        findings,
      );
      if (!over) return;
      count++;
      if (isVector(env) && !spec.agents) checkEnded(env, row, lengths[row], returns[row], findings);
      lengths[row] = returns[row] = 0;
    });
  return count;
}

/** Random steps until an environment without a time limit counts as endless. */
const patience = 50_000;

/** An episode that nothing ends has no return: a run shows no score, and `agent.evaluate` does not come back. */
export function checkEndless(subject: Subject, seed: number, findings: Findings): void {
  const random = defaultRng(seed);
  subject.reset(seed);
  for (let t = 0; t < patience; t++)
    if (subject.step(randomActions(subject, random)).some(({ over }) => over)) return;
  findings.add({
    rule: "endless",
    severity: "warning",
    expected: "episodes that end, or spec.maxSteps to truncate them",
    got: `no end in ${patience} random steps, and no spec.maxSteps`,
    advice: "Set spec.maxSteps, so that every episode is truncated at last.",
  });
}

function checkLimit(
  maxSteps: number | undefined,
  length: number,
  over: boolean,
  truncated: boolean,
  vector: boolean,
  findings: Findings,
): void {
  if (maxSteps === undefined) return;
  const early = truncated && length < maxSteps;
  const late = !over && length >= maxSteps;
  if (!early && !late) return;
  findings.add({
    rule: "time-limit",
    // vectorise() truncates a single environment that should have done so itself.
    severity: vector && late ? "error" : "warning",
    expected: `episodes to be truncated after spec.maxSteps = ${maxSteps} steps`,
    got: early ? `an episode truncated after ${length}` : `an episode that continues after ${length}`,
    advice: early
      ? "Correct spec.maxSteps, or count from 0 in reset()."
      : "Set truncated in the step whose number is maxSteps, and count from 0 in reset().",
  });
}

function checkEnded(env: VectorEnv, row: number, length: number, total: number, findings: Findings): void {
  const { return: returns, length: lengths } = env.ended;
  // Reward-shaping wrappers keep the raw return in `ended`.
  const shaped = innermost(env).reward !== env.reward;
  const near = Math.abs(returns[row] - total) <= 1e-4 * (1 + Math.abs(total));
  if (lengths[row] === length && (shaped || near)) return;
  findings.add({
    rule: "ended",
    severity: "error",
    expected: `ended to have length ${length} and return ${showValue(total)} in row ${row}`,
    got: `length ${lengths[row]} and return ${showValue(returns[row])}`,
    advice: "Add the reward of every step, including the last, and restart from 0 after each end.",
  });
}

/** A single environment: observations are new objects, and there is no reward after the end. */
export function checkSingle(make: () => Env, seed: number, steps: number, findings: Findings): void {
  const env = make();
  const subject = subjectOf(env);
  const random = defaultRng(seed);
  let last: unknown = env.reset({ seed }).observation;
  let copy = copyValue(last);
  for (let t = 0; t < steps; t++) {
    const [action] = randomActions(subject, random);
    const { observation, terminated, truncated } = env.step(action);
    if (!sameValue(last, copy))
      findings.add({
        rule: "reused-buffer",
        severity: "error",
        expected: "a returned observation to stay unchanged",
        got: `step ${t + 1} changed the one before from ${showValue(copy)} to ${showValue(last)}`,
        advice: "Return a copy: observation.slice().",
      });
    [last, copy] = [observation, copyValue(observation)];
    if (terminated || truncated) return checkAfterEnd(env, action as number, findings);
  }
}

function checkAfterEnd(env: Env, action: number, findings: Findings): void {
  let reward: unknown;
  try {
    reward = env.step(action).reward;
  } catch {
    return;
  }
  if ([reward].flat().every((r) => r === 0)) return;
  findings.add({
    rule: "after-end",
    severity: "error",
    expected: "step() after the end to throw, or to return no reward",
    got: `a reward of ${showValue(reward)}`,
    advice: "Throw an error that tells the caller to call reset().",
  });
}
