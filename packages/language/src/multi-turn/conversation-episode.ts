import type { Episode, Segment } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { tensor } from "@reins/tensor";
import type { ConversationSegment } from "../chat/context.ts";
import { type ImageObservation, observationsOf } from "../rollouts/prompt.ts";
import { samplingTrace } from "../rollouts/sampling-trace.ts";
import type { AnswerResult } from "../rollouts/text-episode.ts";
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
 * A conversation as an episode, with one part for each of its segments. Each step observes a token and chooses the
 * next one; its author is the author of the chosen token. The column `turn` numbers the model's own turns from 1; it
 * is 0 for messages of others.
 */
export function conversationEpisode(
  segments: readonly ConversationSegment[],
  { speaker, ...rest }: EpisodeNotes,
  sight: ImageObservation = {},
): ConversationEpisode {
  const paths: { token: number; step: number }[][] = [];
  const parts: Segment[] = [];
  const rows: Row[] = [];
  segments.forEach(({ spans, parent }) => {
    const before = parent ? paths[parent.segment].slice(0, parent.tokens) : [];
    const path = [...before];
    const from = rows.length;
    for (const p of spans)
      p.tokens.forEach((token, i) => {
        const last = path[path.length - 1];
        // The first token is observed, but not chosen.
        if (last) rows.push({ seen: last.token, chosen: token, span: p, place: i });
        path.push({ token, step: last ? rows.length - 1 : -1 });
      });
    paths.push(path);
    // The shared prefix ends with the step that chose its last token.
    const step = parent ? before[before.length - 1].step : -1;
    parts.push({ from, to: rows.length, ...(parent ? { parent: { segment: parent.segment, step } } : {}) });
  });
  const numbers = (of: (row: Row) => number) => rows.map(of);
  return {
    columns: {
      observation: observationsOf(
        numbers((r) => r.seen),
        sight,
      ),
      action: tensor(Int32Array.from(numbers((r) => r.chosen)), { dtype: "i32" }),
      logProb: tensor(Float32Array.from(numbers(({ span, place }) => span.logProb?.[place] ?? 0))),
      version: tensor(Int32Array.from(numbers(({ span, place }) => span.version?.[place] ?? 0)), {
        dtype: "i32",
      }),
      by: tensor(Uint8Array.from(numbers(({ span }) => makers.indexOf(span.by))), { dtype: "u8" }),
      turn: tensor(Int32Array.from(numbers(({ span }) => (span.turn ?? -1) + 1)), { dtype: "i32" }),
      ...traceOf(rows, sight, speaker),
    },
    segments: parts,
    terminated: !rest.truncated,
    return: [],
    problem: rest.answered.problem.key ?? rest.answered.problem.prompt,
    ...rest,
  };
}

/** Further inputs of scoring: kept sets, temperatures, index of the weights. */
function traceOf(rows: readonly Row[], { words }: ImageObservation, speaker: number | undefined) {
  const sampled = samplingTrace(
    rows.map(({ span: { kept, temperature }, place }) => ({ kept: kept?.[place], temperature })),
    words,
  );
  if (!sampled && speaker === undefined) return {};
  return {
    trace: {
      ...sampled,
      ...(speaker === undefined
        ? {}
        : { speaker: tensor(new Int32Array(rows.length).fill(speaker), { dtype: "i32" }) }),
    },
  };
}

interface Row {
  readonly seen: number;
  readonly chosen: number;
  readonly span: ConversationSegment["spans"][number];
  readonly place: number;
}
