import { ppo } from "@reins/algorithms";
import { toolReward } from "../shared/tool-rewards.ts";
import { criticArmIn, tools } from "../testbeds/tools.ts";
import { planReward } from "./ai-searchplanner.parts.ts";

/** The trained model plans, and the initial model answers. */
const planner = criticArmIn({ frozenAnswerer: true });

export default tools.recipe({
  id: "ai-searchplanner",
  paper: "AI-SearchPlanner: Modular Agentic Search via Pareto-Optimal Multi-Objective Reinforcement Learning",
  source: {
    paper: "arXiv:2508.20368",
    equations:
      "the objective E[R_outcome + λ R_process − α cost], from two published summaries; the paper itself was not available",
  },
  about:
    "A small model plans the searches, and a frozen model answers from what they return. PPO trains the planner with two rewards, for the correct answer and for the rationality of its plan, minus a cost of its calls, whose weight moves along the frontier between utility and cost. Claimed: more effective and more efficient than agents that search and answer by themselves.",
  system: planner("AI-SearchPlanner", ppo, {}, toolReward(planReward({ process: 0.5, cost: 0.4 }))),
  ablation: planner(
    "planner with the outcome alone",
    ppo,
    {},
    toolReward(planReward({ process: 0, cost: 0 })),
  ),
  presupposes: {
    missing: { least: 0.1, because: "where all needed calls are made planning cannot improve" },
    unneeded: { least: 0.1, because: "where all calls are needed there is none to save" },
  },
  claims: [
    { metric: "accuracy", paper: "10.8% above answering without planning; higher than search agents" },
    { metric: "term/calls", paper: "more efficient than search agents" },
  ],
  deviations: [
    "The frozen model is the initial model after imitation, not a larger one: with a better answerer the comparison with training from end to end would be decided by it. Its answers are two tokens each and do not count towards the budget.",
    "A program judges rationality, as the smaller of the shares of needed calls among those made and of made calls among those needed; the paper asks the frozen model. The weights, 0.5 for rationality and 0.05 per call, were chosen here: the sources that were read do not give the paper's. One point of the frontier is measured.",
  ],
  finding: (f) =>
    `Against the best baseline AI-SearchPlanner changes accuracy by ${f.effect(0)} and saves ${f.effect(1)} calls per question, over ${f.count} seeds. It solves ${f.mean("AI-SearchPlanner", "accuracy")} with ${f.mean("AI-SearchPlanner", "term/calls")} calls (GRPO ${f.mean("GRPO", "accuracy")} and ${f.mean("GRPO", "term/calls")}, PPO ${f.mean("PPO", "accuracy")} and ${f.mean("PPO", "term/calls")}, a planner with the outcome alone ${f.mean("planner with the outcome alone", "accuracy")} and ${f.mean("planner with the outcome alone", "term/calls")}). Of ${f.mean("AI-SearchPlanner", "term/calls")} calls ${f.mean("AI-SearchPlanner", "term/needless")} are unneeded (PPO ${f.mean("PPO", "term/needless")}).`,
});
