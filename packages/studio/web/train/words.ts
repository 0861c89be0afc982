import { grpo, phases, type Run, random, sft, type TrainOptions, text } from "reins";
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

/** A tiny model that knows nothing yet. It has the context that the whole family needs, so that it can go on with harder problems. */
export function newSorter(seed: number): LanguageModel {
  const { prompt, answer } = sorting.longest;
  const context = 16 * Math.ceil((prompt + answer + 2) / 16);
  const vocabulary = characters(sorting.alphabet).size;
  return newModel({ layers: 1, width: 32, heads: 2, context, vocabulary, style: "llama" }, random.key(seed));
}

/** What a training in words is made of: imitation first, where the model is new, and GRPO. */
export function wordsOptions(start: LanguageModel, isNew: boolean): Pick<TrainOptions, "algorithm" | "env"> {
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

/** The model of a run as a folder of Hugging Face's form, in one file: Node goes on with it by `--env-folder`. */
export function sorterFile(run: Run, start: LanguageModel): Uint8Array<ArrayBuffer> {
  const { end, pad } = characters(sorting.alphabet);
  const params = run.process.acting!.weights as LanguageModel["params"];
  const files = modelFiles({ ...start, params }, { end, pad, limit });
  for (const [name, text] of characterFiles(sorting.alphabet))
    files.set(name, new TextEncoder().encode(text));
  return tarOf(files);
}

/** The model in such a file. */
export async function sorterFrom(bytes: Uint8Array): Promise<LanguageModel> {
  const model = await modelFrom(untarred(bytes));
  const { size } = characters(sorting.alphabet);
  if (model.options.vocabulary !== size)
    throw new Error(`This model knows ${model.options.vocabulary} tokens; what sorts here knows ${size}.`);
  return model;
}
