import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { trails, trailTask } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

const rebuilt = languageArms({ ...trailTask, task: trails({ id: "trails, rebuilt", rebuilt: true }) });
const growing = languageArms({ ...trailTask, task: trails({ id: "trails" }) });
/** A turn's reward is the discounted outcome, compared with turns of the same number. */
const efficient = { credit: "turn", turnDiscount: 0.95 } as const;
const share = { better: "higher", worst: 0, best: 1 } as const;
const points = { smallest: 0.1, because: "two thirds of the paper's mean gain of 14.5 points" };

export default recipe({
  id: "iterresearch",
  paper: "IterResearch: Rethinking Long-Horizon Agents via Markovian State Reconstruction",
  source: "arXiv:2511.07327",
  about:
    "Agents with long searches lose track in one growing context. IterResearch rebuilds the context in each round from the question, a report that the model writes, and the latest result, so that the state is Markovian, and discounts the reward of earlier rounds (EAPO: 0.95 per round until the end). Claimed: much better answers than with one context, increasingly so for longer searches.",
  system: rebuilt("IterResearch", grpo, efficient),
  baselines: [growing("one context", grpo)],
  ablations: [rebuilt("rebuilt, GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy on searches of 6 and of 12 pages", ...share },
    "solved/4": { about: "accuracy on searches as long as in training", ...share },
    "solved/5": { about: "accuracy on searches twice as long as in training", ...share },
  },
  claims: [
    { metric: "accuracy", ...points, paper: "14.5 points on average over six benchmarks" },
    { metric: "solved/5", ...points, paper: "3.5% to 42.5% with up to 2048 interactions" },
    { metric: "solved/4", ...points },
  ],
  grid: { learningRate: [5e-4, 1e-3] },
  limits: { learningRate: [5e-4, 1e-3] },
  budget: { unit: "tokens", full: 5000, quick: 1500 },
  minutes: 1,
  deviations: [
    "A one-layer model replaces Qwen3-30B. It reads its last report and a page well at fixed positions, but hardly finds them in a growing context, which larger models do: most of the gain here comes from this.",
    "Pages of one name each that arrive on their own, two of them marked, replace the web; a report is one name. The model does not choose its search queries. Both arms write the same reports; with one context they stay in it.",
    "Both arms are fine-tuned on searches of up to six pages for the same number of tokens, each with its own form of context, by a teacher that errs in a tenth of the turns.",
    "Rounds are compared with those of the same number in other samples, not with the whole group; adaptive downsampling is left out.",
    "Arms are tuned between two learning rates only: fine-tuning makes a far larger difference than they do.",
  ],
  tried: [
    "Trails in which each turn names the next query besides the report: after 100,000 SFT tokens neither arm followed six names.",
    "Fine-tuning on up to four pages only: 0.67 against 0.04 with one seed. Six pages are now included, so that the context of one context is not longer than in training.",
    "8,000 tokens in batches of 32 samples: 0.51 and 0.41 against 0.06 and 0.04 with two seeds. The measured form is shorter, in batches of 16.",
  ],
  finding: (f) =>
    `Rebuilding the context gives much higher accuracy, as claimed. The baseline hardly learns the task at all (${f.mean("one context", "before")} before RL, ${f.mean("one context", "accuracy")} after), so this says more about a one-layer model than about long searches, and tuning ended at the edge of two learning rates. IterResearch goes from ${f.mean("IterResearch", "before")} to ${f.mean("IterResearch", "accuracy")}: ${f.effect(0)} more, over ${f.count} seeds. On searches twice as long as in training it reaches ${f.mean("IterResearch", "solved/5")} against ${f.mean("one context", "solved/5")} (${f.effect(1)}), on searches as long as in training ${f.mean("IterResearch", "solved/4")} against ${f.mean("one context", "solved/4")} (${f.effect(2)}). Rebuilt contexts with plain GRPO reach ${f.mean("rebuilt, GRPO", "accuracy")}: the context makes the difference, not EAPO.`,
});
