import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { sources, sourcesTask, trainOn } from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

const judging = languageArms({ ...sourcesTask, task: sources({ id: "sources, judged", judged: true }) });
const answering = languageArms({ ...sourcesTask, task: sources({ id: "sources" }) });
/** A judgement earns 0.2 if it is correct and -0.2 otherwise. */
const instructed = sources({ id: "sources, judged and instructed", judged: true, instructive: 0.2 });
/** In 47 of a thousand problems no reliable source is found, and one of six guesses is correct. */
const share = { better: "higher", worst: 0, best: 0.96 } as const;
const points = { smallest: 0.05, because: "one question in twenty is worth a judgement of each document" };

export default recipe({
  id: "reseek",
  paper: "ReSeek: A Self-Correcting Framework for Search Agents with Instructive Rewards",
  source: "arXiv:2510.00568",
  about:
    "Search agents with a reward for answers alone follow the first result even where it misleads. In ReSeek an agent judges each search result: good ones stay, bad ones are removed from the context, and it searches again. Judgements that agree with the document's usefulness are rewarded in addition to the answer. Claimed: more questions are answered, and answers rest on useful documents more often.",
  system: judging("ReSeek", grpo, {}, trainOn(instructed)),
  baselines: [answering("GRPO", grpo)],
  ablations: [judging("JUDGE, outcomes alone", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", ...share },
    "term/faithful": {
      about: "share of correct answers that rest on a useful document",
      ...share,
      best: 0.95,
    },
    "term/searches": { about: "documents retrieved per question", better: "lower", worst: 6, best: 1 },
  },
  claims: [
    { metric: "accuracy", ...points, paper: "0.377 beside 0.346 on average, of eight question sets" },
    { metric: "term/faithful", ...points, paper: "path faithfulness is higher" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 8500, quick: 1500 },
  minutes: 1,
  deviations: [
    "Six names and four sources, of which two are always correct and two are random, replace multi-hop questions and the web; a one-layer model replaces Qwen2.5 of 3 and 7 billion weights. Up to six documents come one after another: the model chooses whether to search again, not the query. The reliable sources are the same in all problems and can be memorised.",
    "A judgement is the first letter of the turn that answers or searches again. Each arm is fine-tuned on the same number of tokens in its own format, on a teacher that misjudges four of ten documents. With GRPO all documents stay in the context, with ReSeek only the last one, since the others were judged to be bad.",
    "A document's usefulness follows from its source; in the paper a model compares it with the correct answer. The published program gives 0.1 for a good document judged as good and -0.05 for a mistake, and a fifth of that reward for a bad one; here all have weight 0.2, which was not tuned. As in the program, they are added to the reward of the whole sample.",
  ],
  tried: [
    "A teacher that judges at random, with judgements and answers in separate turns: after 8,000 tokens ReSeek went from 0.46 to 0.49 and GRPO to 0.75; with 30,000 ReSeek reached 0.84. In one turn it reached 0.68 and 0.55 with two seeds, GRPO 0.81 and 0.83: a context of one document had not taught the model to attend to the source.",
    "A teacher that errs in four of ten, and up to four documents: 0.78, 0.83 and 0.78 against 0.77, 0.64 and 0.58 at 0.001, where 0.89 is the maximum.",
    "The measured form: 0.83, 0.82 and 0.86 against 0.75, 0.65 and 0.74 at 0.001, 0.79, 0.79 and 0.81 against 0.82, 0.62 and 0.85 at 0.0005. Judgements without a reward did as well as rewarded ones.",
  ],
  finding: (f) =>
    `ReSeek is more accurate than GRPO, and its answers rest on useful documents more often; the size of both effects is open. The reward for judgements hardly matters: without it, with ReSeek's learning rate and five seeds of each block, accuracy is ${f.mean("JUDGE, outcomes alone", "accuracy")}, where ReSeek has 0.84 on the same seeds. Whether the gain comes from removing bad documents was not tested separately, arms start at different accuracy, and in growing contexts GRPO collapsed now and then at half of ReSeek's tuned learning rate. Accuracy differs by ${f.effect(0)}, correct answers that rest on a useful document by ${f.effect(1)}, over ${f.count} seeds, too few to tell an effect of 0.05 from none: from ${f.mean("ReSeek", "before")} ReSeek reaches ${f.mean("ReSeek", "accuracy")} with ${f.mean("ReSeek", "term/searches")} documents and ${f.mean("ReSeek", "updates")} updates, GRPO goes from ${f.mean("GRPO", "before")} to ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "term/searches")} and ${f.mean("GRPO", "updates")}.`,
});
