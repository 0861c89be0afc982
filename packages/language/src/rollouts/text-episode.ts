import { type Episode, fail } from "@reins/core";
import type { Span } from "../generation/span.ts";
import type { Problem } from "../tasks/text-task.ts";
import type { ImageObservation } from "./prompt.ts";
import { tokenColumns } from "./token-columns.ts";

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

/** A text as an episode; see {@link tokenColumns}. */
export function textEpisode(
  spans: readonly Span[],
  rest: Pick<Episode, "task" | "group" | "context" | "truncated" | "role"> & {
    readonly answered: AnswerResult;
  },
  images: ImageObservation = {},
): TextEpisode {
  const { columns, trace, segments } = tokenColumns([{ spans }], images);
  return {
    columns: { ...columns, ...(trace ? { trace } : {}) },
    segments,
    terminated: !rest.truncated,
    return: [],
    problem: rest.answered.problem.prompt,
    ...rest,
  };
}
