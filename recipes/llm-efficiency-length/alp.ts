import { grpo } from "@reins/algorithms";
import { overthoughtSums } from "@reins/language";
import { recipe } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";

/** Adding three, four or six digits with reasoning. No scale: division by the group's standard deviation would equalise penalties. */
const arm = languageArms({
  task: overthoughtSums,
  levels: [2, 3, 5],
  model: { width: 32, imitation: 110_000 },
  options: { groups: 16, groupSize: 8, epochs: 1, minibatches: 4, clipNorm: 1, scale: "none" },
  score: { problems: 400, looks: 2 },
  quick: { model: { layers: 1, imitation: 9000 } },
});
const share = { better: "higher", worst: 0, best: 1 } as const;
const beside = { contrast: ["ALP", "GRPO"], because: "a fifth less work for at most three points" } as const;
const fewer = { kind: "ratio", metric: "tokens", smallest: 1.2, ...beside } as const;
const noWorse = { kind: "no-worse", metric: "accuracy", margin: 0.03, ...beside } as const;
const hard = {
  contrast: ["ALP", "equal price"],
  because: "a smaller difference is not a reason to choose a price",
} as const;

export default recipe({
  id: "alp",
  paper: "Just Enough Thinking: Efficient Reasoning with Adaptive Length Penalties Reinforcement Learning",
  source: "arXiv:2506.05256",
  about:
    "RL on correct answers alone lets a model reason at any length, also about easy problems. ALP subtracts a penalty per token that is proportional to the problem's solve rate within the group (at least one sample's worth): easy problems must be answered briefly, hard ones may take longer. Claimed: half the tokens without a significant loss of accuracy, and more accuracy on the hardest problems than with a uniform penalty.",
  // r = [right] - β / N · max(p_solved, 1 / K) · |y|: β is lengthWeight, N the full length, K the group size.
  system: arm("ALP", grpo, { lengthBy: "rate", lengthWeight: 0.3 }),
  baselines: [arm("GRPO", grpo), arm("equal price", grpo, { lengthBy: "all", lengthWeight: 0.3 })],
  metrics: {
    accuracy: { about: "held-out accuracy", ...share },
    tokens: { about: "tokens per answer", better: "lower", worst: 14, best: 3 },
    "solved/5": { about: "accuracy at six digits, the hardest problems", ...share },
  },
  claims: [
    { kind: "joint", of: [fewer, noWorse], because: "short is not enough", paper: "half, no clear loss" },
    { metric: "solved/5", smallest: 0.05, ...hard, paper: "more accuracy on the hardest problems" },
  ],
  grid: { learningRate: [1e-4, 2e-4, 4e-4, 8e-4] },
  budget: { unit: "tokens", full: 60_000, quick: 2400 },
  minutes: 8,
  deviations: [
    "A two-layer transformer that adds three, four or six digits modulo 5, with partial sums as reasoning, replaces DeepScaleR-1.5B on competition mathematics. Continuing after the last digit represents overthinking; stopping there would leave 7.3 tokens, so that a ratio of about 1.4 is the most that can be gained without guessing.",
    "Both penalties are 0.3 for an answer of full length and are not tuned: tuned on accuracy they would vanish, tuned on tokens they would rise until nothing is solved. ALP's is scaled by the solve rate, so it is the lower one. The paper's constant is for thousands of tokens.",
    "Arms are tuned on accuracy. Final tokens and accuracy are of 400 problems of each length, with sampled answers.",
  ],
  tried: [
    "Two to eight digits modulo 10, 300,000 SFT tokens: a ratio of 1.5 (the recorded history), but all lengths were solved equally often, so penalties hardly differed, and division by the group's standard deviation removed them.",
    "Digits up to 2 modulo 10: all are solved without reasoning, and all penalties led to three tokens. Digits up to 4 modulo 5: accuracy was too low after 80,000 tokens. Nine cells instead of eleven: too little to shorten.",
    "A penalty of 0.15 shortened answers by less than a twentieth with two seeds; a learning rate of 0.001 forgot the sums.",
  ],
  finding: (f) =>
    `ALP shortens answers at equal accuracy; the size of the saving is open. Its advantage over a uniform penalty on the hardest problems is undecided. Against GRPO, tokens and accuracy: ${f.effect(0)}; against a uniform penalty at six digits ${f.effect(1)}, over ${f.count} seeds. ALP answers in ${f.mean("ALP", "tokens")} tokens and solves ${f.mean("ALP", "accuracy")}, GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, a uniform penalty ${f.mean("equal price", "tokens")} and ${f.mean("equal price", "accuracy")}; accuracy before RL was ${f.mean("ALP", "before")}. With ALP three digits take ${f.mean("ALP", "tokens/2")} tokens and six ${f.mean("ALP", "tokens/5")}, with a uniform penalty ${f.mean("equal price", "tokens/2")} and ${f.mean("equal price", "tokens/5")}; ALP solves ${f.mean("ALP", "solved/2")} of three digits and ${f.mean("ALP", "solved/5")} of six, so its penalties differ by this ratio.`,
});
