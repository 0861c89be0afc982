import { arm, traces } from "../testbeds/traces.ts";
import { expo } from "./expo-self-explanation.parts.ts";

export default traces.recipe({
  id: "expo-self-explanation",
  paper: "ExPO: Unlocking Hard Reasoning with Self-Explanation-Guided Reinforcement Learning",
  source: {
    paper: "arXiv:2507.02834",
    equations:
      "the self-explanation c ~ π(c | q, a*) and the supervised term of ExP-GRPO, β log π(c, a* | q), after a public account of the paper",
  },
  about:
    "Where no sample succeeds, GRPO has no signal and demonstrations of experts are unlikely under the policy. ExPO draws reasoning from the policy given the correct answer, and adds its log-likelihood together with the answer to the objective. Claimed: 23% on the hardest level of MATH, where GRPO has 2% and GRPO with expert solutions 12%.",
  system: arm("ExP-GRPO", expo(true)),
  ablation: arm("ExP-GRPO without the answer", expo(false)),
  presupposes: {
    start: { least: 0.3, because: "groups with a success get no explanation" },
    flat: { least: 0.1, because: "groups with a success get no explanation" },
  },
  claims: [
    {
      metric: "area",
      contrast: ["ExP-GRPO", "GRPO with a supervised term"],
      paper: "11 points on the hardest level over expert solutions",
    },
    { metric: "area", contrast: ["ExP-GRPO", "GRPO"], paper: "21 points on the hardest level" },
  ],
  deviations: [
    "The model cannot read an answer in its prompt. The reasoning given the answer is drawn from that of the group's own samples, in proportion to the probability of the answer after it, which is the same distribution for large groups. It costs no tokens; in the paper it is sampled.",
    "β is 1 and constant; in the paper it may fall. Explanations are for groups without a success only.",
  ],
  finding: (f) =>
    `Against GRPO with expert traces ExP-GRPO changes accuracy over training by ${f.effect(0)}, against GRPO by ${f.effect(1)}, over ${f.count} seeds. Final accuracy is ${f.mean("ExP-GRPO", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, without the answer ${f.mean("ExP-GRPO without the answer", "accuracy")}), on ten digits ${f.mean("ExP-GRPO", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}).`,
});
