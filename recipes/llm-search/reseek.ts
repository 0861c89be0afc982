import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { sources, sourcesTask, trainedOn } from "@reins/recipes/talks";
import { wordsSides } from "@reins/recipes/words";

const judging = wordsSides({ ...sourcesTask, family: sources({ id: "sources, judged", judged: true }) });
const answering = wordsSides({ ...sourcesTask, family: sources({ id: "sources" }) });
/** A judgement earns 0.2 where it is right, and loses as much where it is wrong. */
const instructed = sources({ id: "sources, judged and instructed", judged: true, instructive: 0.2 });
/** In 47 of a thousand problems nobody who knows is found, and one of six guesses is right. */
const share = { better: "higher", worst: 0, best: 0.96 } as const;
const points = { smallest: 0.05, because: "one question in twenty is worth a judgement of each document" };

export default recipe({
  id: "reseek",
  paper: "ReSeek: A Self-Correcting Framework for Search Agents with Instructive Rewards",
  source: "arXiv:2510.00568",
  about:
    "Search agents that are paid for answers alone follow what they found first, though it misleads. In ReSeek an agent judges what each search found: what is good stays, what is bad is left out of all that it sees later, and it searches again. Beside the answer, judgements are paid that agree with whether the document was useful. Claimed: more questions are answered, and answers rest on useful documents more often.",
  system: judging("ReSeek", grpo, {}, trainedOn(instructed)),
  baselines: [answering("GRPO", grpo)],
  ablations: [judging("JUDGE, outcomes alone", grpo)],
  metrics: {
    accuracy: { about: "held-out accuracy", ...share },
    "term/faithful": { about: "right answers that rest on a useful document", ...share, best: 0.95 },
    "term/searches": { about: "documents that were looked at", better: "lower", worst: 6, best: 1 },
  },
  claims: [
    { metric: "accuracy", ...points, paper: "0.377 beside 0.346 on average, of eight question sets" },
    { metric: "term/faithful", ...points, paper: "path faithfulness is higher" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 8500, quick: 1500 },
  minutes: 1,
  deviations: [
    "Six names and four who say them, of whom two always know and two name anything, stand for questions of several hops and the web; a model of one layer for Qwen2.5 of 3 and 7 billion weights. Up to six documents come one after another: the model chooses whether to search again, not what for. Who is to be trusted is the same in all problems, and can be learned by heart.",
    "A judgement is the first letter of the turn that answers or searches again. Each side imitated as many tokens in its own form, of somebody who takes four of ten documents for what they are not. With GRPO all documents stay in sight, with ReSeek the last alone, since the others were judged to be bad.",
    "Whether a document is useful is known from who says it; in the paper a model compares it with the right answer. The published program pays 0.1 for a good document that is taken for good and takes 0.05 for a mistake, a fifth of that reward for a bad one; here all count 0.2, which was not tuned. As there, they are added to the reward of the whole play.",
  ],
  tried: [
    "A teacher who judges by chance, with judgements and answers in turns of their own: after 8,000 tokens ReSeek went from 0.46 to 0.49 and GRPO to 0.75; with 30,000 ReSeek came to 0.84. In one turn it came to 0.68 and 0.55 with two seeds, GRPO to 0.81 and 0.83: a context of one document had not taught the model to look at who says it.",
    "A teacher who errs in four of ten, and up to four documents: 0.78, 0.83 and 0.78 beside 0.77, 0.64 and 0.58 at 0.001, where 0.89 is the most.",
    "The form that is measured: 0.83, 0.82 and 0.86 beside 0.75, 0.65 and 0.74 at 0.001, 0.79, 0.79 and 0.81 beside 0.82, 0.62 and 0.85 at 0.0005. Judgements that are not paid did as well as paid ones.",
  ],
  finding: (f) =>
    `What judgements are paid hardly matters: without it, with ReSeek's learning rate and five seeds of each block, accuracy is ${f.mean("JUDGE, outcomes alone", "accuracy")}, where ReSeek has 0.84 with the same seeds. Whether it gains because bad documents are out of sight was not taken apart; in contexts that grow, GRPO broke down now and then at half of the learning rate that ReSeek was tuned to. ReSeek's accuracy differs from GRPO's by ${f.effect(0)}, right answers that rest on a useful document by ${f.effect(1)}, over ${f.count} seeds, with which an effect of 0.05 cannot be told from none: from ${f.mean("ReSeek", "before")} it comes to ${f.mean("ReSeek", "accuracy")} with ${f.mean("ReSeek", "term/searches")} documents and ${f.mean("ReSeek", "updates")} updates, GRPO from ${f.mean("GRPO", "before")} to ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "term/searches")} and ${f.mean("GRPO", "updates")}.`,
});
