import { mapped } from "@reins/recipes";

export default mapped({
  id: "adaptability-marl-survey",
  paper: "Adaptability in Multi-Agent Reinforcement Learning: A Framework and Unified Review",
  source: "arXiv:2507.10142",
  about:
    "Whether multi-agent methods hold under change: in learning (population, tasks, execution conditions), in policies and in scenarios. The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    "Learning paradigms": {
      "Independent learners": "docs/several-agents.md",
      "Parameter sharing": "docs/several-agents.md shared-policy-cooperation-collapse",
      "One policy per role": "docs/several-agents.md",
      "Self-play": "docs/several-agents.md",
      "QMIX, MAPPO, Centralised critics, Value decomposition, Mean-field methods": "not yet",
    },
    Population: {
      "Agents that leave and return": "docs/several-agents.md",
      "Groups of neighbours that share a network": "packages/algorithms/src/grouped-dqn.ts",
      "Policies for any number of agents, Transfer between team sizes": "not yet",
    },
    "Tasks and execution": {
      "Noisy observations": "docs/environments.md",
      Adversaries: "qarl",
      "Curricula over teams, Zero-shot coordination, Communication under failures": "not yet",
    },
    Policies: {
      "Policies with memory of the other agents": "docs/choosing.md",
      "Opponent modelling, Robust policies against changed partners, Role assignment": "not yet",
    },
    Scenarios: {
      "Social dilemmas": "packages/envs/src/dilemmas/stag-hunt-ring.ts",
      "Board games": "docs/environments.md",
      "PettingZoo environments": "docs/environments.md",
      "StarCraft (SMAC), Google Research Football, Traffic and energy networks": "not yet",
    },
  },
});
