import { defaultSeed, type EpisodePlace, type Stage, stream, text } from "@reins/core";
import {
  characters,
  isTalked,
  type LanguageModel,
  longestTalk,
  newModel,
  type TextStageOptions,
  textStage,
} from "@reins/language";
import { random } from "@reins/tensor";
import type { WordsOptions } from "./options.ts";

/** A randomly initialised model. */
export function freshModel({
  family,
  layers = 2,
  width = 64,
  heads = 4,
  limit = 0,
  from = defaultSeed,
}: WordsOptions): LanguageModel {
  const { prompt, answer } = family.longest;
  const { size } = characters(family.alphabet);
  const longest = isTalked(family) ? longestTalk(family) : prompt + Math.max(answer, limit);
  const context = 16 * Math.ceil((longest + 2) / 16);
  return newModel(
    { layers, width, heads, context, vocabulary: size, style: "llama" },
    random.key(stream(from, "model")),
  );
}

/** The options of a language task's stage, and its initial model. */
export const stageOptions = (
  { family, limit, rows = 256, levels }: WordsOptions,
  start: LanguageModel,
  level = levels[0],
): TextStageOptions => ({
  family,
  level,
  start,
  tokenizer: characters(family.alphabet),
  rows,
  limit,
});

/** The stage of a language task at one of its levels. */
export const stageFor = (o: WordsOptions, start: LanguageModel, level?: number): Stage =>
  textStage(stageOptions(o, start, level));

/** The place of a run on a language task. */
export const textPlace = ({ family }: WordsOptions, stage: Stage): EpisodePlace => ({
  spec: {
    id: family.id,
    observation: text(family.longest.prompt),
    action: text(family.longest.answer),
  },
  stage,
});
