import type { Rendering } from "../drawing.ts";
import type { EnvSpec, Info, ResetOptions } from "../env.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Space, Value } from "../space.ts";

/**
 * One copy of a multi-agent environment, each agent in a fixed slot of `spec.agents.names`. All arrays have one entry per slot.
 * Agents can come and go: a slot without an agent has the observation null.
 */
export interface MultiEnv {
  readonly spec: EnvSpec;
  /** The space of `global`, if a centralised critic sees more than the agents do. */
  readonly globalSpace?: Space;
  reset(options?: ResetOptions): MultiView;
  /** One action per slot, null for agents that do not act now. The array is reused; copy it to keep it. */
  step(actions: readonly (Value | null)[]): MultiStep;
  /** Allowed actions of an agent that may act now, one entry (0 or 1) per choice (default: all). */
  mask?(slot: number): ArrayLike<number | boolean>;
  /** The global state, for critics. */
  global?(): Value;
  save?(): Snapshot;
  restore?(from: Snapshot): void;
  render?(): string;
  picture?(): Rendering;
  close?(): void;
}

/** The agents' observations. */
export interface MultiView {
  /** Null for an absent agent. For an agent that waits for its turn, null means its last observation. */
  readonly observations: readonly (Value | null)[];
  /** Which agents may act now (default: all that are present); exactly one if agents take turns. */
  readonly alive?: ArrayLike<boolean | number>;
  readonly info?: Info;
}

/** Result of a step of several agents. */
export interface MultiStep extends MultiView {
  /** One number per slot, or one for each name in `spec.rewards`. Rewards of absent agents are ignored. */
  readonly rewards: ArrayLike<number> | readonly ArrayLike<number>[];
  /** Agents whose own episode ended: they leave, and may come back in a later step. */
  readonly terminated: readonly boolean[];
  readonly truncated: readonly boolean[];
  /** Whether the episode ended for all agents. Present agents that are not truncated count as terminated. */
  readonly over: boolean;
}
