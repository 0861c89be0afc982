import { grpo } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import {
  answerReward,
  fromMemory,
  lookups,
  searching,
  searchMetrics,
  trainOn,
} from "@reins/recipes/conversations";
import { languageArms } from "@reins/recipes/language";

/** Half of the questions can be answered from memory, half only with a search. */
const arm = languageArms({ ...searching, played: [1, 2] });
/** A correct answer earns nothing after a needless search. */
const searchAware = lookups({
  id: "lookups paid by SEM",
  turnReward: answerReward(({ right, asked, path }) =>
    right && asked.length && fromMemory(path[0]) ? -1 : 0,
  ),
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
    "A model with a reward for correct answers alone keeps searching for facts that it has memorised. SEM mixes questions that it can answer at once with questions that need a search, and rewards a correct answer without a search, or with a search where it was needed; a needless search earns nothing. Claimed: far fewer redundant searches, at equal or better accuracy.",
  system: arm("SEM", grpo, {}, trainOn(searchAware)),
  baselines: [arm("GRPO", grpo)],
  metrics: {
    ...searchMetrics,
    "term/needless": { about: "needless searches per question", better: "lower", worst: 5, best: 0 },
  },
  claims: [
    { kind: "joint", of: [fewer, noWorse], ...beside, paper: "far fewer, at equal or better accuracy" },
    { metric: "calls", smallest: 0.1, because: "a fifth of the searches that are needed" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 9000, quick: 1500 },
  minutes: 2,
  deviations: [
    "Twelve names replace the world: a one-layer model has memorised the facts about six of them, and those about the other six are drawn anew in each problem and returned by a tool. They replace MMLU and MuSiQue, and the model replaces Qwen2.5-7B and 14B.",
    "Whether a search was needed follows from the queried name. In the paper a first guess, which the template demands, decides it; this task has no template.",
    "The model is fine-tuned on a teacher that looks up three of four memorised facts, and guesses two of five others: the habit that the paper finds in models. Answers are correct or wrong; the paper's F1 is for longer ones.",
  ],
  tried: [
    "20,000 SFT tokens: calls were not yet well formed, and both arms unlearned them.",
    "A teacher that looks up half of the memorised facts: GRPO unlearned needless searches without help, since answers from memory failed less often.",
  ],
  finding: (f) =>
    `SEM removes most needless searches without losing accuracy, as claimed. Its reward is given which questions need a search, shorter conversations give it ${f.mean("SEM", "updates")} updates for as many tokens as GRPO's ${f.mean("GRPO", "updates")}, and on questions that need a search it is not better (${f.mean("SEM", "solved/2")} against ${f.mean("GRPO", "solved/2")}). Fewer needless searches, and accuracy: ${f.effect(0)}; fewer searches overall: ${f.effect(1)}, over ${f.count} seeds. SEM solves ${f.mean("SEM", "accuracy")} with ${f.mean("SEM", "calls")} searches, of which ${f.mean("SEM", "term/needless")} are needless, GRPO ${f.mean("GRPO", "accuracy")} with ${f.mean("GRPO", "calls")} and ${f.mean("GRPO", "term/needless")}; accuracy before RL was ${f.mean("GRPO", "before")}. One search for each question that needs one would be 0.5. Of memorised facts SEM solves ${f.mean("SEM", "solved/1")}, GRPO ${f.mean("GRPO", "solved/1")}: retrieved answers are misread more often than memorised ones are forgotten.`,
});
