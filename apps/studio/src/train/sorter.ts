import { tarOf, untarred } from "@reins/studio/wire";
import { type Algorithm, grpo, phases, type Run, random, sft, text } from "reins";
import type { EpisodeEnvironment } from "reins/core";
import {
  characterFiles,
  characters,
  contextLength,
  type LanguageModel,
  modelFiles,
  modelFrom,
  newModel,
  textStage,
} from "reins/language";
import { sorting } from "reins/language/tasks";

/** Level of the problems: three letters. */
export const level = 1;
/** Tokens of supervised fine-tuning before GRPO. */
export const imitated = 50_000;
/** Maximum number of tokens of an answer. */
const limit = 6;

/** A sorting model, and the tokens that it was trained on. */
export interface Sorter {
  readonly model: LanguageModel;
  readonly steps: number;
}

/** A new tiny model. Its context is long enough for every level of the task, so that training can continue on harder problems. */
export function newSorter(seed: number): Sorter {
  const context = contextLength(sorting);
  const vocabulary = characters(sorting.alphabet).size;
  const size = { layers: 1, width: 32, heads: 2, context, vocabulary } as const;
  return { model: newModel({ ...size, style: "llama" }, random.key(seed)), steps: 0 };
}

/** The algorithm and task of a sorting model: supervised fine-tuning if the model is new, then GRPO. */
export function sorterOptions(
  start: LanguageModel,
  isNew: boolean,
): { algorithm: Algorithm; env: EpisodeEnvironment } {
  const tokenizer = characters(sorting.alphabet);
  const stage = textStage({ task: sorting, level, start, tokenizer, limit, rows: 128 });
  const { prompt } = sorting.longest;
  const rewarded = grpo({ groups: 16, groupSize: 8, epochs: 1, learningRate: 5e-4, clipNorm: 1 });
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

/** Name of the file with the number of training tokens; other programs ignore it. */
const history = "reins.json";

/** The model of a run as a tar file of a Hugging Face model folder, for `--env-folder` in Node. */
export function sorterFile(run: Run, start: LanguageModel, steps: number): Uint8Array<ArrayBuffer> {
  const { end, pad } = characters(sorting.alphabet);
  const params = run.process.acting!.weights as LanguageModel["params"];
  const files = modelFiles({ ...start, params }, { end, pad, limit });
  const put = (name: string, text: string) => files.set(name, new TextEncoder().encode(text));
  for (const [name, text] of characterFiles(sorting.alphabet)) put(name, text);
  put(history, JSON.stringify({ steps }));
  return tarOf(files);
}

/** The model in a tar file. */
export async function sorterFrom(bytes: Uint8Array): Promise<Sorter> {
  const files = untarred(bytes);
  const model = await modelFrom(files).catch(() => {
    throw new Error("it does not contain a language model, or it is damaged");
  });
  const { size } = characters(sorting.alphabet);
  if (model.options.vocabulary !== size)
    throw new Error(
      `the vocabulary of its model has ${model.options.vocabulary} tokens, but the task needs ${size}`,
    );
  return { model, steps: stepsIn(files.get(history)) };
}

/** Tokens that a model was trained on; 0 if the file does not say. */
function stepsIn(bytes: Uint8Array | undefined): number {
  try {
    const { steps } = JSON.parse(new TextDecoder().decode(bytes)) as { steps?: unknown };
    return Number.isSafeInteger(steps) ? (steps as number) : 0;
  } catch {
    return 0;
  }
}
