import { box, dict, type Goals, type TracedEnv } from "@reins/core";
import { goalReward } from "@reins/core/forms";
import { split, stack, type Tensor } from "@reins/tensor";
import type { Motion } from "./motion.ts";
import { type PhysicsParams, type PlanarTask, planarWorld, type WorldState } from "./world.ts";

/** A pure goal task: the reward depends on the distance between `achieved` and the state's `goal`. */
export interface GoalTask extends Omit<PlanarTask, "reward" | "solvedAt" | "ends"> {
  /** Distance at which the goal counts as reached, in metres. */
  readonly tolerance: number;
  /** Size of a goal. */
  readonly goalSize: number;
  /** The goal that a state achieves. */
  achieved(state: WorldState, motion: Motion): readonly Tensor[];
}

/** Options of a goal environment. */
export interface GoalWorldOptions {
  readonly maxSteps?: number | undefined;
  /** Reward minus the distance, instead of -1 until the goal is reached. */
  readonly dense?: boolean | undefined;
}

/** A goal task as an environment of tensor operations, with observations `observation`, `achieved` and `desired`. */
export function goalWorld(
  task: GoalTask,
  { maxSteps, dense = false }: GoalWorldOptions = {},
): TracedEnv<PhysicsParams, WorldState> {
  const { tolerance, goalSize, size } = task;
  const goals: Goals = { tolerance, reward: dense ? "dense" : "sparse", ends: false };
  const world = planarWorld(
    {
      ...task,
      size: size + 2 * goalSize,
      observe: (state, motion) => [
        ...task.observe(state, motion),
        ...task.achieved(state, motion),
        ...state.goal,
      ],
      reward: (_, after, __, motion) =>
        goalReward(goals, stack(task.achieved(after, motion), 1), stack(after.goal, 1)),
    },
    maxSteps,
  );
  const place = box([goalSize]);
  return {
    ...world,
    spec: {
      ...world.spec,
      observation: dict({ observation: box([size]), achieved: place, desired: place }),
      labels: {
        observation: { observation: task.labels.observation, achieved: ["x", "y"], desired: ["x", "y"] },
        action: task.labels.action,
      },
      goals,
    },
    observe(params, state) {
      const seen = world.observe(params, state) as Tensor;
      const [observation, achieved, desired] = split(seen, [size, goalSize, goalSize], 1);
      return { observation, achieved, desired };
    },
  };
}
