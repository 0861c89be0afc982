import { grpo, rejection } from "@reins/algorithms";
import { scoreOf } from "@reins/core/episodes";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { patterns } from "@reins/language/tasks";
import { recipe } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";

/** Likelihood of correct answers, and of wrong ones under the implicit negative policy with this weight. */
const nft = (wrong: number) =>
  grpo.with("nft", {
    loss: losses.negativeAware({ wrong }),
    target(batch, _rewards, judged) {
      const right = judged.map((j) => Number(scoreOf(j) >= 1));
      // r_q, the problem's solve rate.
      const rate = targets.groupMeans(right, targets.groupsOf(batch));
      return { right: targets.spread(right, batch), rate: targets.spread(rate, batch) };
    },
  });

/** Three letters that match a pattern such as [ab][ab]d. Most problems have several correct answers. */
const arm = languageArms({
  task: patterns,
  levels: [1],
  model: { width: 32, limit: 8, imitation: 40_000 },
  wholly: true,
  options: { groups: 16, groupSize: 8, minibatches: 2, epochs: 1, clipNorm: 1 },
  score: { problems: 400, looks: 5 },
  quick: { model: { imitation: 12_000 } },
});
const points = { metric: "area", because: "less than two points of accuracy is not worth another loss" };

export default recipe({
  id: "nft",
  paper: "Bridging Supervised Learning and Reinforcement Learning in Math Reasoning",
  source: "arXiv:2505.18116",
  about:
    "Rejection fine-tuning imitates a model's own correct answers and discards the wrong ones. NFT learns from both by likelihood: the behaviour policy is a mixture of a positive policy, which is trained, and a negative one, so the negative likelihood follows from the positive one and the problem's solve rate. On-policy, its gradient equals GRPO's. Claimed: significantly better than rejection fine-tuning, and as good as GRPO and DAPO or better.",
  system: arm("NFT", nft(1), { filter: "flat" }),
  baselines: [arm("rejection", rejection), arm("Dr. GRPO", grpo, { scale: "none" })],
  ablations: [arm("NFT without wrong answers", nft(0), { filter: "flat" })],
  metrics: { area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 } },
  claims: [
    { ...points, contrast: ["NFT", "rejection"], smallest: 0.02, paper: "significant, at 7B and 32B" },
    { ...points, contrast: ["NFT", "Dr. GRPO"], kind: "no-worse", margin: 0.02, paper: "as good or better" },
  ],
  grid: { learningRate: [2.5e-4, 5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 25_000, quick: 2400 },
  minutes: 7,
  deviations: [
    "A two-layer transformer that writes three letters matching a pattern replaces models of 7B and 32B on competition mathematics. Correct answers have several forms there as here.",
    "Ratios are per token, the negative ratio is bounded at 1, a problem is weighted by its failure rate, and problems that are always or never solved are left out: the settings of the public code. A batch is used in two minibatches, not in sixteen, so that little is off-policy.",
    "Dr. GRPO is GRPO without division by the standard deviation, whose gradient NFT has with this weight. Rejection fine-tuning imitates all correct answers, also of problems that are always solved; NFT without wrong answers is the paper's own form of it.",
    "The score is the mean of five evaluations during training, of 400 problems each, with sampled answers: speed and final accuracy both count.",
  ],
  tried: [
    "Letters that meet two conditions, 800,000 SFT tokens: ahead of rejection by 0.013 (the recorded history); fine-tuning took a minute, too long for a separate model per seed. With 100,000 tokens accuracy was 0.005.",
    "Sorting letters and adding digits, with one correct answer: NFT was not ahead, and behind where the model still gained by imitation. The first two levels of patterns, 60,000 SFT tokens: no clear order of the arms with three seeds in all.",
  ],
  finding: (f) =>
    `The evidence is against the claim: NFT falls behind rejection fine-tuning. The comparison is nearly on-policy: a batch is used in two minibatches, not in sixteen. Against rejection fine-tuning ${f.effect(0)}, against Dr. GRPO ${f.effect(1)} over ${f.count} seeds. From ${f.mean("NFT", "before")} NFT reaches ${f.mean("NFT", "accuracy")} at the end, rejection ${f.mean("rejection", "accuracy")}, Dr. GRPO ${f.mean("Dr. GRPO", "accuracy")}; without wrong answers NFT has ${f.mean("NFT without wrong answers", "area")} over training. Final token entropy is ${f.mean("NFT", "entropy")} with NFT and ${f.mean("rejection", "entropy")} with rejection; ${f.mean("NFT", "flat")} of NFT's groups were left out.`,
});
