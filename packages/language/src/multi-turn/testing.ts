import type { TaskItem } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import { random, type Tensor } from "@reins/tensor";
import { newModel } from "../models/language-model.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { textStage } from "../stage/stage.ts";
import { type TextTask, textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import { tool } from "../tools/tool.ts";
import type { ConversationEpisode } from "./conversation-episode.ts";

/** Sums that a tool can compute too. */
export const sums = textTask<{ a: number; b: number }, { a: number; b: number; asked?: number }>({
  id: "sums",
  about: "Add two numbers.",
  levels: 1,
  alphabet: "0123456789+=abcdefghijklmnopqrstuvwxyz():. T,;_-'\"/",
  longest: { prompt: 6, answer: 11 },
  make(random) {
    const [a, b] = [random.integers(100), random.integers(100)];
    return { prompt: `${a}+${b}=`, answer: `${a + b}`, data: { a, b } };
  },
  verify: ({ answer }, text, conversation) => ({
    score: text === answer ? 1 : 0,
    ...(conversation ? { terms: { asked: conversation.state.asked ?? 0 } } : {}),
  }),
  episode: {
    turns: 3,
    tools: [
      tool<{ of: string }, { asked?: number }>({
        name: "add",
        about: "Adds what stands between plus signs.",
        parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
        price: 0.25,
        run({ of }, { state }) {
          state.asked = (state.asked ?? 0) + 1;
          if (!/^\d+(\+\d+)*$/.test(of)) throw new Error("no sum");
          return `${of.split("+").reduce((sum, n) => sum + Number(n), 0)};`;
        },
      }),
    ],
    players: {
      expert: ({ prompt }, { messages, turns }) =>
        turns ? messages[messages.length - 1].content.slice(0, -1) : `add(${prompt.slice(0, -1)})`,
      hasty: () => "7",
      confused: (_, { turns }) => (turns ? "7" : "add(x)"),
    },
  },
});

/** Options of a stage with a tiny model, for `sums` or another task. */
export function talkOptions(more: Partial<TextStageOptions> = {}): TextStageOptions {
  const own = (more.task ?? sums) as TextTask;
  const tokenizer = more.tokenizer ?? characters(own.alphabet);
  const start = newModel(
    { vocabulary: tokenizer.size, width: 16, layers: 1, heads: 2, context: 96 },
    random.key(5),
  );
  return { task: own, level: 1, start, tokenizer, rows: 8, ...more };
}

/** A stage with a tiny model. */
export const talkingStage = (more: Partial<TextStageOptions> = {}) => textStage(talkOptions(more));

/** Rollouts of one problem. */
export const playsOf = (plays: number) => ({
  next: (): readonly TaskItem[] => [{ key: "start", seed: 0, groupSize: plays }],
});

/** Rollouts of a fresh model. */
export async function played(plays: number, options = talkOptions(), key = 2) {
  const stage = talkingStage(options);
  const weights = stage.policy.init(random.key(1));
  const source = stage.play({
    policy: stage.policy,
    weights,
    task: playsOf(plays),
    statistics: new Statistics(),
    key: random.key(key),
    version: () => 3,
  });
  return { stage, weights, source, episodes: (await source.next()) as readonly ConversationEpisode[] };
}

/** A column of an episode. */
export const numbersOf = (e: ConversationEpisode, name: string) => [...(e.columns[name] as Tensor).data];
