import { type Episode, fail } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { tensor } from "@reins/tensor";
import type { Span } from "../generation/span.ts";
import type { Problem } from "../tasks/text-task.ts";
import { type ImageObservation, observationsOf } from "./prompt.ts";
import { samplingTrace } from "./sampling-trace.ts";

/** A problem and its answer. */
export interface AnswerResult {
  readonly problem: Problem;
  readonly text: string;
  readonly ended: string;
}

/** An episode that is a text. */
export interface TextEpisode extends Episode {
  readonly answered: AnswerResult;
}

/** The problem and answer of an episode; throws for episodes without a text. */
export function answerOf(episode: Episode): AnswerResult {
  const isText = (e: Episode): e is TextEpisode => "answered" in e;
  return isText(episode)
    ? episode.answered
    : fail("verifier", "the episode has no text. Build it with textEpisode().");
}

/**
 * A text as an episode: each step observes a token, with `sight` also its patch, and chooses the next token. Its
 * author is the author of the chosen token.
 */
export function textEpisode(
  spans: readonly Span[],
  rest: Pick<Episode, "task" | "group" | "context" | "truncated" | "role"> & {
    readonly answered: AnswerResult;
  },
  sight: ImageObservation = {},
): TextEpisode {
  const all = spans.flatMap((p) => p.tokens);
  // The first token is observed, but not chosen.
  const column = (of: (p: Span, i: number) => number) =>
    spans.flatMap((p) => p.tokens.map((_, i) => of(p, i))).slice(1);
  const steps = all.length - 1;
  const sampled = spans.flatMap(({ tokens, kept, temperature }) =>
    tokens.map((_, i) => ({ kept: kept?.[i], temperature })),
  );
  const trace = samplingTrace(sampled.slice(1), sight.words);
  return {
    columns: {
      observation: observationsOf(all.slice(0, -1), sight),
      action: tensor(Int32Array.from(all.slice(1)), { dtype: "i32" }),
      logProb: tensor(Float32Array.from(column((p, i) => p.logProb?.[i] ?? 0))),
      version: tensor(Int32Array.from(column((p, i) => p.version?.[i] ?? 0)), { dtype: "i32" }),
      by: tensor(Uint8Array.from(column((p) => makers.indexOf(p.by))), { dtype: "u8" }),
      ...(trace ? { trace } : {}),
    },
    segments: [{ from: 0, to: steps }],
    terminated: !rest.truncated,
    return: [],
    problem: rest.answered.problem.prompt,
    ...rest,
  };
}
