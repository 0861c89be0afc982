import { mapped } from "@reins/recipes";

export default mapped({
  id: "continual-rl-survey",
  paper: "A Survey of Continual Reinforcement Learning",
  source: "arXiv:2506.21872",
  about:
    "Agents that learn tasks in sequence: metrics, benchmarks, scenarios, and methods by the kind of knowledge that is stored or transferred (policies, experience, dynamics, rewards). The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    Policies: {
      "Policy reuse by phases of one run": "docs/core.md",
      "Policy decomposition into shared and own parts, Policy merging by distillation or hypernetworks, Regularisation of weights (EWC), Masks and subnetworks (PackNet)":
        "not yet",
    },
    Experience: {
      "Replay buffers that keep earlier tasks": "packages/core/src/replay/mixture.ts",
      "Choice of what to replay": "replay-scheduling-cl",
      "Generative replay": "not yet",
    },
    Dynamics: {
      "Direct modelling with a model per context, Latent models of the task, Detection of changed dynamics":
        "not yet",
      "Contexts as observations": "carl-contextual-rl",
    },
    Rewards: {
      "Intrinsic rewards": "docs/environments.md",
      "Potential-based shaping, Learned reward functions": "not yet",
    },
    Plasticity: {
      "Normalisation and projection (NaP)": "nap",
      "Rational activations": "rational-activations",
      "Adaptive replay ratio": "adaptive-rr",
      "Gradual pruning": "eaudeqn",
      "Resets, Concatenated ReLU": "not yet",
    },
    "Metrics and scenarios": {
      "Average performance over a sequence of tasks": "nap",
      "Detection of a collapsed policy": "docs/diagnostics/policy-collapse.md",
      "Forgetting, Forward and backward transfer, Task-agnostic boundaries": "not yet",
      "Curricula over tasks": "alp-gmm mbtl",
    },
    Benchmarks: {
      "Sequences of grid worlds": "packages/envs/src/toy/shifting-field.ts",
      "Continual World, COOM, CORA, Lifelong Hanabi, CRL with StarCraft": "not yet",
    },
  },
});
