import { numbers, spreadOf, whereIn } from "./columns.ts";
import { type Diagnostic, diagnostic, show } from "./rule.ts";

/** Faults of the reward. */
export const rewardRules: readonly Diagnostic[] = [
  diagnostic({
    name: "broken reward",
    confidence: 0.99,
    limits: {},
    find(evidence) {
      const reward = numbers(evidence.columns?.reward);
      const at = reward ? Array.from(reward).findIndex((value) => !Number.isFinite(value)) : -1;
      if (!reward || at < 0) return;
      const step = evidence.spec.rewards ? Math.floor(at / evidence.spec.rewards.length) : at;
      return {
        saw: `rewards contain ${reward[at]}${whereIn(evidence, step, "own")}.`,
        fix: [
          "find the division or logarithm in the reward that makes it; `reins check-env` plays it and names the step",
        ],
      };
    },
  }),
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
          fix: [
            "let the model imitate for longer before it is reinforced (warmUp)",
            "take an easier level",
            "reward steps on the way",
          ],
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
        fix: [
          "check that random actions can reach the goal at all",
          "add exploration, a shaped reward or an easier start",
        ],
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
        saw: `rewards are around ${show(mean)} (sd ${show(std)}): the critic's error drowns the policy's gradient.`,
        fix: ["wrap the environment in normaliseReward", "divide the reward in the environment"],
      };
    },
  }),
  diagnostic({
    name: "reward without score",
    confidence: 0.65,
    limits: { rounds: 12, deviations: 0.5, score: 0.05, enough: 0.9 },
    find({ history }, limits) {
      const judged = history.of("score/mean").length > 0;
      const [paid, spread, score] = judged
        ? ["reward/mean", "reward/std", "score/mean"]
        : ["return/mean", "return/std", "success/mean"];
      if (history.of(score).length < limits.rounds) return;
      const [before, after] = [history.early(paid), history.late(paid)];
      const [low, high] = [history.early(score), history.late(score)];
      if (!(after - before > limits.deviations * history.early(spread))) return;
      if (high - low > limits.score || high > limits.enough) return;
      return {
        saw: `the ${judged ? "reward" : "return"} rose from ${show(before)} to ${show(after)}, and the ${judged ? "score" : "success rate"} went from ${show(low)} to ${show(high)}: the reward does not measure the goal.`,
        fix: [
          "look at episodes of high reward, and take out of the reward what they exploit",
          "reward the score itself, and give less weight to its other terms",
        ],
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
        fix: ["call the verifier with such an answer and repair it", "give it more time"],
      };
    },
  }),
];
