import type { Drawing } from "../drawing.ts";
import type { EnvSpec, Info, ResetOptions } from "../env.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Space, Value } from "../space.ts";

/**
 * One copy of an environment with several agents, each in a fixed slot of `spec.agents.names`. All arrays have one entry per slot.
 * Agents come and go: a slot without an agent has the observation null.
 */
export interface MultiEnv {
  readonly spec: EnvSpec;
  /** What `global` gives, where a centralised critic may see more than the agents do. */
  readonly globalSpace?: Space;
  reset(options?: ResetOptions): MultiView;
  /** One action per slot, null for those that do not act now. The array is reused; copy it to keep it. */
  step(actions: readonly (Value | null)[]): MultiStep;
  /** Which actions are allowed to an agent that may act now, one entry (0 or 1) per choice; absent: all. */
  mask?(slot: number): ArrayLike<number | boolean>;
  /** The whole of the game, for critics. */
  global?(): Value;
  save?(): Snapshot;
  restore?(from: Snapshot): void;
  render?(): string;
  picture?(): Drawing;
  close?(): void;
}

/** What the agents see. */
export interface MultiView {
  /** Null for an agent that is not there. While one waits for its turn null means: what it saw last. */
  readonly observations: readonly (Value | null)[];
  /** Who may act now. By default all who are there; where agents take turns, exactly one. */
  readonly alive?: ArrayLike<boolean | number>;
  readonly info?: Info;
}

/** What a step of several agents gives back. */
export interface MultiStep extends MultiView {
  /** A number per slot, or one for each name in `spec.rewards`. Rewards of absent agents are ignored. */
  readonly rewards: ArrayLike<number> | readonly ArrayLike<number>[];
  /** Agents whose own episode ended: they leave, and may come back in a later step. */
  readonly terminated: readonly boolean[];
  readonly truncated: readonly boolean[];
  /** Whether the game ended for all. Agents still in it that are not marked as truncated count as terminated. */
  readonly over: boolean;
}
