import { ppo, sft } from "@reins/algorithms";
import { recipe } from "@reins/recipes";
import { counsel } from "@reins/recipes/talks";
import { stillSide, wordsSides } from "@reins/recipes/words";

/** Sessions of four questions; single questions are imitated as well. */
const task = {
  family: counsel({ id: "counsel" }),
  levels: [2, 1],
  played: [2],
  model: { layers: 1, width: 32, imitation: 50_000 },
  score: { problems: 80, looks: 1 },
  quick: { model: { imitation: 6000 } },
};
const side = wordsSides(task);
const share = { better: "higher", worst: 0, best: 1 } as const;
const learning = { envs: 32, epochs: 2, minibatches: 1, gamma: 1, clipNorm: 1 };

export default recipe({
  id: "agile",
  paper: "AGILE: A Novel Reinforcement Learning Framework of LLM Agents",
  source: "arXiv:2405.14751",
  about:
    "A language model answers questions in sessions. By words that stand for functions it retrieves and writes a memory, and asks an expert, which costs something. It imitates labelled actions and is then reinforced by PPO over whole sessions: right answers less the price of advice. Claimed: small models that were reinforced so do better than large ones that were not, and reinforcement is indispensable beside memory and advice.",
  system: side("AGILE", ppo, learning),
  baselines: [side("imitation alone", sft, { batch: 32 })],
  ablations: [
    stillSide({ ...task, name: "always asks", player: "always" }),
    stillSide({ ...task, name: "never asks", player: "never" }),
    stillSide({ ...task, name: "knows how", player: "best" }),
  ],
  metrics: {
    "term/worth": { about: "right answers less the price of advice, a question", ...share },
    "term/accuracy": { about: "right answers", ...share },
    tokens: { about: "tokens of a session", better: "lower", worst: 40, best: 1 },
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
    "Names with answers of one token stand for questions about products and medicine: four that are always the same and can be known by heart, and one in each session that only the expert knows, asked about in six of ten questions. A model of one layer stands for 7 and 13 billion weights; there are neither tools beside the memory nor reflection.",
    "The labelled actions are those of somebody who knows all functions and uses them carelessly, so that imitation alone, which goes on for as many tokens, stands for agents that are not reinforced, GPT-4 among them. How much there is to gain is up to that teacher.",
    "The expert's word and what is retrieved are passed on as the answer. What was said stays in view for the session, where the paper clears it; a model of one layer hardly finds it there.",
    "Those who always and never ask, and who knows how, are programs, shown beside the claims.",
  ],
  tried: [
    "After 30,000 imitated tokens little was known by heart, and PPO came to ask always (0.69 with one seed); after 70,000, with 20,000 tokens of PPO, it came to 0.83 and 0.88, and imitation to 0.59. The form that is measured is half as long: 0.78 and 0.70 with two seeds.",
  ],
  finding: (f) =>
    `Tuning went to the edge of its grid, a learning rate of 0.008, where most seeds come to ask nearly always and a few break down: always asking would be worth more, and in development smaller steps and twice the tokens came to 0.83 and 0.88. The teacher's carelessness bounds imitation, and who knows how would come to ${f.mean("knows how", "term/worth")}: AGILE leaves a part of that. It comes to ${f.mean("AGILE", "term/worth")}, imitation alone to ${f.mean("imitation alone", "term/worth")}: ${f.effect(0)} over ${f.count} seeds; always asking to ${f.mean("always asks", "term/worth")}, never asking to ${f.mean("never asks", "term/worth")}. Right answers rise by ${f.effect(1)}; AGILE asks for ${f.mean("AGILE", "term/advice")} of the questions and recalls ${f.mean("AGILE", "term/recall")}, imitation ${f.mean("imitation alone", "term/advice")} and ${f.mean("imitation alone", "term/recall")}.`,
});
