import { leaves, type Tensor, type Tree } from "@reins/tensor";
import type { EnvContext } from "./env.ts";
import type { Value } from "./space.ts";

/** What produced a step; `greedy` is the policy acting greedily. Only `policy` steps are trained on, unless a loss selects others. */
export const makers = ["policy", "tool", "teacher", "hint", "environment", "greedy"] as const;
/** One of {@link makers}. */
export type Maker = (typeof makers)[number];

/**
 * A contiguous run of steps with one context. A plain trajectory is one segment. A transcript that is rewritten every turn has one per
 * turn, each with its own context. A tree of continuations shares prefixes: `parent` gives the step and segment after which this one
 * begins. The trace of an action (a denoising chain, a search) is a child segment owned by its step.
 */
export interface Segment {
  /** Steps [from, to) of the columns. */
  readonly from: number;
  readonly to: number;
  /** What the steps were conditioned on besides their own observations: a prompt, a summary, an option. */
  readonly context?: Value;
  readonly parent?: { readonly segment: number; readonly step: number };
  /** The step (of the columns) whose action this segment explains. */
  readonly owner?: number;
}

/** One rollout of one problem: columns of steps, in segments. */
export interface Episode {
  /**
   * Named columns, each [steps, …]. Any part may add one. The usual: `observation`, `action`, `reward`, `logProb` (of the behaviour policy),
   * `value`, `by` (u8, an index of {@link makers}), `version` (i32, of the weights), `proposed` (where the executed action differs).
   */
  readonly columns: { readonly [name: string]: Tree };
  readonly segments: readonly Segment[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Sum of the rewards, one number per component. */
  readonly return: readonly number[];
  /** Kind of problem, for statistics by task. */
  readonly task?: string;
  /** Identity of the problem: equal for all rollouts of it, in any batch. */
  readonly problem?: string;
  readonly context?: EnvContext;
  /** Episodes with the same key are compared with each other. */
  readonly group?: string;
  /** What played the episode (default: the policy, sampling). A greedy episode serves as a baseline. */
  readonly role?: "greedy" | "teacher";
  /** Recorded completions: the score that the data give to it, compared within its group. Chosen ones have 1, rejected ones 0. */
  readonly score?: number;
  /** Recorded completions: by how much it is better than the others of its group, where annotators said so. */
  readonly margin?: number;
  /** Episodes this one came from: a proposal, a parent, an opponent's view of the game. */
  readonly links?: readonly { readonly kind: string; readonly episode: Episode }[];
  /** Anything else worth keeping: a transcript's text, the reasons of a verdict. */
  readonly info?: { readonly [name: string]: unknown };
}

/** Number of steps of an episode. */
export function stepsOf(episode: Episode): number {
  return leaves(episode.columns)[0]?.shape[0] ?? 0;
}

/** Whether the policy itself made a step, sampled or greedy. */
const isOwn = (maker: number) => makers[maker] === "policy" || makers[maker] === "greedy";

/** Number of steps that the policy itself made: the length of a completion. */
export function ownSteps({ columns }: Episode): number {
  const { data } = columns.by as Tensor;
  let count = 0;
  for (let i = 0; i < data.length; i++) if (isOwn(data[i])) count++;
  return count;
}

/**
 * The last step that the policy made, which receives the reward of the whole episode; step 0 if it made none. It belongs to the last
 * turn, which is not in the last segment where a conversation returned to an earlier one.
 */
export function lastOwnStep(episode: Episode): number {
  const by = episode.columns.by as Tensor | undefined;
  if (!by) return stepsOf(episode) - 1;
  const turn = (episode.columns.turn as Tensor | undefined)?.data;
  let last = -1;
  for (let i = 0; i < by.size; i++)
    if (isOwn(by.data[i]) && (last < 0 || !turn || turn[i] >= turn[last])) last = i;
  return Math.max(0, last);
}

/** The steps that lead to the end of a segment, shared prefixes first: one root-to-leaf path of a tree. */
export function pathOf(episode: Episode, segment: number): number[] {
  const { from, to, parent } = episode.segments[segment];
  const own = Array.from({ length: to - from }, (_, i) => from + i);
  if (!parent) return own;
  const before = pathOf(episode, parent.segment);
  return [...before.slice(0, before.indexOf(parent.step) + 1), ...own];
}
