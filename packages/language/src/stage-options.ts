import type { Speaking } from "./conversation/speaking.ts";
import type { Sampling } from "./generation/sampling.ts";
import type { LanguageModel } from "./models/language-model.ts";
import type { Split } from "./tasks/draw.ts";
import type { Family, Problem } from "./tasks/family.ts";
import type { Conversing } from "./tokenizers/conversing.ts";
import type { Message } from "./tokenizers/message.ts";
import type { Tokenizer } from "./tokenizers/tokenizer.ts";
import type { CallFormat } from "./tools/call-format.ts";

/** Settings of `textStage`. */
export interface TextStageOptions {
  readonly family: Family;
  readonly level: number;
  readonly start: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** How a problem is put to the model; its prompt as it stands by default. With a chat template, as a turn of a conversation. */
  readonly ask?: (prompt: string) => readonly number[];
  /** How conversations are put to it, where problems are some; in plain words by default. */
  readonly converse?: Conversing;
  /** How conversations of several turns become tokens, where the family has some; one text after another by default. */
  readonly speaking?: Speaking;
  /** How a conversation begins (default: with the problem's messages, or its prompt as what a user says). */
  readonly opening?: (problem: Problem) => readonly Message[];
  /** How calls of tools are written, where the family does not say (default: `terse`). */
  readonly format?: CallFormat;
  /** Whose turns are imitated, of the family's players (default `expert`). */
  readonly player?: string;
  /** Conversations are forked after so many turns, into so many that go on each in its own way and are compared with each other. */
  readonly forks?: { readonly turn: number; readonly into: number };
  readonly sampling?: Sampling;
  /** Texts that end an answer where they come up. */
  readonly stop?: readonly string[];
  /** Most tokens of an answer (default: the family's longest, and the end). */
  readonly limit?: number;
  /** Texts that are written at the same time (default 64). */
  readonly rows?: number;
  readonly split?: Split;
  /** How often listed problems are gone through, after which training ends; as often as there are steps for, by default. */
  readonly epochs?: number;
}
