import { Tensor } from "@reins/tensor";
import { correlation, features, numbers, spreadOf } from "./columns.ts";
import type { Diagnostic, Evidence } from "./rule.ts";

const show = (x: number) => Number(x.toPrecision(3));

/** Faults of what the environment gives: they look like an agent that does not learn. */
export const environmentRules: readonly Diagnostic[] = [
  function brokenObservation({ columns }) {
    const broken = observed({ columns })?.find(({ values }) => spreadOf(values).broken);
    if (!broken) return;
    return {
      name: "broken observation",
      confidence: 1,
      saw: `observations contain NaN or infinity (${broken.name}).`,
      fix: "find the division or logarithm in the environment that makes it; `reins check-env` plays it and names the step.",
    };
  },
  function blind({ columns }) {
    const seen = observed({ columns });
    if (!seen?.length || !seen.every(({ values }) => steady(values)) || seen[0].values.length < 64) return;
    if (seen.length === 1) return; // A bandit has nothing to see.
    return {
      name: "constant observation",
      confidence: 0.9,
      saw: `the observation never changes (${seen.length} features, all constant over ${seen[0].values.length} steps).`,
      fix: "the environment probably returns a stale or zeroed buffer; write the new state into the observation every step.",
    };
  },
  function scale({ columns }) {
    const seen = observed({ columns });
    const worst = seen
      ?.map(({ name, values }) => ({ name, ...spreadOf(values) }))
      .sort((a, b) => Math.abs(b.mean) + b.std - Math.abs(a.mean) - a.std)[0];
    if (!worst || Math.abs(worst.mean) + worst.std < 50) return;
    return {
      name: "unnormalised observations",
      // Before what it does to networks, such as units that are saturated for every input.
      confidence: 0.84,
      saw: `${worst.name} of the observation is around ${show(worst.mean)} ± ${show(worst.std)}; networks learn from numbers near 1.`,
      fix: "wrap the environment in normaliseObservation, or rescale it.",
    };
  },
  function nothingToEarn({ columns, history }) {
    const reward = numbers(columns?.reward);
    if (!reward || reward.length < 64) return;
    const { std, mean } = spreadOf(reward);
    const returns = history.of("return/mean");
    const same = returns.length > 3 && Math.max(...returns) - Math.min(...returns) < 1e-9;
    if (std > 1e-9 || !(same || returns.length === 0) || (mean !== 0 && returns.length === 0)) return;
    return {
      name: "no reward",
      confidence: 0.85,
      saw: `every reward is ${show(mean)} and every return the same: nothing that the agent does matters.`,
      fix: "check that the goal can be reached at all by chance; add exploration, a shaped reward or an easier start.",
    };
  },
  function swappedEnds({ meter, spec }) {
    const episodes = meter?.recent() ?? [];
    if (!spec.maxSteps || episodes.length < 10) return;
    const early = episodes.filter((e) => e.truncated && e.length < spec.maxSteps! - 0.5).length;
    const late = episodes.filter((e) => !e.truncated && e.length >= spec.maxSteps!).length;
    const ended = episodes.filter((e) => !e.truncated && e.length < spec.maxSteps!).length;
    if (early < episodes.length / 2 && !(late > 0 && ended === 0 && early > 0)) return;
    return {
      name: "swapped terminated and truncated",
      confidence: 0.95,
      saw: `${early} of ${episodes.length} episodes say "truncated" before the time limit of ${spec.maxSteps} steps${late ? `, and ${late} say "terminated" exactly at it` : ""}.`,
      fix: "set terminated when the problem itself ends (fell, won, crashed) and truncated only at the time limit: a truncated step is bootstrapped, a terminated one is worth nothing more.",
    };
  },
  function neverAllowed({ columns }) {
    const mask = columns?.mask;
    if (!(mask instanceof Tensor)) return;
    const choices = mask.shape[mask.rank - 1];
    const allowed = new Float64Array(choices);
    for (let i = 0; i < mask.size; i++) allowed[i % choices] += mask.data[i];
    const never = Array.from(allowed.keys()).filter((k) => allowed[k] === 0);
    if (never.length === 0 || mask.size / choices < 64) return;
    return {
      name: "an action that is never allowed",
      confidence: 0.93,
      saw: `the mask never allowed action ${never.join(", ")} in ${mask.size / choices} steps.`,
      fix: "check the mask: 1 means allowed. If the best action is masked out, no policy can find it.",
    };
  },
  function leak({ columns }) {
    const reward = numbers(columns?.reward);
    const seen = observed({ columns });
    if (!reward || !seen || reward.length < 64) return;
    const worst = seen
      .map(({ name, values }) => ({ name, r: correlation(values, reward) }))
      .sort((a, b) => Math.abs(b.r) - Math.abs(a.r))[0];
    if (!worst || Math.abs(worst.r) < 0.995) return;
    return {
      name: "a leaking observation",
      confidence: 0.9,
      saw: `${worst.name} of the observation tells the reward of the step to come (correlation ${show(worst.r)}) before the agent has acted.`,
      fix: "leave the answer out of the observation; what is learned from it will not hold where it is missing.",
    };
  },
  function rewardScale({ columns }) {
    const reward = numbers(columns?.reward);
    if (!reward || reward.length < 64) return;
    const { mean, std } = spreadOf(reward);
    if (Math.abs(mean) + std < 200) return;
    return {
      name: "huge rewards",
      confidence: 0.87,
      saw: `rewards are around ${show(mean)} ± ${show(std)}: the critic's error drowns the policy's gradient.`,
      fix: "wrap the environment in normaliseReward, or divide the reward.",
    };
  },
  function failingJudge({ history, episodes }) {
    const share = history.late("judge/failed");
    if (!(share > 0.1)) return;
    const reason = episodes?.find((j) => j.verdict.failed !== undefined)?.verdict.failed;
    return {
      name: "failing judge",
      confidence: 0.92,
      saw: `the judge fails on ${show(100 * share)} % of the episodes${reason === undefined ? "" : ` (${reason})`}: they earn nothing, right or wrong.`,
      fix: "call the verifier with such an answer and repair it, or give it more time.",
    };
  },
];

/** Whether numbers are all the same. */
function steady(values: ArrayLike<number>): boolean {
  const { low, high, broken } = spreadOf(values);
  return !broken && low === high;
}

function observed({ columns }: Pick<Evidence, "columns">) {
  if (!columns?.observation || !(columns.reward instanceof Tensor)) return undefined;
  const leading = columns.terminated instanceof Tensor ? columns.terminated.rank : 1;
  return features(columns.observation, leading);
}
