import { characters, type LiveOptions, newModel, type TextTask, textTask } from "@reins/language";
import { random } from "@reins/tensor";

/** The models of the benchmark. */
export const sizes = {
  tiny: { layers: 2, width: 64, heads: 4 },
  small: { layers: 4, width: 256, heads: 8 },
} as const;

/** The name of a model. */
export type SizeName = keyof typeof sizes;

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789 .,?!-";

/** The environment's reply to every turn. */
export const words = "go on, please";

/** Characters of a prompt. */
export const asked = 24;

/** A multi-turn environment that replies with the same words, for a number of turns. */
const patient = (turns: number, limit: number): TextTask =>
  textTask<{ said: number }, { said: number }>({
    id: "patient",
    about: "Say something.",
    levels: 1,
    alphabet,
    longest: { prompt: asked, answer: limit - 1 },
    make: (random) => ({
      prompt: Array.from({ length: asked }, () => alphabet[random.integers(26)]).join(""),
      answer: "",
      data: { said: 0 },
    }),
    verify: () => ({ score: 1 }),
    episode: {
      turns,
      turn: (state) => (++state.said < turns ? { say: words } : { done: true }),
    },
  });

/** A model with random weights, and conversations with a number of turns and tokens per turn. */
export function talkedTo(name: SizeName, turns: number, limit: number) {
  const own = patient(turns, limit);
  const tokenizer = characters(own.alphabet);
  const context = 32 * Math.ceil((asked + turns * (limit + words.length + 1)) / 32);
  const shape = { ...sizes[name], context, vocabulary: tokenizer.size, style: "llama" } as const;
  return { task: own, level: 1, start: newModel(shape, random.key(0)), tokenizer };
}

/** The result of {@link talkedTo}. */
export type Subject = ReturnType<typeof talkedTo>;

/** Options of a generator. `endless` turns have no end token, so that all have the maximum length. */
export const generatorOf = (
  { start, tokenizer }: Subject,
  { rows, endless = false }: { rows: number; endless?: boolean },
): LiveOptions => ({
  model: start.model,
  params: start.params,
  vocabulary: start.options.vocabulary,
  context: start.options.context,
  // -1 is not a token.
  end: endless ? -1 : tokenizer.end,
  rows,
});
