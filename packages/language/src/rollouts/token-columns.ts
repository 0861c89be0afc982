import type { Segment } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { type Tensor, tensor } from "@reins/tensor";
import type { ConversationSegment } from "../chat/context.ts";
import type { Span } from "../generation/span.ts";
import { type ImageObservation, observationsOf } from "./prompt.ts";
import { samplingTrace } from "./sampling-trace.ts";

/** A step of an episode: the observed token, and the span and index of the chosen one. */
interface Step {
  readonly seen: number;
  readonly span: Span;
  readonly at: number;
}

/** A segment whose spans are complete. */
type TokenSegment = Pick<ConversationSegment, "parent"> & { readonly spans: readonly Span[] };

/** The columns of an episode from the tokens of its segments, and the segments of the episode. */
export interface TokenColumns {
  readonly columns: { readonly [name: string]: Tensor | { readonly [name: string]: Tensor } };
  /** The column `trace`, where a step was sampled from a restricted distribution. */
  readonly trace?: { readonly [name: string]: Tensor };
  /** Turn of each step: the model's own turns are numbered from 1; 0 is a message of others. */
  readonly turns: readonly number[];
  readonly segments: readonly Segment[];
}

/**
 * Tokens as the columns of an episode: each step observes a token, for models that read images also its patch, and
 * chooses the next token. Its author is the author of the chosen token.
 */
export function tokenColumns(all: readonly TokenSegment[], images: ImageObservation = {}): TokenColumns {
  const { steps, segments } = stepsOf(all);
  const numbers = (of: (step: Step) => number) => steps.map(of);
  return {
    columns: {
      observation: observationsOf(
        numbers((s) => s.seen),
        images,
      ),
      action: tensor(Int32Array.from(numbers(({ span, at }) => span.tokens[at])), { dtype: "i32" }),
      logProb: tensor(Float32Array.from(numbers(({ span, at }) => span.logProb?.[at] ?? 0))),
      version: tensor(Int32Array.from(numbers(({ span, at }) => span.version?.[at] ?? 0)), { dtype: "i32" }),
      by: tensor(Uint8Array.from(numbers(({ span }) => makers.indexOf(span.by))), { dtype: "u8" }),
    },
    trace: samplingTrace(
      steps.map(({ span: { kept, temperature }, at }) => ({ kept: kept?.[at], temperature })),
      images.words,
    ),
    turns: numbers(({ span }) => (span.turn ?? -1) + 1),
    segments,
  };
}

/** The steps of all segments, one after another. Tokens that a segment shares with its parent are not repeated. */
function stepsOf(all: readonly TokenSegment[]): { steps: Step[]; segments: Segment[] } {
  const paths: { token: number; step: number }[][] = [];
  const segments: Segment[] = [];
  const steps: Step[] = [];
  all.forEach(({ spans, parent }) => {
    const before = parent ? paths[parent.segment].slice(0, parent.tokens) : [];
    const path = [...before];
    const from = steps.length;
    for (const span of spans)
      span.tokens.forEach((token, at) => {
        const last = path[path.length - 1];
        // The first token is observed, but not chosen.
        if (last) steps.push({ seen: last.token, span, at });
        path.push({ token, step: last ? steps.length - 1 : -1 });
      });
    paths.push(path);
    // The shared prefix ends with the step that chose its last token.
    const step = parent ? before[before.length - 1].step : -1;
    segments.push({
      from,
      to: steps.length,
      ...(parent ? { parent: { segment: parent.segment, step } } : {}),
    });
  });
  return { steps, segments };
}
