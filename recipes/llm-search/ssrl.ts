import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { formed, searchMetrics, selfSearched, selfSearching, trainOn } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** All arms are evaluated with the real tool. */
const arm = languageArms(selfSearching);
const share = { better: "higher", worst: 0, best: 1 } as const;
const noWorse = {
  kind: "no-worse",
  margin: 0.05,
  because: "one question in twenty for all searches",
} as const;

export default recipe({
  id: "ssrl",
  paper: "SSRL: Self-Search Reinforcement Learning",
  source: "arXiv:2508.10874",
  about:
    "Search engines are expensive in training. In SSRL the model simulates the engine: it receives its own query and its reply is the search result. It is rewarded for correct answers and their format, a search followed by an answer. Claimed: models trained this way work with a real engine unchanged, and match training with real searches without making any.",
  system: arm("SSRL", grpo, {}, trainOn(selfSearched)),
  baselines: [arm("GRPO, real searches", grpo, {}, trainOn(formed))],
  metrics: {
    ...searchMetrics,
    "solved/1": { about: "accuracy on facts memorised by the simulated engine", ...share },
    "solved/2": { about: "accuracy on facts that only a real engine has", ...share },
    before: { about: "held-out accuracy before RL", ...share },
  },
  claims: [
    { metric: "accuracy", ...noWorse, paper: "as good as or better than training with real searches" },
    {
      metric: ["accuracy", "before"],
      smallest: 0.1,
      because: "less than a tenth is not a useful transfer",
      paper: "real searches need no further effort",
    },
    { metric: "solved/1", ...noWorse },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 7000, quick: 1500 },
  minutes: 1,
  deviations: [
    "Twelve names replace the world, and a one-layer model replaces Llama 3 and Qwen2.5. As an engine it has memorised the facts about six names; those about the other six are drawn anew in each problem. Training questions are half about either: the paper does not choose questions by the model's knowledge, but its models are familiar with far more than half of the world.",
    "The answering model has no facts without a search, so that self-search has something to elicit: its teacher searched half of the time and guessed otherwise.",
    "The model's replies as an engine are a separate conversation and are trained on like other turns; their tokens count. In the paper search, information and answer are one text, and information is masked from the loss.",
    "The format reward is 0.2 in both arms, so that only the engine differs. Scaling with repeated sampling (pass@k) is not measured.",
  ],
  tried: [
    "A model that has also memorised half of the answers without a search: it learned to distrust search results and to answer from memory (0.45 and 0.78 against 0.91 and 0.96).",
    "8,000 tokens after 80,000 SFT tokens: 0.56 and 0.74 against 0.84 and 0.81 with two seeds. The measured form is shorter.",
  ],
  finding: (f) =>
    `Self-search transfers to a real engine, as claimed; whether it matches training with real searches is undecided, and the estimate is below the margin. On facts that the model cannot have memorised SSRL reaches ${f.mean("SSRL", "solved/2")} with real searches, GRPO trained with them ${f.mean("GRPO, real searches", "solved/2")}; larger learning rates did worse (0.27 to 0.53 with 0.001 in development, with as many searches). On memorised facts they reach ${f.mean("SSRL", "solved/1")} and ${f.mean("GRPO, real searches", "solved/1")} (${f.effect(2)}). Overall SSRL differs by ${f.effect(0)}, over ${f.count} seeds, and from its initial accuracy by ${f.effect(1)}: from ${f.mean("SSRL", "before")} it reaches ${f.mean("SSRL", "accuracy")}, and ${f.mean("GRPO, real searches", "accuracy")} with real searches. They make ${f.mean("SSRL", "calls")} and ${f.mean("GRPO, real searches", "calls")} searches per question at the end; SSRL's training made no real search.`,
});
