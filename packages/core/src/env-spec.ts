import type { Labels, Space } from "./space.ts";

/**
 * Description of an environment, which has one of three forms:
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
  /** Steps until an episode is truncated; `Infinity` or absent: no limit. */
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

/** Steps until an episode is truncated; undefined without a time limit (`maxSteps` is absent or `Infinity`). */
export const timeLimitOf = ({ maxSteps }: Pick<EnvSpec, "maxSteps">): number | undefined =>
  maxSteps === Number.POSITIVE_INFINITY ? undefined : maxSteps;

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
