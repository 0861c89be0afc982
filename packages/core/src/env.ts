import type { Tensor, Tree } from "@reins/tensor";
import type { Rendering } from "./drawing.ts";
import type { EnvSpec } from "./env-spec.ts";
import type { Saved, Snapshot } from "./snapshot.ts";
import type { Value } from "./space.ts";
import type { TracedRows } from "./traced-env.ts";

export type { Agents, EnvSpec, Goals } from "./env-spec.ts";
export type { TracedColumns, TracedEnv, TracedRows, TracedStep } from "./traced-env.ts";

/** The parameters of a problem: a level, a payoff table, a prompt. */
export type EnvContext = { readonly [name: string]: Value };

/** Options of an episode's start. */
export interface ResetOptions {
  /** The same seed gives the same episode. Without one the environment continues its random stream. */
  readonly seed?: number;
  /** The problem to play, if the environment has several. */
  readonly context?: EnvContext;
}

/** Options for the start of the episodes of many copies. */
export interface VectorResetOptions extends Omit<ResetOptions, "seed"> {
  /** One number, from which each copy derives its own seed (see `rowSeeds`), or a list with one seed per copy. */
  readonly seed?: number | readonly number[];
}

/** Additional information, not for learning. */
export type Info = { readonly [name: string]: unknown };

/** Result of `step`. The reward is a number, or one for each name in `spec.rewards`. */
export interface Step<O = Value> {
  readonly observation: O;
  readonly reward: number | ArrayLike<number>;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info?: Info;
}

/** One copy of an environment. Each step returns a new observation, which the caller may keep. */
export interface Env<O = Value, A = Value> {
  readonly spec: EnvSpec;
  reset(options?: ResetOptions): { readonly observation: O; readonly info?: Info };
  step(action: A): Step<O>;
  /**
   * Which actions are allowed now, one entry (0 or 1, or a boolean) per choice (default: all). Called in the last state of a truncated
   * episode too, since methods value its actions; if it allows none there, all count as allowed. Not called after a termination.
   */
  mask?(): ArrayLike<number | boolean>;
  /** The whole state, including random numbers; absent if that is impossible (a real robot, a remote service). */
  save?(): Snapshot;
  restore?(from: Snapshot): void;
  /** A rendering of the current state as lines of text. */
  render?(): string;
  /** A rendering as shapes, for image files (default: the text of `render`). */
  picture?(): Rendering;
  close?(): void;
}

/**
 * One copy of an environment that answers asynchronously: a game over a network, a web page, a robot. `vectorise` waits for all rows,
 * so results do not depend on which answers first. Its state is remote, so it is not saved.
 */
export interface AsyncEnv<O = Value, A = Value>
  extends Pick<Env<O, A>, "spec" | "mask" | "render" | "close"> {
  reset(options?: ResetOptions): Promise<{ readonly observation: O; readonly info?: Info }>;
  step(action: A): Promise<Step<O>>;
  /** Milliseconds until a `step` or `reset` without an answer fails (default 60 000). */
  readonly stepTimeout?: number;
}

/**
 * Many copies in columns. `step` reads one action per row and overwrites the columns; it allocates nothing. When an episode ends, the
 * row starts the next one in the same step: `observation` is then the new episode's first, and `final` holds the old one's last.
 */
export interface VectorEnv extends Saved {
  readonly spec: EnvSpec;
  /** Rows of every column: copies × agents. */
  readonly rows: number;
  /** Columns of the observation space, [rows, …]. */
  readonly observation: Tree;
  /** f32 [rows], or [rows, components]. */
  readonly reward: Tensor;
  /** bool [rows] */
  readonly terminated: Tensor;
  /** bool [rows] */
  readonly truncated: Tensor;
  /** The last observation of the episodes that ended in this step; undefined content in other rows. */
  readonly final: Tree;
  /** bool [rows, choices]: allowed actions, if the environment restricts them. */
  readonly mask?: Tree;
  /** The allowed actions in the last state of the episodes that ended in this step, as `final` is for `observation` (default: all). */
  readonly finalMask?: Tree;
  /** bool [rows]: agents that are present and may act, in multi-agent environments. */
  readonly alive?: Tensor;
  /**
   * bool [rows]: the observation is the first of an episode. For environments whose agents come back later than in the step in which
   * their last episode ended (default: an episode begins where one ended).
   */
  readonly begins?: Tensor;
  /** The state that a centralised critic sees, [rows, …]. */
  readonly global?: Tree;
  /** The global state at the end of the episodes that ended in this step, as `final` is for `observation`. */
  readonly finalGlobal?: Tree;
  /** Return and length of the episodes that ended in this step, before reward shaping and scaling, by row. */
  readonly ended: { readonly return: Float64Array; readonly length: Int32Array };
  /** Row 0 gets the seed itself, row i `stream(seed, "row", i)`; a list has one seed per row, or per copy with several agents. */
  reset(options?: VectorResetOptions): void;
  step(action: Tree): void;
  /** Set if copies answer asynchronously: resolves when the columns hold the result of the last `reset` or `step`, rejects if an answer fails. */
  readonly pending?: Promise<void> | undefined;
  /** The same rows as tensor operations, if available: many steps are then one compiled call. */
  readonly traced?: TracedRows;
  /** False if `save` and `restore` throw (default true). */
  readonly savable?: boolean;
  render?(row: number): string;
  picture?(row: number): Rendering;
  close?(): void;
}
