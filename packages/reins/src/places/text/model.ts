import { copyFileSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "@reins/core";
import {
  asking,
  characters,
  type Family,
  type LanguageModel,
  type LoraModel,
  loadModel,
  loadTokenizer,
  lora,
  merged,
  newModel,
  saveCharacters,
  saveGeneration,
  saveModel,
  type Tokenizer,
} from "@reins/language";
import type { GptParams } from "@reins/nn";
import { random, type Tree } from "@reins/tensor";
import type { TextOptions } from "./options.ts";

/** What answers problems in words. */
export interface Answerer {
  readonly start: LanguageModel;
  readonly tokenizer: Tokenizer;
  readonly ask?: (prompt: string) => readonly number[];
  /** Most tokens of an answer. */
  readonly limit: number;
  /** Stops with the reason if a model cannot be written to a folder. */
  checkFolder(folder: string): void;
  /** Writes a Hugging Face folder with other weights, adapters folded in. */
  save(weights: Tree, folder: string): Promise<void>;
}

/** A tiny model from nothing that reads and writes characters. */
export function tinyModel(family: Family, { layers, width, heads }: TextOptions): Answerer {
  const tokenizer = characters(family.alphabet);
  const { prompt, answer } = family.longest;
  const context = 16 * Math.ceil((prompt + answer + 2) / 16);
  const start = newModel(
    { layers, width, heads, context, vocabulary: tokenizer.size, style: "llama" },
    random.key(0),
  );
  return {
    start,
    tokenizer,
    limit: answer + 1,
    checkFolder: () => {},
    async save(weights, folder) {
      const { end, pad } = tokenizer;
      await saveModel(folder, withWeights(start, weights), { end, pad, limit: answer + 1 });
      await saveCharacters(folder, family.alphabet);
    },
  };
}

/** The model of a Hugging Face folder, of which all weights learn or, with `lora`, adapters alone. */
export async function folderModel(
  family: Family,
  options: TextOptions & { folder: string },
): Promise<Answerer> {
  const { folder: from, lora: rank, chat } = options;
  const model = await loadModel(from);
  const tokenizer = await loadTokenizer(from, model.options.vocabulary);
  const start = rank > 0 ? lora(model, { rank }, random.key(0)) : model;
  const check = (folder: string) => {
    if (resolve(folder) === resolve(from))
      fail(folder, "the model came from there, and the run still needs it. Choose another folder.");
  };
  const ask = asking(tokenizer, { chat, about: family.about });
  return {
    start,
    tokenizer,
    ask,
    limit: limitOf(family, ask("").length, model.options.context, from),
    checkFolder: check,
    async save(weights, folder) {
      check(folder);
      const { end, pad, begin } = tokenizer;
      await saveModel(folder, withWeights(start, weights), { end, pad, begin });
      await saveGeneration(folder, { end, pad, begin }, from);
      for (const file of tokenizerFiles)
        if (existsSync(join(from, file))) copyFileSync(join(from, file), join(folder, file));
    },
  };
}

const tokenizerFiles = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "vocab.json",
  "merges.txt",
  "tokenizer.model",
  "chat_template.jinja",
];

/** The model with other weights, as a plain one: without adapters, and without the critic that some methods add. */
function withWeights(start: LanguageModel, weights: Tree): LanguageModel {
  const { value: _critic, ...params } = weights as GptParams & { value?: Tree };
  const model = { ...start, params };
  return "lora" in model ? merged(model as LoraModel) : model;
}

/** A family's lengths are in characters. A text has at most as many tokens as bytes, and one that begins or ends it. */
function limitOf(family: Family, frame: number, context: number, folder: string): number {
  const bytes = Math.max(...[...family.alphabet].map((c) => new TextEncoder().encode(c).length));
  const [prompt, answer] = [family.longest.prompt, family.longest.answer].map((n) => n * bytes + 1);
  if (frame + prompt + answer > context)
    fail(
      folder,
      `its context of ${context} tokens is too short for ${family.id}: a problem may take ${frame + prompt}, an answer ${answer}. Choose a task with shorter problems, or another model.`,
    );
  return answer;
}
