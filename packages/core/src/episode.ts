import { leaves, type Tensor, type Tree } from "@reins/tensor";
import type { EnvContext } from "./env.ts";
import type { Value } from "./space.ts";

/** Who made a step; `greedy` is the policy without chance. Only what it did by chance is learned from, unless a loss says otherwise. */
export const makers = ["policy", "tool", "teacher", "hint", "environment", "greedy"] as const;
/** One of {@link makers}. */
export type Maker = (typeof makers)[number];

/**
 * A run of steps with one context. A plain trajectory is one segment. A transcript that is rewritten every round has one a round,
 * each with its own context. A tree of continuations shares prefixes: `parent` says after which step of which segment this one
 * begins. The trace of an action (a denoising chain, a search) is a child segment that its step owns.
 */
export interface Segment {
  /** Steps [from, to) of the columns. */
  readonly from: number;
  readonly to: number;
  /** What the steps were conditioned on beside their own observations: a prompt, a summary, an option. */
  readonly context?: Value;
  readonly parent?: { readonly segment: number; readonly step: number };
  /** The step (of the columns) whose action this segment explains. */
  readonly owner?: number;
}

/** One play of one problem: columns of steps, in segments. */
export interface Episode {
  /**
   * Named columns, each [steps, …]. Any part may add one. The usual: `observation`, `action`, `reward`, `logProb` (of the behaviour),
   * `value`, `by` (u8, an index of {@link makers}), `version` (i32, of the weights), `proposed` (where the executed action differs).
   */
  readonly columns: { readonly [name: string]: Tree };
  readonly segments: readonly Segment[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Sum of the rewards, one number for each component. */
  readonly return: readonly number[];
  /** Which kind of problem it was, for statistics by task. */
  readonly task?: string;
  /** Which problem exactly: the same for all plays of one, in whatever batch. */
  readonly problem?: string;
  readonly context?: EnvContext;
  /** Episodes with the same key are compared with each other. */
  readonly group?: string;
  /** Whose play it is; the policy's own if it is not said. A greedy one is played without chance, to compare with. */
  readonly role?: "greedy" | "teacher";
  /** Episodes this one came from: a proposal, a parent, an opponent's view of the same game. */
  readonly links?: readonly { readonly kind: string; readonly episode: Episode }[];
  /** Anything else worth keeping: a transcript's text, a verdict's reasons. */
  readonly info?: { readonly [name: string]: unknown };
}

/** Steps of an episode. */
export function stepsOf(episode: Episode): number {
  return leaves(episode.columns)[0]?.shape[0] ?? 0;
}

/** Whether the policy itself made a step, with chance or without. */
const isOwn = (maker: number) => makers[maker] === "policy" || makers[maker] === "greedy";

/** Steps that the policy itself made: what a text costs. */
export function ownSteps({ columns }: Episode): number {
  const { data } = columns.by as Tensor;
  let count = 0;
  for (let i = 0; i < data.length; i++) if (isOwn(data[i])) count++;
  return count;
}

/** The last step that the policy made, where what a whole episode earned is paid; the first where it made none. */
export function lastOwnStep(episode: Episode): number {
  const by = episode.columns.by as Tensor | undefined;
  return by ? Math.max(0, Array.from(by.data, isOwn).lastIndexOf(true)) : stepsOf(episode) - 1;
}

/** The steps that lead to the end of a segment, shared prefixes first: one root-to-leaf path of a tree. */
export function pathOf(episode: Episode, segment: number): number[] {
  const { from, to, parent } = episode.segments[segment];
  const own = Array.from({ length: to - from }, (_, i) => from + i);
  if (!parent) return own;
  const before = pathOf(episode, parent.segment);
  return [...before.slice(0, before.indexOf(parent.step) + 1), ...own];
}
