import { meanOf } from "../evaluations/mean.ts";
import { numbers, spreadOf, whereIn } from "./columns.ts";
import type { History } from "./history.ts";
import { type Diagnostic, diagnostic, type Symptom, show } from "./rule.ts";

/** Judged episodes whose rewards hardly differ: within groups, or within rounds without groups. */
function equalRewards(
  history: History,
  isText: boolean,
  limits: { readonly rounds: number; readonly equal: number; readonly rare: number },
): Symptom | undefined {
  const grouped = history.of("reward/flat").length > 0;
  const spread = grouped ? "reward/flat" : "reward/std";
  const equal = grouped ? history.of(spread) : history.of(spread).map((std) => (std === 0 ? 1 : 0));
  if (equal.length < limits.rounds) return;
  const share = meanOf(equal.slice(Math.floor(equal.length * 0.75)));
  if (!(share >= limits.equal)) return;
  const [before, after] = [history.early("reward/mean", spread), history.late("reward/mean", spread)];
  const alike = `${show(100 * share)} % of the ${grouped ? "groups" : "rounds"} have equal rewards`;
  if (after <= limits.rare && after - before <= limits.rare)
    return {
      saw: `the mean reward is ${show(after)}, and ${alike}: there is almost nothing to learn from.`,
      fix: isText
        ? [
            "train the supervised phase for longer (supervisedTokens)",
            "choose an easier level",
            "reward intermediate steps",
          ]
        : [
            "check that random actions can reach the goal at all",
            "add exploration, a shaped reward or an easier start",
          ],
    };
  if (equal.every((x) => x === 1) && Math.abs(after - before) <= limits.rare)
    return {
      saw: `every reward is ${show(after)} since the first round: there is nothing to learn from.`,
      fix: ["check that the verifier rejects wrong answers", "choose harder problems"],
    };
}

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
          "find the division or logarithm in the reward that causes it; `reins check-env` names the step",
        ],
      };
    },
  }),
  diagnostic({
    name: "no reward",
    confidence: 0.85,
    limits: { steps: 64, rounds: 4, spread: 1e-9, equal: 0.95, rare: 0.01 },
    find({ columns, history, spec }, limits) {
      const reward = numbers(columns?.reward);
      if (!reward) return equalRewards(history, spec.action.kind === "text", limits);
      if (reward.length < limits.steps) return;
      const { std, mean } = spreadOf(reward);
      const returns = history.of("return/mean");
      const same =
        returns.length >= limits.rounds && Math.max(...returns) - Math.min(...returns) < limits.spread;
      if (std > limits.spread || !(same || returns.length === 0) || (mean !== 0 && returns.length === 0))
        return;
      return {
        saw: `every reward is ${show(mean)} and every return is equal: actions have no effect on the return.`,
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
        saw: `rewards are around ${show(mean)} (sd ${show(std)}): the critic's loss dominates the policy gradient.`,
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
      const [reward, spread, score] = judged
        ? ["reward/mean", "reward/std", "score/mean"]
        : ["return/mean", "return/std", "success/mean"];
      if (history.of(score).length < limits.rounds) return;
      const [before, after] = [history.early(reward, score), history.late(reward, score)];
      const [low, high] = [history.early(score), history.late(score)];
      if (!(after - before > limits.deviations * history.early(spread, score))) return;
      if (high - low > limits.score || high > limits.enough) return;
      return {
        saw: `the ${judged ? "reward" : "return"} rose from ${show(before)} to ${show(after)}, and the ${judged ? "score" : "success rate"} went from ${show(low)} to ${show(high)}: the reward does not measure the goal.`,
        fix: [
          "inspect episodes with high reward, and fix the reward term that they exploit",
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
        saw: `the judge fails on ${show(100 * share)} % of the episodes${reason === undefined ? "" : ` (${reason})`}: their reward is 0, right or wrong.`,
        fix: ["call the verifier with such an answer and repair it", "give it more time"],
      };
    },
  }),
];
