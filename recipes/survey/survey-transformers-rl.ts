import { mapped } from "@reins/recipes";

export default mapped({
  id: "survey-transformers-rl",
  paper: "Transformers in Reinforcement Learning: A Survey",
  source: "arXiv:2307.05979",
  about:
    "Transformers for representation, transition and reward models, and policies, their interpretability and efficient training, and applications. The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    Representation: {
      "Transformer layers in a network": "docs/nn.md",
      "Attention over sets of entities": "docs/networks.md",
      "Attention pooling": "adaptive-pooling",
      "Vision transformers for pixels, Contrastive pre-training (CoBERL)": "not yet",
    },
    Memory: {
      GTrXL: "gtrxl",
      "Hierarchical chunk attention (HCAM)": "hcam",
      "Memory in recurrent form": "memory-rewriting-bench",
    },
    "Transition and reward models": {
      "TransDreamer, IRIS, Trajectory Transformer, Preference Transformer": "not yet",
    },
    Policies: {
      "Language models as policies": "docs/language.md",
      "Decision Transformer, Online Decision Transformer, Multi-game Decision Transformer, Gato, Prompt-DT, Algorithm distillation, Multi-agent transformer":
        "not yet",
    },
    Training: {
      PPO: "docs/algorithms/ppo.md",
      "V-trace": "docs/algorithms/impala.md",
      R2D2: "docs/algorithms/r2d2.md",
      "Fewer layers for acting than for learning (ALD)": "not yet",
      "Interpretation by attention maps": "not yet",
    },
    Applications: {
      "Language modelling": "docs/language.md",
      Robotics: "docs/environments.md",
      "Combinatorial optimisation, Medicine, Cloud computing": "not yet",
    },
  },
});
