import { grpo } from "@reins/algorithms";
import type { Stage } from "@reins/core";
import type { TextStageOptions } from "@reins/language";
import { lengthReward } from "../shared/length-rewards.ts";
import { arm, lengths } from "../testbeds/lengths.ts";
import { decaying, serialGroups } from "./s-grpo.parts.ts";

/** Cuts are not sampled, so ratios are relative to the policy at the start of the update. */
const sGrpo = grpo.with("s-grpo", { look: (scored) => ({ logProb: scored.logProb }) });
const settings = { scale: "none", aggregation: "text" } as const;
const serial = (rewardsOf: typeof decaying) => ({
  change: (stage: Stage, options: TextStageOptions): Stage => ({
    ...lengthReward(() => (groups) => groups.map(rewardsOf))(stage),
    play: serialGroups(options),
  }),
});

export default lengths.recipe({
  id: "s-grpo",
  paper: "S-GRPO: Early Exit via Reinforcement Learning in Reasoning Models",
  source: {
    paper: "arXiv:2505.07686",
    equations:
      "the serial group, the reward 1 / 2^(N − 1) of the Nth correct answer, the advantage without division and the loss, on which two accounts of the paper and two public programs that follow it agree; the authors' program was not found",
  },
  about:
    "One answer of a problem is sampled and its reasoning cut at random positions, after each of which the model has to answer. The first correct answer of this group has the reward 1, each later one half of the one before, wrong ones 0; advantages are relative to the group's mean. Claimed: 35% to 61% fewer tokens at 0.7 to 6.1 points more accuracy.",
  system: arm("S-GRPO", sGrpo, settings, serial(decaying)),
  ablation: arm(
    "S-GRPO without decay",
    sGrpo,
    settings,
    serial((group) => group.map((a) => Number(a.right))),
  ),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed an early exit is wrong" },
    spread: { least: 1, because: "an exit is learned only if the policy sometimes takes it" },
  },
  claims: [{ metric: "term/net", paper: "35% to 61% fewer tokens at 0.7 to 6.1 points more accuracy" }],
  deviations: [
    "The end of reasoning alone forces the exit, in place of a sentence and the end of reasoning. All tokens of an answer are trained on, the cut and the exit too.",
    "Shared tokens are counted once, so that more problems are visited for the same number of tokens. An answer without reasoning has no exits.",
  ],
  finding: (f) =>
    `Against the best baseline S-GRPO changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("S-GRPO", "tokens")} tokens with an accuracy of ${f.mean("S-GRPO", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, without decay ${f.mean("S-GRPO without decay", "tokens")} and ${f.mean("S-GRPO without decay", "accuracy")}). It makes ${f.mean("S-GRPO", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}). The shortest problems take ${f.mean("S-GRPO", "tokens/1")} tokens, the longest ${f.mean("S-GRPO", "tokens/6")}.`,
});
