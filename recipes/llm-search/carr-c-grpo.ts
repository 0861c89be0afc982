import { grpo } from "@reins/algorithms";
import { toolReward } from "../shared/tool-rewards.ts";
import { arm, tools } from "../testbeds/tools.ts";
import { citationAware } from "./carr-c-grpo.parts.ts";

const options = { clipHigh: 0.28 };

export default tools.recipe({
  id: "carr-c-grpo",
  paper:
    "Chaining the Evidence: Robust Reinforcement Learning for Deep Search Agents with Citation-Aware Rubric Rewards",
  source: {
    paper: "arXiv:2601.06021",
    code: "THUDM/CaRR",
    equations:
      "get_rubric_reward in launch_server.py and the combination of rewards in sglang_rollout.py, with the settings of training_run_4b-C-GRPO-rubric0.3.sh",
  },
  about:
    "Each step of a question is a rubric. It is met if the hidden name was identified, if the entry was looked up, and if it is connected to the answer through other supported steps. Of a correct answer's reward 30% is the share of its rubrics that are met, so that a correct guess is worth less than an answer with its chain of evidence. Claimed: higher accuracy than outcome rewards on deep search, with fewer shortcuts.",
  system: arm("C-GRPO", grpo, options, toolReward(citationAware(0.3))),
  ablation: arm("C-GRPO without rubrics", grpo, options, toolReward(citationAware(0))),
  presupposes: {
    unsupported: { least: 0.03, because: "where no correct answer is a guess shortcuts are absent" },
  },
  claims: [
    { metric: "accuracy", paper: "higher than outcome rewards on all deep-search benchmarks" },
    { metric: "term/unsupported", paper: "fewer shortcuts" },
  ],
  deviations: [
    "A program decides whether a rubric is met, from the calls; the paper asks a language model about the text and its citations. A question that can be answered from memory has no rubric, so that its correct answers are worth 0.7, equally.",
    "Rubric rewards are not divided by the largest of their group: the authors' program computes this and does not use it where wrong answers get none.",
  ],
  finding: (f) =>
    `Against the best baseline C-GRPO changes accuracy by ${f.effect(0)}, and unsupported answers become fewer by ${f.effect(1)}, over ${f.count} seeds. It solves ${f.mean("C-GRPO", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, PPO ${f.mean("PPO", "accuracy")}, without rubrics ${f.mean("C-GRPO without rubrics", "accuracy")}); unsupported are ${f.mean("C-GRPO", "term/unsupported")} (GRPO ${f.mean("GRPO", "term/unsupported")}). With three calls it solves ${f.mean("C-GRPO", "solved/5")} (GRPO ${f.mean("GRPO", "solved/5")}).`,
});
