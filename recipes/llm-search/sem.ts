import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { byHeart, lookups, paidForAnswer, searching, searchMetrics, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

/** Half of the questions can be answered by heart, half by a search alone. */
const side = wordsSides({ ...searching, played: [1, 2] });
/** A right answer earns nothing where it was searched for and could have been given at once. */
const searchAware = lookups({
  id: "lookups paid by SEM",
  pay: paidForAnswer(({ right, asked, path }) => (right && asked.length && byHeart(path[0]) ? -1 : 0)),
});
const beside = {
  because: "one needless search in ten questions is seen on a bill; three points are not missed",
};
const fewer = { metric: "term/needless", smallest: 0.1, ...beside } as const;
const noWorse = { kind: "no-worse", metric: "accuracy", margin: 0.03, ...beside } as const;

export default recipe({
  id: "sem",
  paper: "SEM: Reinforcement Learning for Search-Efficient Large Language Models",
  source: "arXiv:2505.07903",
  about:
    "A model that is paid for right answers alone goes on searching for what it knows. SEM mixes questions that it can answer at once with questions that need a search, and pays for a right answer without a search, or for one with a search where it was needed; a search for what was known earns nothing. Claimed: far fewer redundant searches, at equal or better accuracy.",
  system: side("SEM", grpo, {}, trainedOn(searchAware)),
  baselines: [side("GRPO", grpo)],
  metrics: {
    ...searchMetrics,
    "term/needless": { about: "searches that were not needed", better: "lower", worst: 5, best: 0 },
  },
  claims: [
    { kind: "joint", of: [fewer, noWorse], ...beside, paper: "far fewer, at equal or better accuracy" },
    { metric: "calls", smallest: 0.1, because: "a fifth of the searches that are needed" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 9000, quick: 1500 },
  minutes: 2,
  deviations: [
    "Twelve names stand for the world: of six a model of one layer knows by heart what belongs to them, of six it is drawn anew in each problem and a tool tells it. They stand for MMLU and MuSiQue, and the model for Qwen2.5-7B and 14B.",
    "Whether a search was needed is known from the name that is asked for. In the paper a first guess, which the template demands, tells it; there is no template here.",
    "The model imitated somebody who looks up three of four things that they know, and guesses two of five that they do not: the habit that the paper finds in models. Answers are right or wrong; the paper's F1 is for longer ones.",
  ],
  tried: [
    "Imitation of 20,000 tokens: calls were not yet written well, and both sides unlearned them.",
    "A teacher who looks up half of what they know: GRPO unlearned needless searches by itself, since answers from memory failed less often.",
  ],
  finding: (f) =>
    `Which questions are known is told to SEM's reward, and shorter conversations give it ${f.mean("SEM", "updates")} updates for as many tokens as GRPO's ${f.mean("GRPO", "updates")}; on questions that need a search it is no better (${f.mean("SEM", "solved/2")} beside ${f.mean("GRPO", "solved/2")}). Fewer needless searches, and accuracy: ${f.effect(0)}; fewer searches of all kinds: ${f.effect(1)}, over ${f.count} seeds. SEM solves ${f.mean("SEM", "accuracy")} with ${f.mean("SEM", "calls")} searches, of which ${f.mean("SEM", "term/needless")} are needless, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")} and ${f.mean("GRPO", "term/needless")}; before it was ${f.mean("GRPO", "before")}. One search for each question that needs one would be 0.5. Of what is known by heart SEM solves ${f.mean("SEM", "solved/1")}, GRPO ${f.mean("GRPO", "solved/1")}: answers that are looked up are misread more often than known ones are forgotten.`,
});
