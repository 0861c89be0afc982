import { grpo } from "@reins/algorithms";
import { arm, armIn, tools } from "../testbeds/tools.ts";

/** Each answer is followed by its verification. */
const verifying = armIn({ verified: 1 });
/** RLOO: the mean reward of the other samples is the baseline. */
const rloo = { baseline: "others", scale: "none" } as const;

export default tools.recipe({
  id: "pokeeresearch",
  paper:
    "PokeeResearch: Effective Deep Research via Reinforcement Learning from AI Feedback and Robust Reasoning Scaffold",
  source: {
    paper: "arXiv:2510.15862",
    code: "markalosey/PokeeResearchOSS (a copy of Pokee-AI/PokeeResearchOSS)",
    equations:
      "parse_with_answer_verification in tool_agent_loop.py and reward_func_async in reward_score.py, with the settings of run.sh",
  },
  about:
    "Research and verification alternate: after its answer the agent judges it, and if it finds it wrong, it withdraws the answer and goes on with its research. Failed calls are shown, so that it can repeat or change them. RLOO trains both modes, with the correctness of the final answer as the reward. Claimed: the highest accuracy of agents with 7 billion weights on ten benchmarks.",
  system: verifying("PokeeResearch", grpo, rloo),
  ablation: arm("RLOO without verification", grpo, rloo),
  presupposes: {
    failing: { least: 0.1, because: "where no call fails there is nothing to recover from" },
    room: { least: 0.1, because: "where all answers are correct there is nothing to verify" },
  },
  claims: [{ metric: "accuracy", paper: "highest of agents with 7 billion weights" }],
  deviations: [
    "An answer can be withdrawn once, after which the question is repeated; the paper has no such limit, but one of 32,768 tokens. The verdict is one letter without reasons.",
    "Imitation shows verification in a quarter of the conversations, to all arms. Its teacher confirms three of ten wrong answers.",
    "A program compares the answer with the reference, where the paper asks a language model. Parallel research threads at test time are left out.",
    "The ratio is clipped as in GRPO, so that RLOO may use a batch more than once.",
  ],
  finding: (f) =>
    `Against the best baseline PokeeResearch changes accuracy by ${f.effect(0)} over ${f.count} seeds. It solves ${f.mean("PokeeResearch", "accuracy")}, from ${f.mean("PokeeResearch", "before")} before reinforcement learning (GRPO ${f.mean("GRPO", "accuracy")} from ${f.mean("GRPO", "before")}, RLOO without verification ${f.mean("RLOO without verification", "accuracy")}). Verification costs tokens, of which a question takes ${f.mean("PokeeResearch", "tokens")} (GRPO ${f.mean("GRPO", "tokens")}), which leaves ${f.mean("PokeeResearch", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}). With three calls it solves ${f.mean("PokeeResearch", "solved/5")} (GRPO ${f.mean("GRPO", "solved/5")}).`,
});
