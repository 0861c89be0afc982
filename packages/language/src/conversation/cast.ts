import type { Maker } from "@reins/core";
import type { Generated } from "../generation/sequence.ts";
import type { TextStageOptions } from "../stage-options.ts";
import type { Talk } from "../tasks/family.ts";
import type { Context, Scene } from "./context.ts";
import type { Conversed } from "./conversation-episode.ts";

/** A turn as it was written. */
export interface Utterance {
  readonly text: string;
  readonly by: Maker;
  readonly written: Pick<Generated, "tokens" | "ended"> & Partial<Generated>;
}

/** Who writes turns: the model, a teacher, a fixed policy. */
export interface Speaker {
  /** Undefined where there is no room for another. */
  (context: Context, talk: Talk, turn: number): Promise<Utterance | undefined>;
  /**
   * How likely it is to say this now, or after some words that it is made to say first: the geometric mean over its tokens. Undefined where
   * there is no room for it, or no letters.
   */
  believes?(context: Context, text: string, after?: string): Promise<number | undefined>;
}

/** What a conversation is held with. */
export interface ConverseOptions extends Pick<TextStageOptions, "family" | "tokenizer"> {
  readonly speaking?: TextStageOptions["speaking"];
  readonly opening?: TextStageOptions["opening"];
  readonly format?: TextStageOptions["format"];
  /** For what the world leaves to chance. */
  readonly seed: number;
}

/** What one who learns saw and wrote, and what became of it for them. */
export interface View {
  readonly scenes: readonly Scene[];
  readonly conversed: Conversed;
}

/** What was played of a problem: all that the model saw and wrote, and what became of it. */
export interface Played extends View {
  /** Whether it was cut off: too many turns, or no room for another. */
  readonly truncated: boolean;
  /** The same as others saw it that learn too, where they had a turn. */
  readonly others?: readonly View[];
  /** Tokens of the model's that another has in common with it, from which it was forked. */
  readonly before?: number;
}

/** A conversation that was held. */
export interface Conversation extends Played {
  readonly context: Context;
}

/** The name of the model's own part. */
export const own = "model";

/** Who speaks for each role; the model's own is `"model"`. */
export type Cast = { readonly [role: string]: Speaker };
