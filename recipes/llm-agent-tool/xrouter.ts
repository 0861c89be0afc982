import { grpo } from "@reins/algorithms";
import { fewerCalls } from "../shared/tool-claims.ts";
import { toolReward } from "../shared/tool-rewards.ts";
import { arm, tools } from "../testbeds/tools.ts";
import { charged, successGated } from "./xrouter.parts.ts";

const options = { clipHigh: 0.28, filter: "refill", aggregation: "token" } as const;

export default tools.recipe({
  id: "xrouter",
  paper: "xRouter: Training Cost-Aware LLMs Orchestration System via Reinforcement Learning",
  source: {
    paper: "arXiv:2510.08439",
    code: "SalesforceAIResearch/xRouter",
    equations: "the reward in async_dapo.py, with the settings of example_singlenode_router1.sh",
  },
  about:
    "A model answers by itself or calls tools that cost money. Its reward is that of the answer, times one minus the cost of its calls: success comes first, and among successes the cheap ones are worth more, while a wrong answer is worth nothing, whatever it cost. DAPO trains it. Claimed: substantially lower costs at comparable completion.",
  system: arm("xRouter", grpo, options, toolReward(successGated)),
  ablation: arm("xRouter without the gate", grpo, options, toolReward(charged)),
  presupposes: {
    unneeded: { least: 0.1, because: "where all calls are needed there is none to save" },
  },
  claims: [fewerCalls("substantially lower costs at comparable completion, without figures in the abstract")],
  deviations: [
    "Tools are two tables, each of whose calls costs a tenth of a correct answer; in the paper they are language models whose calls cost three times their price in dollars. The most that calls can cost is 0.8 in both.",
    "A group is replaced if its rewards are equal, costs included; the authors compare the same quantity. Groups have eight samples in place of four.",
  ],
  finding: (f) =>
    `Against the best baselines of calls and of accuracy xRouter changes them by ${f.effect(0)}, over ${f.count} seeds. It makes ${f.mean("xRouter", "term/calls")} calls per question, of which ${f.mean("xRouter", "term/needless")} are unneeded, at an accuracy of ${f.mean("xRouter", "accuracy")} (GRPO ${f.mean("GRPO", "term/calls")}, ${f.mean("GRPO", "term/needless")} and ${f.mean("GRPO", "accuracy")}; PPO ${f.mean("PPO", "term/calls")}, ${f.mean("PPO", "term/needless")} and ${f.mean("PPO", "accuracy")}; without the gate ${f.mean("xRouter without the gate", "term/calls")}, ${f.mean("xRouter without the gate", "term/needless")} and ${f.mean("xRouter without the gate", "accuracy")}). It omits ${f.mean("xRouter", "term/missing")} needed calls (GRPO ${f.mean("GRPO", "term/missing")}).`,
});
