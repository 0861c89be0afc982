import { type Algorithm, grpo, phases, type Run, random, sft, text } from "reins";
import type { EpisodePlace } from "reins/core";
import {
  characterFiles,
  characters,
  type LanguageModel,
  modelFiles,
  modelFrom,
  newModel,
  textStage,
} from "reins/language";
import { sorting } from "reins/language/tasks";
import { tarOf, untarred } from "../../src/tar.ts";

/** How hard the problems are: three letters. */
export const level = 1;
/** Answer tokens that are imitated before right answers are rewarded. */
export const imitated = 50_000;
/** Most tokens of an answer. */
const limit = 6;

/** A model that sorts, and the tokens that it has learned from. */
export interface Sorter {
  readonly model: LanguageModel;
  readonly steps: number;
}

/** A tiny model that knows nothing yet. It has the context that the whole family needs, so that it can go on with harder problems. */
export function newSorter(seed: number): Sorter {
  const { prompt, answer } = sorting.longest;
  const context = 16 * Math.ceil((prompt + answer + 2) / 16);
  const vocabulary = characters(sorting.alphabet).size;
  const size = { layers: 1, width: 32, heads: 2, context, vocabulary } as const;
  return { model: newModel({ ...size, style: "llama" }, random.key(seed)), steps: 0 };
}

/** What a training in words is made of: imitation first, where the model is new, and GRPO. */
export function wordsOptions(
  start: LanguageModel,
  isNew: boolean,
): { algorithm: Algorithm; env: EpisodePlace } {
  const tokenizer = characters(sorting.alphabet);
  const stage = textStage({ family: sorting, level, start, tokenizer, limit, rows: 128 });
  const { prompt } = sorting.longest;
  const rewarded = grpo({ groups: 16, plays: 8, epochs: 1, learningRate: 5e-4, clipNorm: 1 });
  return {
    algorithm: isNew
      ? phases(rewarded.name, [
          { algorithm: sft({ batch: 64, learningRate: 3e-3 }), steps: imitated },
          { algorithm: rewarded },
        ])
      : rewarded,
    env: { spec: { id: sorting.id, observation: text(prompt), action: text(limit) }, stage },
  };
}

/** Where the file says how much was learned: other programs pay no attention to it. */
const history = "reins.json";

/** The model of a run as a folder of Hugging Face's form, in one file: Node goes on with it by `--env-folder`. */
export function sorterFile(run: Run, start: LanguageModel, steps: number): Uint8Array<ArrayBuffer> {
  const { end, pad } = characters(sorting.alphabet);
  const params = run.process.acting!.weights as LanguageModel["params"];
  const files = modelFiles({ ...start, params }, { end, pad, limit });
  const put = (name: string, text: string) => files.set(name, new TextEncoder().encode(text));
  for (const [name, text] of characterFiles(sorting.alphabet)) put(name, text);
  put(history, JSON.stringify({ steps }));
  return tarOf(files);
}

/** The model in such a file. */
export async function sorterFrom(bytes: Uint8Array): Promise<Sorter> {
  const files = untarred(bytes);
  const model = await modelFrom(files).catch(() => {
    throw new Error("it holds no language model, or it is damaged");
  });
  const { size } = characters(sorting.alphabet);
  if (model.options.vocabulary !== size)
    throw new Error(`its model knows ${model.options.vocabulary} tokens, and what sorts here knows ${size}`);
  return { model, steps: stepsIn(files.get(history)) };
}

/** Tokens that a model has learned from, as far as its file tells. */
function stepsIn(bytes: Uint8Array | undefined): number {
  try {
    const { steps } = JSON.parse(new TextDecoder().decode(bytes)) as { steps?: unknown };
    return Number.isSafeInteger(steps) ? (steps as number) : 0;
  } catch {
    return 0;
  }
}
