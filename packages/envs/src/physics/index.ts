/** Reins' own physics: planar articulated bodies as tensor operations, and environments with them. */
export { advance, type BodyState, type Drive } from "./advance.ts";
export type { BodyJoint, Capsule, Contact, Link, PlanarBody, PlanarPoint, Softness } from "./body.ts";
export { capsuleInertia, withTotalMass } from "./capsules.ts";
export { planarCar } from "./car.ts";
export { planarCheetah } from "./cheetah.ts";
export type { Push } from "./dynamics.ts";
export type { GoalOptions, PhysicsOptions } from "./envs.ts";
export { goalPush, goalReach } from "./goal-tasks.ts";
export { type GoalTask, type GoalWorldOptions, goalWorld } from "./goal-world.ts";
export { planarHopper, planarWalker } from "./legged-robots.ts";
export { type Coordinate, type LinkTree, treeOf } from "./link-tree.ts";
export { type Motion, motionOf, placeOf, pointOf } from "./motion.ts";
export type { Num, Vec } from "./num.ts";
export { planarPusher } from "./pusher.ts";
export { planarQuadrotor } from "./quadrotor.ts";
export type { Draw } from "./random-columns.ts";
export { quadrotor } from "./spatial-quadrotor.ts";
export { cartPoleSwingUp } from "./swing-up.ts";
export { planarReacher, pointMass } from "./table-top.ts";
export {
  type PhysicsNumbers,
  type PhysicsParams,
  type PlanarTask,
  physicsParams,
  planarWorld,
  type WorldState,
} from "./world.ts";
