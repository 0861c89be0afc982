import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import {
  foraging,
  foragingMark,
  lookups,
  paidForAnswer,
  searchMetrics,
  trainedOn,
} from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Questions of three steps, of which the model knows none. */
const side = wordsSides(foraging);
/** The share of the way that was looked up earns half as much as the answer, and each search takes a twentieth of it all. */
const foraged = lookups({
  id: "lookups paid by InForage",
  mark: foragingMark,
  pay: paidForAnswer(({ right, asked, path }) => {
    const needed = [...new Set(path.slice(0, -1))];
    const coverage = needed.filter((name) => asked.includes(name)).length / needed.length;
    return (Number(right) + 0.5 * coverage) * 0.95 ** asked.length - Number(right);
  }, foragingMark),
});

const points = { smallest: 0.05, because: "a reward that must know the evidence should gain a twentieth" };

export default recipe({
  id: "inforage",
  paper: "Scent of Knowledge: Optimizing Search-Enhanced Reasoning with Information Foraging",
  source: "arXiv:2505.09316",
  about:
    "Searching is foraging: each step follows a scent to a patch of information. InForage pays for the answer, for the share of the needed evidence that was found on the way, whatever came of it, and takes a little from both with each step. Claimed: higher accuracy than baselines that are paid for answers alone, most of all on questions of several hops.",
  // R = (outcome + α · coverage) · β^T with T searches.
  system: side("InForage", grpo, {}, trainedOn(foraged)),
  baselines: [side("GRPO", grpo)],
  metrics: searchMetrics,
  claims: [{ metric: "accuracy", ...points, paper: "superior on all question sets" }],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 9000, quick: 1500 },
  minutes: 1,
  deviations: [
    "Names that lead to names in three steps, drawn anew in each problem and told by a tool, stand for questions of several hops and the web; a model of one layer that has imitated one and two steps, with many guesses, stands for Qwen2.5-3B after imitation of people who search.",
    "The weights (0.5 for all of the evidence, a twentieth less with each search) are ours and not tuned. GRPO stands for PPO on both sides.",
    "Evidence is the names on the way; a document is one fact, so that what was looked up is what was found.",
  ],
  tried: ["Two steps that were imitated leave GRPO too little to gain: see IGPO, which has the same task."],
  finding: (f) =>
    `InForage's accuracy differs from GRPO's by ${f.effect(0)}, over ${f.count} seeds. It solves ${f.mean("InForage", "accuracy")} with ${f.mean("InForage", "calls")} searches, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")}; before it was ${f.mean("GRPO", "before")}. Three searches are needed. The share of groups without differences is ${f.mean("InForage", "flat")} with InForage and ${f.mean("GRPO", "flat")} with GRPO.`,
});
