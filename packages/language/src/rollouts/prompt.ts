import { fail } from "@reins/core";
import { tensor } from "@reins/tensor";
import { cuts, wordsFor } from "../generation/sampling-support.ts";
import {
  alignImage,
  checkImage,
  featuresOf,
  type ImagePatches,
  imagePatches,
  patchOptionsOf,
} from "../models/images.ts";
import type { PatchOptions } from "../models/patches.ts";
import type { Problem } from "../tasks/text-task.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** A prompt: tokens and an optional image. */
export interface Prompt {
  readonly prompt: readonly number[];
  readonly image?: ImagePatches;
}

/** A problem as a prompt for the stage's model. Its image comes first, unless the text has its own placeholders. */
export function promptOf(
  {
    start,
    tokenizer,
    encodePrompt = tokenizer.encode,
    conversationEncoder: converse,
    task,
  }: TextStageOptions,
  { prompt, messages, alone, image }: Pick<Problem, "prompt" | "messages" | "alone" | "image">,
): Prompt {
  // A text without a prompt is not a turn of a conversation.
  if (alone) return { prompt: tokenizer.begin === undefined ? [] : [tokenizer.begin] };
  const words = messages && converse ? converse.encodePrompt(messages) : encodePrompt(prompt);
  if (!image) return { prompt: words };
  const how =
    patchOptionsOf(start.model) ??
    fail(
      `task ${task.id}`,
      "its problems have images, but the model has no image encoder. Add one with withPatches(model, …).",
    );
  const patches = imagePatches(image, how);
  const named = tokenizer.textOf(how.token);
  if (tokenizer.specialTokens?.includes(named) && prompt.includes(named) && !words.includes(how.token))
    fail(
      `task ${task.id}`,
      `the prompt contains the placeholder ${named}, but it was encoded as text. Pass placeholder: ${how.token} to promptEncoder and conversationEncoder.`,
    );
  const places = words.includes(how.token) ? [] : Array(patches.places.length / 2).fill(how.token);
  const all = [...places, ...words];
  checkImage(start.model, all, patches);
  return { prompt: all, image: patches };
}

/** How an episode represents images, where its model reads them, and what its column `trace` holds. */
export interface ImageObservation {
  readonly how?: PatchOptions;
  readonly image?: ImagePatches;
  /**
   * 32-bit words of a kept set: every step then has one. Without it, only episodes with a recorded kept set have the
   * column.
   */
  readonly words?: number;
}

/** Settings that all episodes of a stage share. */
export const formOf = ({
  start,
  sampling,
}: Pick<TextStageOptions, "start" | "sampling">): ImageObservation => ({
  how: patchOptionsOf(start.model),
  words: cuts(sampling) ? wordsFor(start.options.vocabulary) : undefined,
});

/**
 * Observation of each step: a token or, for a model that reads images, a token, the patch in its place and the
 * patch's position (−1: none).
 */
export function observationsOf(tokens: readonly number[], { how, image }: ImageObservation) {
  const token = tensor(Int32Array.from(tokens), { dtype: "i32" });
  if (!how) return token;
  const features = featuresOf(how);
  const patches = new Float32Array(tokens.length * features);
  const places = new Int32Array(2 * tokens.length).fill(-1);
  if (image) alignImage(tokens, image, how.token, { patches, places });
  return {
    token,
    patch: tensor(patches, { shape: [tokens.length, features] }),
    place: tensor(places, { shape: [tokens.length, 2], dtype: "i32" }),
  };
}
