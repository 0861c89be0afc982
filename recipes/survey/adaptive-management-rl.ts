import { mapped } from "@reins/recipes";

export default mapped({
  id: "adaptive-management-rl",
  paper: "Bridging adaptive management and reinforcement learning for more robust decisions",
  source: "doi:10.1098/rstb.2022.0195",
  about:
    "Management of ecosystems as sequential decisions under uncertainty: where RL helps when classical optimisation is intractable, and its technical and social limits. The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    "Classical methods": {
      "Value iteration of a known MDP": "docs/algorithms/value-iteration.md",
      "Partially observable MDPs by planning": "not yet",
      "Stochastic dynamic programming": "docs/algorithms/value-iteration.md",
    },
    Learning: {
      Bandits: "docs/algorithms/ucb.md docs/algorithms/thompson.md",
      "Contextual bandits": "docs/algorithms/linucb.md",
      "Q-learning": "docs/algorithms/q.md",
      "Model-free deep RL": "docs/algorithms/ppo.md docs/algorithms/sac.md",
      "Policies with memory for hidden states": "docs/choosing.md",
      "Restless bandits, Model-based RL with learned ecosystem models": "not yet",
    },
    Robustness: {
      "Training over random parameters of the model": "docs/environments.md carl-contextual-rl",
      "Adversarial robustness": "qarl",
      "Risk-sensitive objectives": "icvar-rl",
      "Learning from logged decisions": "docs/offline.md lcb-offline",
      "Safe exploration": "not yet",
    },
    Environments: {
      "Inventories with uncertain demand": "packages/envs/src/inventory/inventory.ts",
      "Fisheries, Tipping points, Wildfire, Invasive species, Poaching patrols": "not yet",
      "Any Gymnasium environment": "docs/environments.md",
    },
    "Beyond algorithms": {
      "Evaluation on held-out seeds with intervals": "docs/recipes.md",
      "Interpretability of policies, Participation of stakeholders": "not yet",
    },
  },
});
