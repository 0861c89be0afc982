import { grpo } from "@reins/algorithms";
import { toolReward } from "../shared/tool-rewards.ts";
import { arm, tools } from "../testbeds/tools.ts";
import { formatGated } from "./tapo.parts.ts";

/** The length penalty begins at half of the 40 tokens that a conversation may have. */
const options = { ratioBound: "dual", aggregation: "token", overlongMargin: 20 } as const;

export default tools.recipe({
  id: "tapo",
  paper:
    "Tool-Augmented Policy Optimization: Synergizing Reasoning and Adaptive Tool Use with Reinforcement Learning",
  source: {
    paper: "arXiv:2510.07038",
    code: "Goer17/TAPO",
    equations:
      "compute_score in tool_dapo.py and the reward manager in tapo.py, with the settings of tapo_single_node.sh",
  },
  about:
    "DAPO for conversations with tools: tool results are masked from the loss, groups with equal rewards are replaced by sampling more problems, and the clip range is wider above than below. A conversation without a well-formed answer has a reward of −1, and one that is longer than half of the limit a penalty that rises with its length, so that calls do not multiply. Claimed: the highest accuracy among models of its size, with fewer calls than baselines.",
  system: arm("TAPO", grpo, { ...options, clipHigh: 0.28, filter: "refill" }, toolReward(formatGated)),
  ablation: arm("TAPO without dynamic sampling", grpo, options, toolReward(formatGated)),
  presupposes: {
    flat: { least: 0.1, because: "where all groups have different rewards none is replaced" },
    unneeded: { least: 0.1, because: "where all calls are needed there is none to save" },
  },
  claims: [
    { metric: "accuracy", paper: "highest of all compared models of 3 and 7 billion weights" },
    { metric: "term/calls", paper: "more efficient use of tools; the paper's figures differ by task" },
  ],
  deviations: [
    "A group is replaced if its rewards are equal, penalties included; the authors compare accuracy. Ratios of bad samples are bounded at 3, in place of 10.",
    "Partial credit for similar words is left out: an answer is one letter.",
  ],
  finding: (f) =>
    `Against the best baseline TAPO changes accuracy by ${f.effect(0)} and saves ${f.effect(1)} calls per question, over ${f.count} seeds. It solves ${f.mean("TAPO", "accuracy")} with ${f.mean("TAPO", "term/calls")} calls (GRPO ${f.mean("GRPO", "accuracy")} and ${f.mean("GRPO", "term/calls")}, PPO ${f.mean("PPO", "accuracy")} and ${f.mean("PPO", "term/calls")}, without dynamic sampling ${f.mean("TAPO without dynamic sampling", "accuracy")} and ${f.mean("TAPO without dynamic sampling", "term/calls")}). It makes ${f.mean("TAPO", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}).`,
});
