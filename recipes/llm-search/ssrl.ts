import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { formed, searchMetrics, selfSearched, selfSearching, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** All are measured with the real tool. */
const side = wordsSides(selfSearching);
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
    "Search engines are dear in training. In SSRL the model plays the engine itself: what it looks up it is asked, and what it says to that is what it finds. It is paid for right answers and for their form, a search and then an answer. Claimed: models that were trained so work with a real engine as they are, and reach what training with real searches reaches, without any of them.",
  system: side("SSRL", grpo, {}, trainedOn(selfSearched)),
  baselines: [side("GRPO, real searches", grpo, {}, trainedOn(formed))],
  metrics: {
    ...searchMetrics,
    "solved/1": { about: "accuracy where the model knows the fact as an engine", ...share },
    "solved/2": { about: "accuracy where a real engine alone knows", ...share },
    before: { about: "accuracy before reinforcement", ...share },
  },
  claims: [
    { metric: "accuracy", ...noWorse, paper: "as good as or better than training with real searches" },
    {
      metric: ["accuracy", "before"],
      smallest: 0.1,
      because: "less than a tenth is no transfer to speak of",
      paper: "real searches need no further effort",
    },
    { metric: "solved/1", ...noWorse },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 7000, quick: 1500 },
  minutes: 1,
  deviations: [
    "Twelve names stand for the world, and a model of one layer for Llama 3 and Qwen2.5. Asked as an engine it knows by heart what belongs to six of them; what belongs to the other six is drawn anew in each problem. In training, half of the questions are about either: the paper does not choose questions by what the model knows, but its models know far more of the world than nothing of half of it.",
    "The model that is to answer knows nothing without a search, so that self-search has something to elicit: its teacher searched half of the time and guessed otherwise.",
    "What the model says as an engine is in a conversation of its own, and is learned from as other turns are; its tokens count. In the paper search, information and answer are one text, and information is masked.",
    "The form is paid 0.2 on both sides, so that the engine alone differs. Scaling with repeated sampling (pass@k) is not measured.",
  ],
  tried: [
    "A model that also knows half of the answers without a search: it came to distrust what it finds and to answer by heart (0.45 and 0.78 beside 0.91 and 0.96).",
    "8,000 tokens after 80,000 that were imitated: 0.56 and 0.74 beside 0.84 and 0.81 with two seeds. The form that is measured is shorter.",
  ],
  finding: (f) =>
    `On facts that the model cannot know SSRL comes to ${f.mean("SSRL", "solved/2")} with real searches, GRPO that was trained with them to ${f.mean("GRPO, real searches", "solved/2")}, and the larger learning rates of its grid did worse: with 0.001 it came to 0.27 to 0.53 in development, while it searched as often. On facts that it knows they come to ${f.mean("SSRL", "solved/1")} and ${f.mean("GRPO, real searches", "solved/1")} (${f.effect(2)}). In all SSRL differs by ${f.effect(0)}, over ${f.count} seeds, and from what it was before by ${f.effect(1)}: ${f.mean("SSRL", "before")} became ${f.mean("SSRL", "accuracy")}, and ${f.mean("GRPO, real searches", "accuracy")} with real searches. Both search ${f.mean("SSRL", "calls")} and ${f.mean("GRPO, real searches", "calls")} times a question in the end; SSRL's training made no real search.`,
});
