import type { ConversationContext, ConversationSegment } from "../chat/context.ts";
import type { Generated } from "../generation/sequence.ts";
import type { Span } from "../generation/span.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import type { ConversationState } from "../tasks/text-task.ts";
import type { ConversationResult } from "./conversation-episode.ts";

/** A generated or scripted turn. */
export interface SpokenTurn {
  readonly text: string;
  readonly span: Span;
  readonly ended: Generated["ended"];
}

/** Writes the turns of a role: the model, a teacher or a fixed policy. */
export interface Speaker {
  /** Undefined where the context has no room for another turn. */
  (
    context: ConversationContext,
    conversation: ConversationState,
    turn: number,
  ): Promise<SpokenTurn | undefined>;
  /**
   * Probability of this text now, optionally after a forced prefix: the geometric mean over its tokens. Undefined
   * where the context has no room for it, or the text is empty.
   */
  probabilityOf?(context: ConversationContext, text: string, after?: string): Promise<number | undefined>;
}

/** Options of a conversation. */
export interface ConverseOptions extends Pick<TextStageOptions, "task" | "tokenizer"> {
  readonly chatFormat?: TextStageOptions["chatFormat"];
  readonly opening?: TextStageOptions["opening"];
  readonly format?: TextStageOptions["format"];
  /** Seed of the environment's random numbers. */
  readonly seed: number;
}

/** A conversation from the view of one learning role, with its result. */
export interface ConversationView {
  readonly segments: readonly ConversationSegment[];
  readonly result: ConversationResult;
}

/** A completed rollout of a problem: everything the model saw and wrote, and the result. */
export interface ConversationRollout extends ConversationView {
  /** Whether it was cut off: too many turns, or no room for another. */
  readonly truncated: boolean;
  /** The views of other learning roles that had a turn. */
  readonly others?: readonly ConversationView[];
  /** Length of the prefix of the model's own tokens shared with the conversation it was forked from. */
  readonly before?: number;
}

/** A completed conversation. */
export interface Conversation extends ConversationRollout {
  readonly context: ConversationContext;
}

/** The name of the model's own role. */
export const own = "model";

/** The speaker of each role; the model's own role is `"model"`. */
export type Speakers = { readonly [role: string]: Speaker };
