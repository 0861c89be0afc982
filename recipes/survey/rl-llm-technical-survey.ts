import { mapped } from "@reins/recipes";

export default mapped({
  id: "rl-llm-technical-survey",
  paper: "A Technical Survey of Reinforcement Learning Techniques for Large Language Models",
  source: "arXiv:2507.04136",
  about:
    "RL algorithms for language models, from PPO and Q-learning to RLHF, RLAIF, DPO and GRPO, their uses from code generation to tools, and a taxonomy by reward, feedback and optimisation. The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    Foundations: {
      PPO: "docs/algorithms/ppo.md",
      "Q-learning": "docs/algorithms/q.md",
      "Actor-critic methods": "docs/algorithms/a2c.md",
      REINFORCE: "docs/algorithms/reinforce.md",
      "Off-policy Q-learning of a language model": "not yet",
    },
    Feedback: {
      "RLHF with a loaded reward model": "docs/language.md",
      "Training of reward models, RLAIF, Constitutional AI": "not yet",
      "Verifiable rewards (RLVR)": "docs/language.md",
      "Stepwise rewards": "docs/conversations.md",
      "Outcome rewards": "docs/post-training.md",
    },
    "Preference optimisation": {
      DPO: "not yet",
    },
    "Group methods": {
      GRPO: "docs/algorithms/grpo.md",
    },
    Applications: {
      "Instruction following": "light-if",
      "Code generation": "docs/tasks.md",
      "Tool-augmented reasoning": "docs/conversations.md retool artist",
      "Mathematical reasoning": "docs/tasks.md",
    },
    Directions: {
      "Verifier-guided training": "docs/language.md",
      "Multi-objective alignment": "not yet",
      "Hybrid RL and SFT": "sasr rl-plus",
      "Hierarchical tool use, Several agents": "not yet",
      "Reward hacking, detected": "docs/diagnostics/reward-without-score.md",
    },
  },
});
