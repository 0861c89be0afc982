import { grpo } from "@reins/algorithms";
import { toolReward } from "../shared/tool-rewards.ts";
import { arm, tools } from "../testbeds/tools.ts";
import { adaptive } from "./arena-rag.parts.ts";

/** Half the squared log-ratio as KL penalty, which has no spikes. */
const options = { klWeight: 0.04, kl: "k2" } as const;

export default tools.recipe({
  id: "arena-rag",
  paper: "Effective and Transparent RAG: Adaptive-Reward Reinforcement Learning for Decision Traceability",
  source: {
    paper: "arXiv:2505.13258",
    code: "ren258/ARENA",
    equations:
      "get_all_scores and relevance_score in evaluate.py, the KL penalty in grpo_trainer.py, with the settings of grpo.yaml",
  },
  about:
    "An answer names its evidence. It is rewarded for its format, for its accuracy and for its evidence, which may be exactly what is needed, overlap with it or not, and has a bonus of 10 if all three are complete. A quadratic KL penalty keeps training stable. Claimed: 10 to 30 points more accuracy on multi-hop questions than other methods for retrieval-augmented generation.",
  system: arm("ARENA", grpo, options, toolReward(adaptive(10))),
  ablation: arm("ARENA without the bonus", grpo, options, toolReward(adaptive(0))),
  presupposes: {
    missing: { least: 0.1, because: "where all needed evidence is found there is none to reward" },
    unneeded: { least: 0.1, because: "where all evidence is needed there is none to leave out" },
  },
  claims: [
    { metric: "accuracy", paper: "10 to 30 points" },
    { metric: "term/needless", paper: "evidence that is more relevant" },
  ],
  deviations: [
    "The model looks up its evidence with calls; in the paper it names passages that are given with the question. A question that can be answered from memory needs no evidence.",
    "The reward knows which entries are needed, as in the paper, whose data sets name the supporting passages; the baselines are rewarded for the answer alone.",
  ],
  finding: (f) =>
    `Against the best baseline ARENA changes accuracy by ${f.effect(0)}, and unneeded calls become fewer by ${f.effect(1)}, over ${f.count} seeds. It solves ${f.mean("ARENA", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, PPO ${f.mean("PPO", "accuracy")}, without the bonus ${f.mean("ARENA without the bonus", "accuracy")}). Per question it makes ${f.mean("ARENA", "term/needless")} unneeded calls (GRPO ${f.mean("GRPO", "term/needless")}) and omits ${f.mean("ARENA", "term/missing")} needed ones (GRPO ${f.mean("GRPO", "term/missing")}).`,
});
