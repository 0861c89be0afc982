import type { Tensor, Tree } from "@reins/tensor";
import type { Drawing } from "./drawing.ts";
import type { Saved, Snapshot } from "./snapshot.ts";
import type { Space, Value } from "./space.ts";

/**
 * What the agent lives in, in three forms of one thing:
 *
 * - an {@link Env} is one copy, with plain values: the easiest to write; an {@link AsyncEnv} is one that answers later;
 * - a {@link VectorEnv} is many copies in columns, stepped in place: what rollouts run. `vectorise` makes one from Envs;
 * - a {@link TracedEnv} is tensor operations: differentiable simulators and learned world models. `fromTraced` makes a VectorEnv.
 *
 * The contract is Gymnasium's: `terminated` means that the problem ended (the future is worth nothing), `truncated` that only the
 * watching did (its value must be estimated). Both hold where the problem ended in the last step that was allowed; the end counts then.
 */
export interface EnvSpec {
  /** Name and version, as in `CartPole-v1`. A change of behaviour is a new version. */
  readonly id: string;
  readonly observation: Space;
  readonly action: Space;
  /** Names of the reward's components, where the reward is a vector. */
  readonly rewards?: readonly string[];
  /** Steps after which an episode is truncated. */
  readonly maxSteps?: number;
  /** The mean return over 100 episodes that counts as solved. */
  readonly solvedAt?: number;
  /** The lowest and the highest return that an episode can have, where they are known: confidence intervals end there. */
  readonly returnBounds?: readonly [low: number, high: number];
  /** What reaching a goal is worth, where observations have goals. */
  readonly goals?: Goals;
  /** Several agents: each copy owns one row per slot. */
  readonly agents?: Agents;
}

/**
 * What an environment pays for reaching its goals. Observations are then a dict of `observation`, `achieved` (the goal that the state amounts
 * to) and `desired` (the one that is wanted), the last two alike, so that what a step would have earned with another goal can be told
 * afterwards. Plain data: who plays and who relabels read the same.
 */
export interface Goals {
  /** How far from a goal it counts as reached, in the units of the goal. */
  readonly tolerance: number;
  /** "sparse": 0 where the goal is reached and -1 elsewhere. "dense": minus the distance to it. */
  readonly reward: "sparse" | "dense";
  /** Whether an episode ends where its goal is reached; otherwise the goal has to be held. */
  readonly ends: boolean;
}

/** Fixed slots for agents. A row whose agent is absent, or whose turn it is not, is not alive: its action is ignored. */
export interface Agents {
  readonly names: readonly string[];
  /** "parallel": all living agents act at once. "turns": one at a time. */
  readonly order: "parallel" | "turns";
  /** Which policy plays a slot; all play "policy" by default. */
  readonly policies?: readonly string[];
}

/** The parameters of a problem: a level, a payoff table, a prompt. */
export type EnvContext = { readonly [name: string]: Value };

/** What an episode may begin with. */
export interface ResetOptions {
  /** The same seed gives the same episode. Without one the environment continues its stream of random numbers. */
  readonly seed?: number;
  /** The problem to play, where an environment has several. */
  readonly context?: EnvContext;
}

/** What the episodes of many copies may begin with. */
export interface VectorResetOptions extends Omit<ResetOptions, "seed"> {
  /** One number, from which each copy gets a seed of its own (see `rowSeeds`), or a list with the seed of each copy. */
  readonly seed?: number | readonly number[];
}

/** What else happened; not for learning. */
export type Info = { readonly [name: string]: unknown };

/** What `step` gives back. The reward is a number, or one for each name in `spec.rewards`. */
export interface Step<O = Value> {
  readonly observation: O;
  readonly reward: number | ArrayLike<number>;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info?: Info;
}

/** One copy of an environment. Observations are the caller's to keep: a fresh value each step. */
export interface Env<O = Value, A = Value> {
  readonly spec: EnvSpec;
  reset(options?: ResetOptions): { readonly observation: O; readonly info?: Info };
  step(action: A): Step<O>;
  /**
   * Which actions are allowed now, one entry (0 or 1, or a boolean) per choice; absent: all. It is not asked in an episode's last state: where
   * that was cut off, methods that value what may be done there take all actions to be allowed.
   */
  mask?(): ArrayLike<number | boolean>;
  /** The whole state, random numbers included; absent where that is impossible (a real robot, a remote service). */
  save?(): Snapshot;
  restore?(from: Snapshot): void;
  /** A picture of the present state, in lines of text. */
  render?(): string;
  /** The same as shapes, for files of pictures; without it they show what `render` writes. */
  picture?(): Drawing;
  close?(): void;
}

/**
 * One copy of an environment whose answers come later: a game over a network, a page, a robot. `vectorise` waits for all rows, so that
 * nothing depends on which answers first. Its state is elsewhere, so it is not saved.
 */
export interface AsyncEnv<O = Value, A = Value>
  extends Pick<Env<O, A>, "spec" | "mask" | "render" | "close"> {
  reset(options?: ResetOptions): Promise<{ readonly observation: O; readonly info?: Info }>;
  step(action: A): Promise<Step<O>>;
  /** Milliseconds after which a `step` or `reset` without an answer is an error; 60 000 by default. */
  readonly stepTimeout?: number;
}

/**
 * Many copies in columns. `step` reads one action per row and overwrites the columns; it allocates nothing. When an episode ends the
 * row begins the next one in the same step: `observation` is then the new episode's first, and `final` keeps the old one's last.
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
  /** The last observation of the episodes that ended in this step; other rows hold anything. */
  readonly final: Tree;
  /** bool [rows, choices]: allowed actions, where the environment restricts them. */
  readonly mask?: Tree;
  /** bool [rows]: agents that are there and may act, in environments with several. */
  readonly alive?: Tensor;
  /** What a centralised critic may see, [rows, …]. */
  readonly global?: Tree;
  /** The same as `final` is to `observation`: what it was where episodes ended in this step. */
  readonly finalGlobal?: Tree;
  /** Return and length of the episodes that ended in this step, unshaped and unscaled, by row. */
  readonly ended: { readonly return: Float64Array; readonly length: Int32Array };
  /** Row 0 gets the seed itself, row i `stream(seed, "row", i)`; a list has the seed of each row, or of each copy with several agents. */
  reset(options?: VectorResetOptions): void;
  step(action: Tree): void;
  /** Where copies answer later: kept when the columns hold what the last `reset` or `step` led to, and broken if an answer failed to come. */
  readonly pending?: Promise<void> | undefined;
  /** The same rows as tensor operations, where they are that: many steps are then one compiled call. */
  readonly traced?: TracedRows;
  /** Whether `save` and `restore` do anything but fail; they do where nothing is said. */
  readonly savable?: boolean;
  render?(row: number): string;
  picture?(row: number): Drawing;
  close?(): void;
}

/**
 * An environment made of tensor operations on a batch: every tensor has the leading axis [rows]. `params` are constants of the physics or
 * the weights of a learned model; gradients flow through all of it.
 */
export interface TracedEnv<P extends Tree = Tree, S extends Tree = Tree> {
  readonly spec: EnvSpec;
  /**
   * Whether `reset` and `step` also take a key for each row, [rows, 2]. A row's episodes then depend on its own seed alone, whatever is beside
   * it; otherwise one key serves all rows, which differ by their place.
   */
  readonly rowKeys?: boolean;
  reset(params: P, rows: number, key: Tensor): S;
  observe(params: P, state: S): Tree;
  step(params: P, state: S, action: Tree, key: Tensor): TracedStep<S>;
  /** What one row looks like; the state holds numbers here. */
  picture?(params: P, state: S, row: number): Drawing;
  /** The same in lines of text. */
  render?(params: P, state: S, row: number): string;
}

/** Rows of a traced environment that step within a larger function. Their columns are those of the VectorEnv that has them. */
export interface TracedRows {
  /** What a step leaves to the next: who steps changes it in place. */
  readonly carry: Tree;
  readonly params: Tree;
  step(carry: Tree, params: Tree, action: Tree): TracedColumns & { readonly carry: Tree };
  /** Notes the results of step `t` of a grid, as if `step` had taken it. */
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

/** What a traced step gives back. */
export interface TracedStep<S extends Tree = Tree> {
  readonly state: S;
  readonly reward: Tensor;
  /** bool [rows] */
  readonly terminated: Tensor;
}
