import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { trails, trailTask } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const rebuilt = wordsSides({ ...trailTask, family: trails({ id: "trails, rebuilt", rebuilt: true }) });
const growing = wordsSides({ ...trailTask, family: trails({ id: "trails" }) });
/** A turn is paid what comes in the end, less the further it is from there, and compared with others of its number. */
const efficient = { credit: "turn", turnDiscount: 0.95 } as const;
const share = { better: "higher", worst: 0, best: 1 } as const;
const points = { smallest: 0.1, because: "two thirds of the paper's mean gain of 14.5 points" };

export default recipe({
  id: "iterresearch",
  paper: "IterResearch: Rethinking Long-Horizon Agents via Markovian State Reconstruction",
  source: "arXiv:2511.07327",
  about:
    "Agents that search long drown in one growing context. IterResearch rebuilds what the model sees in each round from the question, a report that it writes itself and what was found last, so that a state is all that matters, and pays earlier rounds of a long search less (EAPO: the reward times 0.95 for each round until the end). Claimed: much better answers than with one context, the more the longer searches are.",
  system: rebuilt("IterResearch", grpo, efficient),
  baselines: [growing("one context", grpo)],
  ablations: [rebuilt("rebuilt, GRPO", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy on searches of 6 and of 12 pages", ...share },
    "solved/4": { about: "accuracy on searches as long as in training", ...share },
    "solved/5": { about: "accuracy on searches twice as long", ...share },
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
    "A model of one layer stands for Qwen3-30B. It reads its last report and a page well where they always stand in the same places, and hardly finds them in a context that grows, which larger models do: how much is gained here is mostly that.",
    "Pages of one name each that come by themselves, two of them marked, stand for the web; a report is one name. The model does not choose what to search for. Both sides write the same reports; with one context they stand in it too.",
    "Both sides imitated searches of up to six pages for as many tokens, each with the contexts that it has later, by a teacher who errs in a tenth of the turns.",
    "Rounds are compared with those of the same number in other plays, not with all of the group; nothing is left out to fill a number of devices (adaptive downsampling).",
    "Sides are tuned between two learning rates alone, and no further: what imitation left differs by far more than they do.",
  ],
  tried: [
    "Trails in which each turn names what is looked up next beside the report: after 100,000 imitated tokens neither side followed six names.",
    "Imitation of up to four pages alone: 0.67 beside 0.04 with one seed. Six pages are now imitated as well, so that one context is no longer than what was seen.",
    "8,000 tokens in batches of 32 plays: 0.51 and 0.41 beside 0.06 and 0.04 with two seeds. The form that is measured is shorter, in batches of 16.",
  ],
  finding: (f) =>
    `One context hardly learns the task at all (${f.mean("one context", "before")} before reinforcement, ${f.mean("one context", "accuracy")} after it), so that more is shown about a model of one layer than about long searches. IterResearch comes from ${f.mean("IterResearch", "before")} to ${f.mean("IterResearch", "accuracy")}: ${f.effect(0)} more, over ${f.count} seeds. On searches twice as long as in training it is ${f.mean("IterResearch", "solved/5")} beside ${f.mean("one context", "solved/5")} (${f.effect(1)}), on those as long ${f.mean("IterResearch", "solved/4")} beside ${f.mean("one context", "solved/4")} (${f.effect(2)}). Rebuilt contexts with plain GRPO come to ${f.mean("rebuilt, GRPO", "accuracy")}.`,
});
