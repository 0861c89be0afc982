import { constants, copyFileSync, existsSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "@reins/core";
import {
  answerLimit,
  type ConversationEncoder,
  canEncode,
  characters,
  checkAdapterFolder,
  checkModelFolder,
  contextLength,
  conversationEncoder,
  endTokens,
  episodeOf,
  type HubTokenizer,
  isMultiTurn,
  isRewardFolder,
  type LanguageModel,
  type LoraModel,
  loadAdapters,
  loadModel,
  loadReward,
  loadTokenizer,
  lora,
  newModel,
  promptEncoder,
  type RewardModel,
  renderingFor,
  saveAdapters,
  saveCharacters,
  saveGeneration,
  saveModel,
  saveReward,
  type TextStageOptions,
  type TextTask,
  type Tokenizer,
  tagged,
  tokenizerFiles,
  transcriptTemplate,
} from "@reins/language";
import type { GptParams } from "@reins/nn";
import { random, type Tree } from "@reins/tensor";
import { pretrainedLimit } from "./lengths.ts";
import type { TextOptions } from "./options.ts";

/** A language model for a task. */
export interface Answerer {
  readonly start: LanguageModel;
  readonly tokenizer: Tokenizer;
  readonly ends?: TextStageOptions["ends"];
  readonly encodePrompt?: (prompt: string) => readonly number[];
  readonly conversationEncoder: ConversationEncoder;
  /** Chat format of conversations of several turns. */
  readonly chatFormat?: TextStageOptions["chatFormat"];
  readonly opening?: TextStageOptions["opening"];
  readonly format?: TextStageOptions["format"];
  /** Chat template of a model without one that is trained on conversations. It is served and saved with it. */
  readonly template?: string;
  /** Maximum tokens of an answer. */
  readonly limit: number;
  /** Refuses a folder to which the model cannot be written, or, in PEFT format, its adapters. */
  checkFolder(folder: string, content: "model" | "adapters"): void;
  /** Writes a Hugging Face folder with other weights; adapters are merged. */
  save(weights: Tree, folder: string): Promise<void>;
  /** Writes only the adapters, in PEFT format; present only with adapters. */
  saveAdapters?(weights: Tree, folder: string): Promise<void>;
  /** Writes a Hugging Face folder for sequence classification; adapters are merged. */
  saveReward(reward: RewardModel, folder: string): Promise<void>;
  /** The reward model of the folder, where it has one: `start` is its body. */
  readonly reward?: RewardModel;
}

/** A tiny character model from scratch. `conversations`: whether all its prompts are conversations. */
export function tinyModel(task: TextTask, options: TextOptions, conversations = false): Answerer {
  const { layers, width, heads, maxTokens } = options;
  const limit = answerLimit(task, maxTokens);
  const tokenizer = characters(task.alphabet);
  const context = contextLength(task, { limit });
  const start = newModel(
    { layers, width, heads, context, vocabulary: tokenizer.size, style: "llama" },
    random.key(0),
  );
  const template = templateOf(tokenizer, conversations);
  return {
    start,
    ...withTemplate(tokenizer, template),
    conversationEncoder: conversationEncoder(tokenizer),
    limit,
    checkFolder: checkModelFolder,
    async save(weights, folder) {
      const { end, pad } = tokenizer;
      await saveModel(folder, withWeights(start, weights), { end, pad, limit });
      await saveCharacters(folder, task.alphabet);
      saveTemplate(folder, template);
    },
    async saveReward(reward, folder) {
      const { end, pad } = tokenizer;
      await saveReward(folder, reward, { end, pad });
      await saveCharacters(folder, task.alphabet);
      saveTemplate(folder, template);
    },
  };
}

/**
 * The model of a Hugging Face folder; with `lora` only adapters are trained, else all weights. `conversations`: as of
 * {@link tinyModel}. `scores`: whether the folder may have a reward model.
 */
export async function folderModel(
  task: TextTask,
  options: TextOptions & { folder: string },
  conversations = false,
  scores = false,
): Promise<Answerer> {
  const {
    folder: from,
    lora: rank,
    loraAlpha: alpha,
    loraDropout: dropout,
    loraTargets: targets,
    adapters,
    chat,
    system,
  } = options;
  const reward = scores && isRewardFolder(from) ? await loadReward(from) : undefined;
  const model = reward ? { ...reward.base, params: reward.params.base } : await loadModel(from);
  const tokenizer = await loadTokenizer(from, model.options.vocabulary);
  const ends = chat === false ? [] : await endTokens(from, tokenizer);
  const start =
    adapters !== undefined
      ? await loadAdapters(adapters, model)
      : rank > 0
        ? lora(model, { rank, alpha, targets, dropout }, random.key(0))
        : model;
  const check = (folder: string, content: "model" | "adapters") => {
    if (isSameFolder(folder, from))
      fail(
        folder,
        "the model was loaded from this folder, and the run still needs it. Choose another folder.",
      );
    if (adapters !== undefined && isSameFolder(folder, adapters))
      fail(
        folder,
        "the adapters were loaded from this folder, and the run still needs them. Choose another folder.",
      );
    if (content === "model") checkModelFolder(folder);
    else checkAdapterFolder(folder);
  };
  // A saved tiny model only knows the characters of its data: it gets the prompts of its training.
  const about = task.about && canEncode(tokenizer, task.about) ? task.about : undefined;
  const encodePrompt = promptEncoder(tokenizer, { chat, about, system });
  const converse = conversationEncoder(tokenizer, { chat, system });
  const template = templateOf(tokenizer, conversations);
  const tokens = { end: tokenizer.end, pad: tokenizer.pad, begin: tokenizer.begin };
  const saveTokenizer = (folder: string) => {
    saveTemplate(folder, template);
    for (const file of tokenizerFiles)
      if (existsSync(join(from, file))) copyAnew(join(from, file), join(folder, file));
  };
  return {
    start,
    ...(reward ? { reward } : {}),
    ...withTemplate(tokenizer, template),
    ends,
    encodePrompt,
    conversationEncoder: converse,
    ...(isMultiTurn(task) ? talkingBy(task, tokenizer, { chat, system }) : {}),
    limit: pretrainedLimit(
      { task, level: 1, start, tokenizer, encodePrompt, conversationEncoder: converse },
      options.maxTokens,
      from,
    ),
    checkFolder: check,
    ...("lora" in start
      ? {
          async saveAdapters(weights: Tree, folder: string) {
            check(folder, "adapters");
            await saveAdapters(folder, { ...(start as LoraModel), params: withoutCritic(weights) });
          },
        }
      : {}),
    async save(weights, folder) {
      check(folder, "model");
      await saveModel(folder, withWeights(start, weights), tokens);
      await saveGeneration(folder, tokens, from);
      saveTokenizer(folder);
    },
    async saveReward(own, folder) {
      check(folder, "model");
      await saveReward(folder, own, tokens);
      saveTokenizer(folder);
    },
  };
}

/** The template of conversations for a tokenizer without one: the plain text that the model is trained on. */
const templateOf = (
  { chatTemplate, begin }: Tokenizer & Partial<HubTokenizer>,
  conversations: boolean,
): string | undefined =>
  conversations && chatTemplate === undefined ? transcriptTemplate(begin !== undefined) : undefined;

const withTemplate = (tokenizer: Tokenizer, template: string | undefined) =>
  template === undefined
    ? { tokenizer }
    : { tokenizer: { ...tokenizer, chatTemplate: template } as Tokenizer, template };

/** Writes the template; without one, that of an earlier model in the folder is removed. */
function saveTemplate(folder: string, template: string | undefined): void {
  const path = join(folder, "chat_template.jinja");
  // Removed first: a link in its place would be followed.
  rmSync(path, { force: true });
  if (template !== undefined) writeFileSync(path, template, { flag: "wx" });
}

/** Whether two paths are one folder, also through links. */
const isSameFolder = (a: string, b: string): boolean => realPath(a) === realPath(b);

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

/** Copies a file to a new one: a link in its place is replaced, not followed. */
function copyAnew(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}

/** Chat format of a pretrained model: the system message holds the instructions and, if the chat template has no tools, their descriptions. */
function talkingBy(
  task: TextTask,
  tokenizer: HubTokenizer,
  { chat, system }: Pick<TextOptions, "chat" | "system">,
): Pick<TextStageOptions, "chatFormat" | "opening" | "format"> {
  const { about } = task;
  const { tools, format: own } = episodeOf(task);
  const { chatFormat, toolPrompt, format } = renderingFor(tokenizer, tools, {
    chat,
    format: own ?? tagged(),
  });
  const told = [system, about, toolPrompt].filter((r) => r).join("\n\n");
  // As for prompts: a saved tiny model cannot read the instructions.
  if (system === undefined && !canEncode(tokenizer, told)) return { chatFormat };
  const said = told;
  return {
    chatFormat,
    format,
    opening: ({ prompt, messages }) => [
      ...(said ? [{ role: "system", content: said } as const] : []),
      ...(messages ?? [{ role: "user", content: prompt } as const]),
    ],
  };
}

/** The model with other weights, without the critic that some algorithms add. */
const withWeights = (start: LanguageModel, weights: Tree): LanguageModel => ({
  ...start,
  params: withoutCritic(weights),
});

function withoutCritic(weights: Tree): GptParams {
  const { value: _critic, ...params } = weights as GptParams & { value?: Tree };
  return params;
}
