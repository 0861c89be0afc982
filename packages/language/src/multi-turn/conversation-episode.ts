import type { Episode } from "@reins/core";
import { tensor } from "@reins/tensor";
import type { ConversationSegment } from "../chat/context.ts";
import type { ImageObservation } from "../rollouts/prompt.ts";
import type { AnswerResult } from "../rollouts/text-episode.ts";
import { tokenColumns } from "../rollouts/token-columns.ts";
import type { Message } from "../tokenizers/message.ts";

/** The result of a conversation. */
export interface ConversationResult extends AnswerResult {
  readonly messages: readonly Message[];
  /** Number of opening messages. */
  readonly opening: number;
  /** Environment reward of each of the model's turns. */
  readonly rewards: readonly number[];
  /** Final state of the environment. */
  readonly state?: unknown;
  /** Number of tool calls by status. */
  readonly calls: { readonly [status: string]: number };
  /** Total cost of tool calls. */
  readonly price: number;
  /** The role whose view this is; undefined for the model. */
  readonly role?: string;
  /** Why the conversation ended early, if something failed. */
  readonly failed?: string;
}

/** An episode that is a conversation. */
export interface ConversationEpisode extends Episode {
  readonly answered: ConversationResult;
}

/** Metadata of an episode besides the messages. */
export interface EpisodeNotes extends Pick<Episode, "task" | "group" | "context" | "truncated" | "role"> {
  readonly answered: ConversationResult;
  /** Index of the weights that wrote it, where there are several. */
  readonly speaker?: number;
}

/**
 * A conversation as an episode, with one part for each of its segments; see {@link tokenColumns}. The column `turn`
 * numbers the model's own turns from 1; it is 0 for messages of others.
 */
export function conversationEpisode(
  all: readonly ConversationSegment[],
  { speaker, ...rest }: EpisodeNotes,
  images: ImageObservation = {},
): ConversationEpisode {
  const { columns, trace, turns, segments } = tokenColumns(all, images);
  const speakers =
    speaker === undefined
      ? undefined
      : { speaker: tensor(new Int32Array(turns.length).fill(speaker), { dtype: "i32" }) };
  return {
    columns: {
      ...columns,
      turn: tensor(Int32Array.from(turns), { dtype: "i32" }),
      ...(trace || speakers ? { trace: { ...trace, ...speakers } } : {}),
    },
    segments,
    terminated: !rest.truncated,
    return: [],
    problem: rest.answered.problem.key ?? rest.answered.problem.prompt,
    ...rest,
  };
}
