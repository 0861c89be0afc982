import type { Sampling } from "./generation/sampling.ts";
import type { LanguageModel } from "./models/language-model.ts";
import type { Split } from "./tasks/draw.ts";
import type { Family } from "./tasks/family.ts";
import type { Tokenizer } from "./tokenizers/tokenizer.ts";

/** Settings of `textStage`. */
export interface TextStageOptions {
  readonly family: Family;
  readonly level: number;
  readonly start: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** How a problem is put to the model; its prompt as it stands by default. With a chat template, as a turn of a conversation. */
  readonly ask?: (prompt: string) => readonly number[];
  readonly sampling?: Sampling;
  /** Most tokens of an answer (default: the family's longest, and the end). */
  readonly limit?: number;
  /** Texts that are written at the same time (default 64). */
  readonly rows?: number;
  readonly split?: Split;
}
