import { grpo } from "@reins/algorithms";
import { arm, sums } from "../testbeds/sums.ts";
import { restructured } from "./clpo.parts.ts";

export default sums.recipe({
  id: "clpo",
  paper: "CLPO: Curriculum Learning meets Policy Optimization for LLM Reasoning",
  source: {
    paper: "arXiv:2509.25004",
    code: "csuking/CLPO",
    equations:
      "RayCLPOTrainer.fit in verl/trainer/ppo/ray_trainer.py, with the settings of scripts/clpo_qwen3_8b.sh",
  },
  about:
    "The solve rate of each group says how hard its problem is now. Problems with a rate of at most 0.3 are rewritten in a simpler form, those of at most 0.7 in another form with the same answer, and the new forms are sampled in the same update. Groups with both outcomes are trained on, whether of the original or of the new form. Claimed: 6.96 points over other methods on average.",
  system: arm("CLPO", grpo, {}, { parts: restructured(true) }),
  ablation: arm("CLPO without rewriting", grpo, {}, { parts: restructured(false) }),
  presupposes: {
    hard: { least: 0.3, because: "simpler forms are for problems that are rarely solved" },
  },
  claims: [{ metric: "area", paper: "6.96 points on average, 10.2 over GRPO in a later version" }],
  deviations: [
    "A program rewrites in place of the model: another order of the digits, or a sum of one digit fewer with the same total. Three digits are not simplified further.",
    "No KL penalty (0.001 in the authors' program, half of it for rewritten hard problems).",
  ],
  finding: (f) =>
    `Undecided, and unlikely to be decided with more seeds: CLPO learns about as much as the tuned baselines. What speaks against this: it makes half as many updates on the same tokens, the paper compares equal updates, and without rewriting it falls behind. Against the best baseline CLPO changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. It makes ${f.mean("CLPO", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}), because problems are sampled in two forms. Final accuracy is ${f.mean("CLPO", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, without rewriting ${f.mean("CLPO without rewriting", "accuracy")}), at the hardest level ${f.mean("CLPO", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}, without rewriting ${f.mean("CLPO without rewriting", "solved/6")}).`,
});
