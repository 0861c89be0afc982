import { grpo } from "@reins/algorithms";
import { arm, sums } from "../testbeds/sums.ts";
import { e3 } from "./e3-rl4llms.parts.ts";

export default sums.recipe({
  id: "e3-rl4llms",
  paper: "Enhancing Efficiency and Exploration in Reinforcement Learning for LLMs",
  source: {
    paper: "arXiv:2505.18573",
    code: "LiaoMengqi/E3-RL4LLMs",
    equations:
      "temperature_scheduler.py; get_rollout_n_per_prompt and update_rank, with the settings of train_1_5b.sh",
  },
  about:
    "Problems are ranked by their mean reward so far after every epoch, and harder ones get more of the samples of their batch. The sampling temperature follows the ratio of the entropy at the start to the current one, so that entropy stays at its level. Claimed: more efficient training that keeps exploring, and higher accuracy and pass@K.",
  system: arm("E3", grpo, {}, { parts: e3(true) }),
  ablation: arm("E3 at a fixed temperature", grpo, {}, { parts: e3(false) }),
  presupposes: {
    mixed: { least: 0.1, because: "where problems are equally hard their rank is noise" },
  },
  claims: [
    { metric: "area", paper: "higher accuracy at the same number of samples" },
    { metric: "entropy", paper: "stable entropy" },
  ],
  deviations: [
    "The target entropy is not lowered in the last two fifths of training.",
    "Entropy is measured at the temperature 1 after training; while training it is that of sampling.",
  ],
  finding: (f) =>
    `Against the best baseline E3 changes accuracy over training by ${f.effect(0)} and final token entropy by ${f.effect(1)} over ${f.count} seeds. Final accuracy is ${f.mean("E3", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}), at the hardest level ${f.mean("E3", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}). The mean entropy of sampling is ${f.mean("E3", "policy/entropy")} nats (GRPO ${f.mean("GRPO", "policy/entropy")}), the share of groups with equal rewards ${f.mean("E3", "flat")} (GRPO ${f.mean("GRPO", "flat")}).`,
});
