import type { Run } from "@reins/core";
import type { Source } from "../places/source.ts";

/** On-policy methods whose defaults suit discrete actions better than continuous ones. */
const onPolicy = ["ppo", "a2c", "trpo", "ppg", "impala"];

/** Advice for an on-policy method that has not solved a task with continuous actions at this return. */
export function continuousAdvice({ options: { algorithm, env } }: Run, found: number): string[] {
  const { action, solvedAt } = env.spec;
  if (action.kind !== "box" || !onPolicy.includes(algorithm.name)) return [];
  if (solvedAt !== undefined && found >= solvedAt) return [];
  const used = (env as Partial<Source>).more?.wrappers;
  const missing = ["normaliseObservation", "normaliseReward"].filter(
    (name) => !(Array.isArray(used) && used.includes(name)),
  );
  const wrappers = missing.length ? `normalise (--wrappers ${missing.join(",")}), or ` : "";
  return [`Continuous actions: ${wrappers}try sac, which needs fewer steps there.`];
}
