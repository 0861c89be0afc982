import { Tensor } from "@reins/tensor";
import { timeLimitOf } from "../env-spec.ts";
import { correlation, features, isConstant, numbers, spreadOf, whereIn } from "./columns.ts";
import { type Diagnostic, diagnostic, type Evidence, show } from "./rule.ts";

/** Faults of observations and actions of the environment, which look like an agent that does not learn. */
export const environmentRules: readonly Diagnostic[] = [
  diagnostic({
    name: "broken observation",
    confidence: 1,
    limits: {},
    find(evidence) {
      const broken = observed(evidence)?.find(({ values }) => spreadOf(values).broken);
      if (!broken) return;
      const at = broken.values.findIndex((value) => !Number.isFinite(value));
      return {
        saw: `observations contain NaN or infinity (${broken.name}${whereIn(evidence, at, "before")}).`,
        fix: [
          "find the division or logarithm in the environment that causes it; `reins check-env` names the step",
        ],
      };
    },
  }),
  diagnostic({
    name: "constant observation",
    confidence: 0.9,
    // A bandit has nothing to observe, and shows it in one feature.
    limits: { steps: 64, features: 2 },
    find(evidence, limits) {
      const seen = observed(evidence);
      if (!seen || seen.length < limits.features || seen[0].values.length < limits.steps) return;
      if (!isConstant(evidence.columns!.observation, leadingOf(evidence))) return;
      return {
        saw: `the observation never changes (${seen.length} features, all constant over ${seen[0].values.length} steps).`,
        fix: [
          "write the new state into the observation every step: the environment probably returns a stale or zeroed buffer",
        ],
      };
    },
  }),
  diagnostic({
    name: "unnormalised observations",
    // Before its effects on networks, such as units that are saturated for every input.
    confidence: 0.84,
    limits: { size: 50 },
    find(evidence, limits) {
      const worst = observed(evidence)
        ?.map(({ name, values }) => ({ name, ...spreadOf(values) }))
        .sort((a, b) => Math.abs(b.mean) + b.std - Math.abs(a.mean) - a.std)[0];
      if (!worst || Math.abs(worst.mean) + worst.std < limits.size) return;
      return {
        saw: `${worst.name} of the observation is around ${show(worst.mean)} (sd ${show(worst.std)}); networks learn from numbers near 1.`,
        fix: ["wrap the environment in normaliseObservation", "rescale its observations"],
      };
    },
  }),
  diagnostic({
    name: "swapped terminated and truncated",
    confidence: 0.95,
    limits: { episodes: 10, share: 0.5 },
    find({ meter, spec: { maxSteps } }, limits) {
      const episodes = meter?.recent() ?? [];
      if (!maxSteps || episodes.length < limits.episodes) return;
      const early = episodes.filter((e) => e.truncated && e.length < maxSteps - 0.5).length;
      const late = episodes.filter((e) => !e.truncated && e.length >= maxSteps).length;
      const ended = episodes.filter((e) => !e.truncated && e.length < maxSteps).length;
      if (early < episodes.length * limits.share && !(late > 0 && ended === 0 && early > 0)) return;
      return {
        saw: `${early} of ${episodes.length} episodes say "truncated" before the time limit of ${maxSteps} steps${late ? `, and ${late} say "terminated" exactly at it` : ""}.`,
        fix: [
          "set terminated when the problem itself ends (fell, won, crashed) and truncated only at the time limit: a truncated step is bootstrapped, a terminated one is worth nothing more",
        ],
      };
    },
  }),
  diagnostic({
    name: "no episode ends",
    confidence: 0.96,
    limits: { steps: 1000 },
    find({ history, spec, steps, options: { envs } }, limits) {
      const episodes = history.of("episodes");
      if (timeLimitOf(spec) !== undefined || episodes.length === 0 || episodes.some((n) => n > 0)) return;
      const each = Math.floor(steps / (typeof envs === "number" ? envs : 1));
      if (each < limits.steps) return;
      return {
        saw: `no episode has ended in ${each} steps of each environment, so no return is known.`,
        fix: [
          "set maxSteps in the environment's spec, so that episodes are truncated",
          "check the condition that sets terminated",
        ],
      };
    },
  }),
  diagnostic({
    name: "action always masked",
    confidence: 0.93,
    limits: { steps: 64 },
    find({ columns }, limits) {
      const mask = columns?.mask;
      if (!(mask instanceof Tensor)) return;
      const choices = mask.shape[mask.rank - 1];
      const allowed = new Float64Array(choices);
      for (let i = 0; i < mask.size; i++) allowed[i % choices] += mask.data[i];
      const never = Array.from(allowed.keys()).filter((k) => allowed[k] === 0);
      if (never.length === 0 || mask.size / choices < limits.steps) return;
      return {
        saw: `the mask never allowed action ${never.join(", ")} in ${mask.size / choices} steps.`,
        fix: ["check the mask: 1 means allowed. If the best action is masked out, no policy can find it"],
      };
    },
  }),
  diagnostic({
    name: "a leaking observation",
    confidence: 0.9,
    limits: { steps: 64, correlation: 0.995 },
    find(evidence, limits) {
      const reward = numbers(evidence.columns?.reward);
      const seen = observed(evidence);
      if (!reward || !seen || reward.length < limits.steps) return;
      const worst = seen
        .map(({ name, values }) => ({ name, r: correlation(values, reward) }))
        .sort((a, b) => Math.abs(b.r) - Math.abs(a.r))[0];
      if (!worst || Math.abs(worst.r) < limits.correlation) return;
      return {
        saw: `${worst.name} of the observation tells the reward of the step to come (correlation ${show(worst.r)}) before the agent has acted.`,
        fix: ["remove the answer from the observation; a policy that relies on it fails without it"],
      };
    },
  }),
];

/** The leading axes of columns: time and rows, or only steps. */
const leadingOf = ({ columns }: Pick<Evidence, "columns">): number =>
  columns?.terminated instanceof Tensor ? columns.terminated.rank : 1;

function observed({ columns }: Pick<Evidence, "columns">) {
  if (!columns?.observation || !(columns.reward instanceof Tensor)) return undefined;
  return features(columns.observation, leadingOf({ columns }));
}
