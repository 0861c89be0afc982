import { type OptionsOf, size, type TracedEnv, type VectorEnv } from "@reins/core";
import { fromTraced } from "@reins/core/forms";
import type { BatchedOptions } from "../batch-form.ts";
import { planarCar } from "./car.ts";
import { planarCheetah } from "./cheetah.ts";
import { goalPush, goalReach } from "./goal-tasks.ts";
import { type GoalTask, goalWorld } from "./goal-world.ts";
import { planarHopper, planarWalker } from "./legged-robots.ts";
import { planarPusher } from "./pusher.ts";
import { planarQuadrotor } from "./quadrotor.ts";
import { quadrotor } from "./spatial-quadrotor.ts";
import { cartPoleSwingUp } from "./swing-up.ts";
import { planarReacher, pointMass } from "./table-top.ts";
import { type PhysicsParams, type PlanarTask, physicsParams, planarWorld, type WorldState } from "./world.ts";

/** Options of all physics environments. */
export const physicsOptions = {
  gravity: size<number | undefined>(undefined, "Gravity in m/s²; the task's own by default.", {
    within: "any",
  }),
  friction: size(1, "Friction factor of ground, table and tyres.", { within: "nonnegative" }),
  strength: size(1, "Force factor of each motor.", { within: "nonnegative" }),
};

/** Options of a physics environment. */
export type PhysicsOptions = BatchedOptions & OptionsOf<typeof physicsOptions>;

const made = (
  description: string,
  gravity: number,
  world: (maxSteps?: number) => TracedEnv<PhysicsParams, WorldState>,
) => ({
  description,
  options: physicsOptions,
  make: ({ rows = 1, maxSteps, ...numbers }: PhysicsOptions): VectorEnv =>
    fromTraced(world(maxSteps), physicsParams({ gravity }, numbers), rows),
});

const entry = (description: string, task: PlanarTask) =>
  made(description, task.gravity, (maxSteps) => planarWorld(task, maxSteps));

/** Options of goal environments, with optional dense rewards. */
export const goalOptions = {
  ...physicsOptions,
  dense: size(false, "Reward minus the distance to the goal, instead of -1 until it is reached."),
};

/** Options of a goal environment. */
export type GoalOptions = BatchedOptions & OptionsOf<typeof goalOptions>;

const goalEntry = (description: string, task: GoalTask) => ({
  description,
  options: goalOptions,
  make: ({ rows = 1, maxSteps, dense, ...numbers }: GoalOptions): VectorEnv =>
    fromTraced(goalWorld(task, { maxSteps, dense }), physicsParams(task, numbers), rows),
});

/** Environments with Reins' own physics, by id. */
export const physicsEnvs = {
  "PointMass-v0": entry("Bring a point to a goal on a table.", pointMass),
  "PlanarReacher-v0": entry("Reach a target with the tip of a two-link arm.", planarReacher),
  "CartPoleSwingUp-v0": entry("Swing a pole up and hold it, by pushing its cart.", cartPoleSwingUp),
  "PlanarHopper-v0": entry("Hop forward on one leg.", planarHopper),
  "PlanarWalker-v0": entry("Walk forward on two legs.", planarWalker),
  "PlanarCheetah-v0": entry("Run forward on a hind leg and a foreleg.", planarCheetah),
  "PlanarQuadrotor-v0": entry("Fly to a point with two propellers, and stay there.", planarQuadrotor),
  "Quadrotor-v0": made("Fly to a point with four propellers, and stay there.", 9.81, quadrotor),
  "PlanarCar-v0": entry("Drive to a place with tyres that may slide.", planarCar),
  "PlanarPusher-v0": entry("Push a disc to a goal with the tip of an arm.", planarPusher),
  "GoalReach-v0": goalEntry("Bring the tip of an arm to a goal that is new each time.", goalReach),
  "GoalPush-v0": goalEntry("Push a disc to a goal that is new each time.", goalPush),
};
