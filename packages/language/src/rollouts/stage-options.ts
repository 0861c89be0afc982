import type { ChatFormat } from "../chat/chat-format.ts";
import type { Sampling } from "../generation/sampling.ts";
import type { LanguageModel } from "../models/language-model.ts";
import type { Split } from "../tasks/sample-problem.ts";
import type { Problem, TextTask } from "../tasks/text-task.ts";
import type { ConversationEncoder } from "../tokenizers/conversation-encoder.ts";
import type { Message } from "../tokenizers/message.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { CallFormat } from "../tools/call-format.ts";

/** Settings of `textStage`. */
export interface TextStageOptions {
  readonly task: TextTask;
  readonly level: number;
  readonly start: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** Tokens that end an answer, besides the tokenizer's end token: see `endTokens` (default: none). */
  readonly ends?: readonly number[];
  /** A model with the same tokenizer from which `start` is distilled. */
  readonly teacher?: LanguageModel;
  /** How a problem becomes prompt tokens (default: the prompt itself). With a chat template, a user turn. */
  readonly encodePrompt?: (prompt: string) => readonly number[];
  /** How problems with messages become prompt tokens (default: plain text). */
  readonly conversationEncoder?: ConversationEncoder;
  /** Chat format of multi-turn conversations (default: texts one after another). */
  readonly chatFormat?: ChatFormat;
  /** Opening messages of a conversation (default: the problem's messages, or its prompt as a user message). */
  readonly opening?: (problem: Problem) => readonly Message[];
  /** Format of tool calls, where the task has none (default: `terse`). */
  readonly format?: CallFormat;
  /** The task's scripted player to imitate (default `expert`). */
  readonly player?: string;
  /** Forks each conversation after `turn` turns into `into` continuations, which are compared with each other. */
  readonly forks?: { readonly turn: number; readonly into: number };
  readonly sampling?: Sampling;
  /** Stop strings: an answer ends where one occurs. */
  readonly stop?: readonly string[];
  /** Maximum tokens of an answer (default: the task's longest answer and the end token). */
  readonly limit?: number;
  /** Texts generated at the same time (default 64). */
  readonly rows?: number;
  readonly split?: Split;
  /** Passes over a listed dataset, after which training ends (default: no limit). */
  readonly epochs?: number;
}
