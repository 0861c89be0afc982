import { mapped } from "@reins/recipes";

export default mapped({
  id: "drl-driving-survey",
  paper: "Deep Reinforcement Learning for Autonomous Driving: A Survey",
  source: "arXiv:2002.00444",
  about:
    "Deep RL for driving: algorithms, tasks from lane keeping to intersections, neighbouring fields (imitation, inverse RL), simulators, validation and safety. The methods are those of the abstract, of published summaries, and the standard ones of its topics; the full text was not available.",
  covers: {
    "Value-based": {
      "Q-learning, SARSA": "docs/algorithms/q.md",
      DQN: "docs/algorithms/dqn.md",
      "Double DQN, Dueling networks, Prioritised replay": "docs/algorithms/dqn.md",
      "Recurrent DQN": "docs/algorithms/r2d2.md",
      "Distributional DQN": "docs/algorithms/c51.md",
    },
    "Policy-based": {
      REINFORCE: "docs/algorithms/reinforce.md",
      TRPO: "docs/algorithms/trpo.md",
      PPO: "docs/algorithms/ppo.md",
      DDPG: "docs/algorithms/ddpg.md",
      TD3: "docs/algorithms/td3.md",
      SAC: "docs/algorithms/sac.md",
      A2C: "docs/algorithms/a2c.md",
      A3C: "not yet",
    },
    Extensions: {
      "Reward shaping": "docs/metrics.md",
      "Curiosity and intrinsic rewards": "docs/environments.md",
      "Several agents": "docs/several-agents.md",
      "Hindsight replay": "docs/environments.md",
      "Several discount factors": "docs/what-sb3-lacks.md",
      "Meta-learning, Hierarchical options": "not yet",
      "Model-based RL, Multi-objective RL, State representation learning by world models": "not yet",
    },
    Demonstrations: {
      "Behaviour cloning": "docs/offline.md",
      "Pre-training on demonstrations": "docs/core.md",
      "DAgger, DQfD, Inverse RL, GAIL": "not yet",
    },
    "Safety and transfer": {
      "Domain randomisation": "docs/environments.md",
      "Robustness to disturbances": "qarl",
      "Certified robustness": "policy-smoothing",
      "Constraints, Safety layers, Image translation from simulation": "not yet",
    },
    Tasks: {
      "Track with rays or pixels": "docs/environments.md",
      "Lane keeping, Lane change, Ramp merging, Overtaking, Intersections, Motion planning, Parking":
        "not yet",
    },
    Simulators: {
      "CARLA, TORCS, AirSim, SUMO, DeepDrive, Constellation, MADRaS, Flow, Highway-env": "not yet",
      "Any Gymnasium environment": "docs/environments.md",
    },
  },
});
