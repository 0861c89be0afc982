import { numbers, spreadOf } from "./columns.ts";
import { type Diagnostic, diagnostic, show } from "./rule.ts";

/** Faults of what is paid. */
export const rewardRules: readonly Diagnostic[] = [
  diagnostic({
    name: "no reward",
    confidence: 0.85,
    limits: { steps: 64, rounds: 4, spread: 1e-9 },
    find({ columns, history }, limits) {
      const reward = numbers(columns?.reward);
      if (!reward) {
        // Groups of answers that all earn the same teach nothing; where that is something, they may be right.
        const flat = history.of("reward/flat");
        const never = flat.length >= limits.rounds && flat.slice(-limits.rounds).every((x) => x === 1);
        if (!never || Math.abs(history.late("reward/mean")) > limits.spread) return;
        return {
          saw: "no answer earns anything: all of a group are worth the same, and nothing is learned.",
          fix: "let the model imitate for longer before it is reinforced (warmUp), take an easier level, or pay steps on the way.",
        };
      }
      if (reward.length < limits.steps) return;
      const { std, mean } = spreadOf(reward);
      const returns = history.of("return/mean");
      const same =
        returns.length >= limits.rounds && Math.max(...returns) - Math.min(...returns) < limits.spread;
      if (std > limits.spread || !(same || returns.length === 0) || (mean !== 0 && returns.length === 0))
        return;
      return {
        saw: `every reward is ${show(mean)} and every return the same: nothing that the agent does matters.`,
        fix: "check that the goal can be reached at all by chance; add exploration, a shaped reward or an easier start.",
      };
    },
  }),
  diagnostic({
    name: "huge rewards",
    confidence: 0.87,
    limits: { steps: 64, size: 200 },
    find({ columns }, limits) {
      const reward = numbers(columns?.reward);
      if (!reward || reward.length < limits.steps) return;
      const { mean, std } = spreadOf(reward);
      if (Math.abs(mean) + std < limits.size) return;
      return {
        saw: `rewards are around ${show(mean)} ± ${show(std)}: the critic's error drowns the policy's gradient.`,
        fix: "wrap the environment in normaliseReward, or divide the reward.",
      };
    },
  }),
  diagnostic({
    name: "failing judge",
    confidence: 0.92,
    limits: { share: 0.1 },
    find({ history, episodes }, limits) {
      const share = history.late("judge/failed");
      if (!(share > limits.share)) return;
      const reason = episodes?.find((j) => j.verdict.failed !== undefined)?.verdict.failed;
      return {
        saw: `the judge fails on ${show(100 * share)} % of the episodes${reason === undefined ? "" : ` (${reason})`}: they earn nothing, right or wrong.`,
        fix: "call the verifier with such an answer and repair it, or give it more time.",
      };
    },
  }),
];
