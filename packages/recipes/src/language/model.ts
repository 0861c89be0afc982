import { type EpisodeEnvironment, type Stage, text } from "@reins/core";
import { defaultSeed, stream } from "@reins/core/random";
import {
  characters,
  contextLength,
  type LanguageModel,
  newModel,
  type TextStageOptions,
  textStage,
} from "@reins/language";
import { random } from "@reins/tensor";
import type { LanguageArmOptions } from "./options.ts";

/** A randomly initialised model. */
export function freshModel({
  task,
  layers = 2,
  width = 64,
  heads = 4,
  limit,
  from = defaultSeed,
}: LanguageArmOptions): LanguageModel {
  const { size } = characters(task.alphabet);
  // Recorded results were trained with one more token than `limit` or a conversation needs.
  const context = contextLength(task, { limit, end: 1 });
  return newModel(
    { layers, width, heads, context, vocabulary: size, style: "llama" },
    random.key(stream(from, "model")),
  );
}

/** The options of a language task's stage, and its initial model. */
export const stageOptions = (
  { task, limit, rows = 256, levels }: LanguageArmOptions,
  start: LanguageModel,
  level = levels[0],
): TextStageOptions => ({
  task,
  level,
  start,
  tokenizer: characters(task.alphabet),
  rows,
  limit,
});

/** The stage of a language task at one of its levels. */
export const stageFor = (o: LanguageArmOptions, start: LanguageModel, level?: number): Stage =>
  textStage(stageOptions(o, start, level));

/** The place of a run on a language task. */
export const textPlace = ({ task }: LanguageArmOptions, stage: Stage): EpisodeEnvironment => ({
  spec: {
    id: task.id,
    observation: text(task.longest.prompt),
    action: text(task.longest.answer),
  },
  stage,
});
