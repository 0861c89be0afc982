import { grpo, sft } from "@reins/algorithms";
import { textStage } from "@reins/language";
import { recipe } from "@reins/recipes";
import { streams } from "@reins/recipes/talks";
import { stillSide, wordsSides } from "@reins/recipes/words";

const lengths = [8, 104]; // Of streams that are learned from, and of those that are 13 times as long.
const ruled = streams({ id: "streams-append", teacher: "append", lengths });
const score = { levels: [2, 3], problems: 12, looks: 1 };
const model = { layers: 1, width: 32, imitation: 50_000 };
const family = streams({ id: "streams", lengths });
const task = { family, levels: [1], played: [2], model, score, quick: { model: { imitation: 6000 } } };
const beside = wordsSides({
  ...task,
  change: (stage, options) => ({ ...stage, show: textStage({ ...options, family: ruled }).show }),
});
const share = { better: "higher", worst: 0, best: 1 } as const;
const because = "one question in ten is what a user would notice";
const least = { smallest: 0.1, because, contrast: ["Mem-α", "instructed"] } as const;

export default recipe({
  id: "mem-alpha",
  paper: "Mem-α: Learning Memory Construction via Reinforcement Learning",
  source: "arXiv:2509.25911",
  about:
    "An agent reads a stream piece by piece and sees only the piece and its memory, which it changes by tools. Mem-α reinforces what it writes and deletes by how many questions about the whole stream can be answered from the memory in the end. Claimed: much better than agents whose memory follows instructions that are given beforehand, also on streams 13 times as long as any that was learned from.",
  system: wordsSides(task)("Mem-α", grpo, { groups: 4, plays: 8, epochs: 1, clipNorm: 1 }),
  baselines: [beside("instructed", sft, { batch: 64 })],
  ablations: [
    stillSide({ ...task, name: "append", player: "append" }),
    stillSide({ ...task, name: "newest", player: "newest" }),
    stillSide({ ...task, name: "not trained" }),
  ],
  metrics: {
    "term/worth/3": { about: "questions answered after streams 13 times as long", ...share },
    "term/worth/2": { about: "questions answered after streams as long as in training", ...share },
    "term/worth": { about: "questions answered", ...share },
    tokens: { about: "tokens that are written for a stream", better: "lower", worst: 350, best: 1 },
  },
  tuneOn: "term/worth",
  claims: [
    { metric: "term/worth/3", ...least, paper: "large gains; trained on 30k tokens, tested on 400k" },
    { metric: "term/worth/2", ...least },
  ],
  grid: { learningRate: [1e-3, 2e-3, 4e-3] },
  budget: { unit: "tokens", full: 15_000, quick: 1000 },
  minutes: 3,
  deviations: [
    "Facts of one token (three values of each of six names, of which three are asked about) and a memory of three places stand for books and dialogues and for core, episodic and semantic memories; writing again updates, and deletion takes the oldest. A model of one layer stands for Qwen3-4B.",
    "Those who follow instructions are a model that was taught to write all that there is room for, for as many tokens and with a learning rate of its own, and, beside the claims, two rules that are programs: no retriever, no long context, and no memory that is written anew as a whole (MemAgent, MEM1).",
    "A program answers the questions from the memory, in the place of a frozen larger model. Of the paper's reward there is the accuracy alone: nothing for the form of calls, for short memories or for their content.",
  ],
  tried: [
    "Two facts at a time, and decisions (write, leave) in the place of the fact's own letter: reinforcement came no further than writing everything.",
    "A memory that is written anew each turn: after 80,000 imitated tokens a model of one layer did not copy it yet, so nothing was compared with it.",
    "After 15,000 imitated tokens most turns were no words of the memory, and reinforcement made them worse.",
  ],
  finding: (f) =>
    `Nobody said which names matter, and a rule that is told them would need no training. After long streams Mem-α answers ${f.mean("Mem-α", "term/worth/3")} of the questions, one who was taught to write all ${f.mean("instructed", "term/worth/3")}: ${f.effect(0)}; after those of training's length ${f.mean("Mem-α", "term/worth/2")} and ${f.mean("instructed", "term/worth/2")}: ${f.effect(1)}, over ${f.count} seeds. The rules that write until there is no room and that keep the newest come to ${f.mean("append", "term/worth/3")} and ${f.mean("newest", "term/worth/3")}, the model before reinforcement to ${f.mean("not trained", "term/worth/3")}; of three places Mem-α fills ${f.mean("Mem-α", "term/needless/3")} with what is never asked for.`,
});
