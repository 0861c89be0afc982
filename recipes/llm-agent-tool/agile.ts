import { ppo, sft } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { counsel } from "@reins/recipes/conversations";
import { languageArms, untrainedArm } from "@reins/recipes/language";

/** Sessions of four questions; fine-tuning also includes single questions. */
const task = {
  task: counsel({ id: "counsel" }),
  levels: [2, 1],
  played: [2],
  model: { layers: 1, width: 32, imitation: 50_000 },
  score: { problems: 80, looks: 1 },
  quick: { model: { imitation: 6000 } },
};
const arm = languageArms(task);
const share = { better: "higher", worst: 0, best: 1 } as const;
const learning = { envs: 32, epochs: 2, minibatches: 1, gamma: 1, clipNorm: 1 };

export default recipe({
  id: "agile",
  paper: "AGILE: A Novel Reinforcement Learning Framework of LLM Agents",
  source: "arXiv:2405.14751",
  about:
    "A language model answers questions in sessions. With function tokens it reads and writes a memory, and asks an expert at a cost. It is fine-tuned on labelled actions and then trained with PPO over whole sessions; the reward is correct answers minus the cost of advice. Claimed: small models trained with RL do better than large ones without, and RL is indispensable besides memory and advice.",
  system: arm("AGILE", ppo, learning),
  baselines: [arm("imitation alone", sft, { batch: 32 })],
  ablations: [
    untrainedArm({ ...task, name: "always asks", player: "always" }),
    untrainedArm({ ...task, name: "never asks", player: "never" }),
    untrainedArm({ ...task, name: "knows how", player: "best" }),
  ],
  metrics: {
    "term/worth": { about: "correct answers minus cost of advice, per question", ...share },
    "term/accuracy": { about: "share of correct answers", ...share },
    tokens: { about: "tokens per session", better: "lower", worst: 40, best: 1 },
  },
  claims: [
    {
      metric: "term/worth",
      smallest: 0.05,
      because: "a sixth of what the expert's word costs",
      paper: "better than larger agents that are not reinforced",
    },
    { metric: "term/accuracy", smallest: 0.05, because: "one question in twenty" },
  ],
  grid: { learningRate: [5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 10_000, quick: 1000 },
  minutes: 1,
  deviations: [
    "Names with one-token answers replace questions about products and medicine: four that never change and can be memorised, and one per session that only the expert can answer, which is the subject of six in ten questions. A one-layer model replaces 7 and 13 billion weights; there are no tools besides the memory, and no reflection.",
    "The labelled actions come from a teacher that uses all functions, but carelessly, so that further imitation for the same number of tokens replaces agents without RL, GPT-4 among them. The teacher determines the room for improvement.",
    "The expert's answer and retrieved entries are returned as the answer. The session stays in the context, where the paper clears it; a one-layer model hardly uses it there.",
    "The arms that always ask, never ask, and play optimally are programs, shown as ablations.",
  ],
  tried: [
    "After 30,000 SFT tokens few answers were memorised, and PPO learned to ask always (0.69 with one seed); after 70,000, with 20,000 tokens of PPO, it reached 0.83 and 0.88, and imitation 0.59. The measured form is half as long: 0.78 and 0.70 with two seeds.",
  ],
  finding: (f) =>
    `Undecided: the gain of RL over imitation alone has a wide interval on both sides of zero. Tuning went to the edge of its grid, a learning rate of 0.008, where most seeds learn to ask nearly always and a few collapse; in development smaller learning rates and twice the tokens reached 0.83 and 0.88, and the teacher's carelessness bounds imitation. AGILE reaches ${f.mean("AGILE", "term/worth")}, imitation alone ${f.mean("imitation alone", "term/worth")}: ${f.effect(0)} over ${f.count} seeds; always asking ${f.mean("always asks", "term/worth")}, never asking ${f.mean("never asks", "term/worth")}, optimal play ${f.mean("knows how", "term/worth")}. Correct answers rise by ${f.effect(1)}; AGILE asks the expert for ${f.mean("AGILE", "term/advice")} of the questions and recalls ${f.mean("AGILE", "term/recall")}, imitation ${f.mean("imitation alone", "term/advice")} and ${f.mean("imitation alone", "term/recall")}.`,
});
