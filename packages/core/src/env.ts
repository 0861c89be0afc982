import type { Tensor, Tree } from "@reins/tensor";
import type { Rendering } from "./drawing.ts";
import type { Saved, Snapshot } from "./snapshot.ts";
import type { Labels, Space, Value } from "./space.ts";

/**
 * An environment, in three forms:
 *
 * - an {@link Env} is one copy with plain values, the easiest to write; an {@link AsyncEnv} answers with promises;
 * - a {@link VectorEnv} is many copies in columns, stepped in place; rollouts use this form. `vectorise` makes one from Envs;
 * - a {@link TracedEnv} is tensor operations: differentiable simulators and learned world models. `fromTraced` makes a VectorEnv of it.
 *
 * The contract is Gymnasium's: `terminated` means that the episode ended (the future value is 0), `truncated` that it was only cut off
 * (its value must be bootstrapped). Both can be true in the last allowed step; termination wins then.
 */
export interface EnvSpec {
  /** Name and version, as in `CartPole-v1`. A change of behaviour is a new version. */
  readonly id: string;
  readonly observation: Space;
  readonly action: Space;
  /**
   * Names of the numbers of an observation and of the choices or numbers of an action, for charts and printouts. They are separate from the
   * spaces: agents and checkpoints fit with or without them.
   */
  readonly labels?: { readonly observation?: Labels; readonly action?: Labels };
  /** Names of the reward's components, where the reward is a vector. */
  readonly rewards?: readonly string[];
  /** Steps until an episode is truncated. */
  readonly maxSteps?: number;
  /** The mean return over 100 episodes that counts as solved. */
  readonly solvedAt?: number;
  /** Lowest and highest possible return of an episode, if known; confidence intervals are clipped there. */
  readonly returnBounds?: readonly [low: number, high: number];
  /** Reward for reaching goals, if observations have goals. */
  readonly goals?: Goals;
  /** Several agents: each copy has one row per slot. */
  readonly agents?: Agents;
}

/**
 * The reward of a goal-conditioned environment. Observations are then a dict of `observation`, `achieved` (the goal that the state
 * satisfies) and `desired` (the goal to reach), the last two of the same shape, so that the reward for another goal can be computed
 * afterwards. Plain data, shared by environments and by hindsight relabelling.
 */
export interface Goals {
  /** Distance below which a goal counts as reached, in the units of the goal. */
  readonly tolerance: number;
  /** "sparse": 0 if the goal is reached, otherwise -1. "dense": minus the distance to it. */
  readonly reward: "sparse" | "dense";
  /** Whether an episode ends when its goal is reached; otherwise the goal has to be held. */
  readonly ends: boolean;
}

/** Fixed slots for agents. The action of a row is ignored while its agent is absent or it is another agent's turn. */
export interface Agents {
  readonly names: readonly string[];
  /** "parallel": all living agents act at once. "turns": one at a time. */
  readonly order: "parallel" | "turns";
  /** Which policy controls a slot ("policy" by default). */
  readonly policies?: readonly string[];
}

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
   * Which actions are allowed now, one entry (0 or 1, or a boolean) per choice (default: all). Not called in an episode's last state:
   * if the episode was truncated, methods that value actions there treat all of them as allowed.
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
  /** bool [rows]: agents that are present and may act, in multi-agent environments. */
  readonly alive?: Tensor;
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

/**
 * An environment made of tensor operations on a batch: every tensor has the leading axis [rows]. `params` are physical constants or
 * the weights of a learned model; gradients flow through all of it.
 */
export interface TracedEnv<P extends Tree = Tree, S extends Tree = Tree> {
  readonly spec: EnvSpec;
  /**
   * Whether `reset` and `step` also accept one key per row, [rows, 2]. A row's episodes then depend on its own seed only, not on other
   * rows; otherwise all rows share one key and differ by their position.
   */
  readonly rowKeys?: boolean;
  reset(params: P, rows: number, key: Tensor): S;
  observe(params: P, state: S): Tree;
  step(params: P, state: S, action: Tree, key: Tensor): TracedStep<S>;
  /** A rendering of one row as shapes; the state holds numbers here. */
  picture?(params: P, state: S, row: number): Rendering;
  /** A rendering of one row as lines of text. */
  render?(params: P, state: S, row: number): string;
}

/** Rows of a traced environment that step within a larger function. They share the columns of their VectorEnv. */
export interface TracedRows {
  /** The state carried from step to step; the caller updates it in place. */
  readonly carry: Tree;
  readonly params: Tree;
  step(carry: Tree, params: Tree, action: Tree): TracedColumns & { readonly carry: Tree };
  /** Records the results of step `t` of a grid, as if `step` had taken it. */
  took(t: number, grid: Pick<TracedColumns, "reward" | "terminated" | "truncated">): void;
}

/** The columns that a traced step of all rows makes. */
export type TracedColumns = {
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
};

/** Result of a traced step. */
export interface TracedStep<S extends Tree = Tree> {
  readonly state: S;
  readonly reward: Tensor;
  /** bool [rows] */
  readonly terminated: Tensor;
}
