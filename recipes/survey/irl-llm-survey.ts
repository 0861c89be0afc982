import { mapped } from "@reins/recipes";

export default mapped({
  id: "irl-llm-survey",
  paper:
    "Inverse Reinforcement Learning Meets Large Language Model Post-Training: Basics, Advances, and Opportunities",
  source: "arXiv:2507.13158",
  about:
    "Alignment of language models as inverse RL: reward models learned from preferences, demonstrations and mathematical answers, policy optimisation with them, over-optimisation, and lessons of sparse-reward RL. The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    Imitation: {
      "Behaviour cloning": "docs/offline.md",
      SFT: "docs/algorithms/sft.md",
      "Adversarial imitation (GAIL), Distribution matching by f-divergences, Inverse RL from demonstrations":
        "not yet",
    },
    "Reward models": {
      "Use of a loaded reward model": "docs/language.md",
      "Bradley-Terry training, Reward models from demonstrations, Ensembles of reward models, Active preference collection, Personalised reward models, Prompt-dependent rewards":
        "not yet",
    },
    "Optimisation with a reward": {
      PPO: "docs/algorithms/ppo.md",
      "REINFORCE variants": "docs/algorithms/rloo.md",
      GRPO: "docs/algorithms/grpo.md",
      "Rejection sampling and iterative SFT": "docs/algorithms/rejection.md",
      "DPO, Best-of-N decoding, Reward-guided decoding": "not yet",
    },
    "Over-optimisation": {
      "KL penalty against the reference": "docs/post-training.md",
      "Detection of rewards that rise without the score": "docs/diagnostics/reward-without-score.md",
      "Uncertainty penalties of reward models": "not yet",
    },
    "Lessons of sparse-reward RL": {
      "Hindsight relabelling": "docs/environments.md",
      "Reward shaping and intermediate rewards": "docs/conversations.md",
      "Self-imitation": "packages/algorithms/src/self-imitation.ts",
      "Intrinsic rewards": "docs/environments.md",
      Curricula: "docs/post-training.md adarft vcrl",
      "Return decomposition": "not yet",
    },
  },
});
