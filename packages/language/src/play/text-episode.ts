import { type Episode, fail, type Maker, makers } from "@reins/core";
import { tensor } from "@reins/tensor";
import type { Problem } from "../tasks/family.ts";
import { observed, type Sight } from "./prompt.ts";
import { samplingTrace } from "./sampling-trace.ts";

/** What was asked and answered. */
export interface Answered {
  readonly problem: Problem;
  readonly text: string;
  readonly ended: string;
}

/** An episode that is a text. */
export interface TextEpisode extends Episode {
  readonly answered: Answered;
}

/** What was asked and answered in an episode; one that is no text is refused. */
export function answeredIn(episode: Episode): Answered {
  const isText = (e: Episode): e is TextEpisode => "answered" in e;
  return isText(episode)
    ? episode.answered
    : fail("verifier", "an episode is no text: it does not say what was asked and answered.");
}

/** Tokens that someone wrote, with what is known of each. */
export interface Passage {
  readonly by: Maker;
  readonly tokens: readonly number[];
  readonly logProbs?: readonly number[];
  readonly versions?: readonly number[];
  /** The kept set of each token; undefined for those chosen from the whole vocabulary. */
  readonly kept?: readonly (Int32Array | undefined)[];
  /** The temperature that the tokens were sampled at, where it was not the policy's. */
  readonly temperature?: number;
}

/**
 * A text as an episode: each step sees a token, with `sight` also the patch that stands there, and chooses the next token. It is by
 * whoever wrote the token that was chosen.
 */
export function textEpisode(
  passages: readonly Passage[],
  rest: Pick<Episode, "task" | "group" | "context" | "truncated" | "role"> & { readonly answered: Answered },
  sight: Sight = {},
): TextEpisode {
  const all = passages.flatMap((p) => p.tokens);
  // The first token is seen, but nobody chose it.
  const column = (of: (p: Passage, i: number) => number) =>
    passages.flatMap((p) => p.tokens.map((_, i) => of(p, i))).slice(1);
  const steps = all.length - 1;
  const sampled = passages.flatMap(({ tokens, kept, temperature }) =>
    tokens.map((_, i) => ({ kept: kept?.[i], temperature })),
  );
  const trace = samplingTrace(sampled.slice(1), sight.words);
  return {
    columns: {
      observation: observed(all.slice(0, -1), sight),
      action: tensor(Int32Array.from(all.slice(1)), { dtype: "i32" }),
      logProb: tensor(Float32Array.from(column((p, i) => p.logProbs?.[i] ?? 0))),
      version: tensor(Int32Array.from(column((p, i) => p.versions?.[i] ?? 0)), { dtype: "i32" }),
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
