import { grpo } from "@reins/algorithms";
import { toolReward } from "../shared/tool-rewards.ts";
import { armIn, tools } from "../testbeds/tools.ts";
import { completeness } from "./rltr.parts.ts";

/** The trained model plans, and the initial model answers. */
const planner = armIn({ frozenAnswerer: true });

export default tools.recipe({
  id: "rltr",
  paper:
    "Encouraging Good Processes Without the Need for Good Answers: Reinforcement Learning for LLM Agent Planning",
  source: {
    paper: "arXiv:2508.19598",
    equations:
      "the total reward (−1 for an invalid format, otherwise completeness plus the rule rewards for repeated and incorrect calls), from a published lecture; the paper itself was not available",
  },
  about:
    "Planning and answering are separated. Only the planner, which decides on the calls, is trained, with a reward for complete tool use: whether the calls have gathered everything that the question needs. Repeated and incorrect calls cost, and no answer has to be verified. Another model answers from the results. Claimed: 8 to 12% better planning than with training from end to end, and answers better by 5 to 6%.",
  system: planner("RLTR", grpo, {}, toolReward(completeness)),
  ablation: planner(
    "planner with the reward of the answer",
    grpo,
    {},
    toolReward(({ right }) => Number(right)),
  ),
  presupposes: {
    missing: { least: 0.1, because: "where all needed calls are made planning cannot improve" },
  },
  claims: [{ metric: "accuracy", paper: "answers better by 5 to 6%" }],
  deviations: [
    "The initial model answers, as it was after imitation; in the paper the summariser is fine-tuned by itself. Its answers are two tokens each and do not count towards the budget.",
    "A program judges completeness, with knowledge of the needed calls; the paper asks a language model. Completeness is worth 1, a repeated or incorrect call costs 0.1: the sources that were read do not give the paper's weights.",
    "A question that can be answered from memory is complete without a call.",
  ],
  finding: (f) =>
    `Against the best baseline RLTR changes accuracy by ${f.effect(0)} over ${f.count} seeds. It solves ${f.mean("RLTR", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, PPO ${f.mean("PPO", "accuracy")}, a planner with the reward of the answer ${f.mean("planner with the reward of the answer", "accuracy")}). Per question it omits ${f.mean("RLTR", "term/missing")} needed calls (GRPO ${f.mean("GRPO", "term/missing")}) and makes ${f.mean("RLTR", "term/needless")} unneeded ones (GRPO ${f.mean("GRPO", "term/needless")}). With three calls it solves ${f.mean("RLTR", "solved/5")} (GRPO ${f.mean("GRPO", "solved/5")}).`,
});
