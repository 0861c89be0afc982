import { grpo, sft } from "@reins/algorithms";
import { textStage } from "@reins/language";
import { recipe } from "@reins/recipes";
import { streams } from "@reins/recipes/conversations";
import { languageArms, untrainedArm } from "@reins/recipes/language";

const lengths = [8, 104]; // Of streams in training, and of test streams 13 times as long.
const ruled = streams({ id: "streams-append", teacher: "append", lengths });
const score = { levels: [2, 3], problems: 12, looks: 1 };
const model = { layers: 1, width: 32, imitation: 50_000 };
const task = streams({ id: "streams", lengths });
const setting = { task, levels: [1], played: [2], model, score, quick: { model: { imitation: 6000 } } };
const beside = languageArms({
  ...setting,
  change: (stage, o) => ({ ...stage, demonstrations: textStage({ ...o, task: ruled }).demonstrations }),
});
const share = { better: "higher", worst: 0, best: 1 } as const;
const because = "one question in ten is what a user would notice";
const least = { smallest: 0.1, because, contrast: ["Mem-α", "instructed"] } as const;

export default recipe({
  id: "mem-alpha",
  paper: "Mem-α: Learning Memory Construction via Reinforcement Learning",
  source: "arXiv:2509.25911",
  about:
    "An agent reads a stream chunk by chunk and sees only the chunk and its memory, which it changes with tools. Mem-α trains the write and delete operations with RL; the reward is the share of questions about the whole stream that can be answered from the final memory. Claimed: much better than agents that follow fixed memory instructions, also on streams 13 times as long as in training.",
  system: languageArms(setting)("Mem-α", grpo, { groups: 4, groupSize: 8, epochs: 1, clipNorm: 1 }),
  baselines: [beside("instructed", sft, { batch: 64 })],
  ablations: [
    untrainedArm({ ...setting, name: "append", player: "append" }),
    untrainedArm({ ...setting, name: "newest", player: "newest" }),
    untrainedArm({ ...setting, name: "not trained" }),
  ],
  metrics: {
    "term/worth/3": { about: "share of questions answered, streams 13 times as long", ...share },
    "term/worth/2": { about: "share of questions answered, streams of training length", ...share },
    "term/worth": { about: "share of questions answered, both lengths", ...share },
    tokens: { about: "tokens written per stream", better: "lower", worst: 350, best: 1 },
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
    "One-token facts (three values of each of six names, of which three are queried) and a memory with three slots replace books and dialogues and the core, episodic and semantic memories; writing again updates, and deletion removes the oldest entry. A one-layer model replaces Qwen3-4B.",
    "Agents with instructions are a model fine-tuned to write everything that fits, for the same number of tokens and with its own learning rate, and two rules as ablations. Retrievers, long contexts, and memories that are rewritten as a whole (MemAgent, MEM1) are left out.",
    "A program answers the questions from the memory instead of a frozen larger model. The reward is accuracy alone, without the paper's terms for call format, short memories and memory content.",
  ],
  tried: [
    "Two facts at a time, and decisions (write, skip) instead of the fact's own letter: RL got no further than writing everything.",
    "A memory that is rewritten each turn: after 80,000 SFT tokens a one-layer model could not copy it, so it was not compared.",
    "After 15,000 SFT tokens most turns were not valid memory operations, and RL made them worse.",
  ],
  finding: (f) =>
    `RL improves on fixed instructions on long and short streams; the size of the effect is open. No arm is given the names that matter, and a rule with this list would need no training. After long streams Mem-α answers ${f.mean("Mem-α", "term/worth/3")} of the questions, the model taught to write everything ${f.mean("instructed", "term/worth/3")}: ${f.effect(0)}; after streams of training length ${f.mean("Mem-α", "term/worth/2")} and ${f.mean("instructed", "term/worth/2")}: ${f.effect(1)}, over ${f.count} seeds. The rules that write until the memory is full and that keep the newest facts reach ${f.mean("append", "term/worth/3")} and ${f.mean("newest", "term/worth/3")}, the model before RL ${f.mean("not trained", "term/worth/3")}; of three slots Mem-α fills ${f.mean("Mem-α", "term/needless/3")} with facts that are never queried.`,
});
