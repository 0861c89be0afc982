import type { OptionTable } from "@reins/core";
import { ant, antOptions } from "./ant.ts";
import { loadMujoco } from "./engine.ts";
import { halfCheetah, halfCheetahOptions } from "./half-cheetah.ts";
import { hopper, hopperOptions } from "./hopper.ts";
import { humanoid, humanoidOptions } from "./humanoid.ts";
import { humanoidStandup, humanoidStandupOptions } from "./humanoid-standup.ts";
import { invertedDoublePendulum, invertedDoublePendulumOptions } from "./inverted-double-pendulum.ts";
import { invertedPendulum, invertedPendulumOptions } from "./inverted-pendulum.ts";
import { MujocoEnv } from "./mujoco-env.ts";
import { pusher, pusherOptions } from "./pusher.ts";
import { reacher, reacherOptions } from "./reacher.ts";
import { swimmer, swimmerOptions } from "./swimmer.ts";
import type { MujocoTask, TaskOptions } from "./task.ts";
import { walker2d, walker2dOptions } from "./walker2d.ts";

const entry = <T extends OptionTable>(
  description: string,
  options: T,
  task: (options: TaskOptions<T>) => MujocoTask,
) => ({
  description,
  options,
  load: () => loadMujoco(),
  make: (given: TaskOptions<T>) => new MujocoEnv(task(given), given),
});

/** Gymnasium's environments in MuJoCo, by id. */
export const mujocoEnvs = {
  "InvertedPendulum-v5": entry(
    "Balance a pole on a cart that is pushed along a rail.",
    invertedPendulumOptions,
    invertedPendulum,
  ),
  "InvertedDoublePendulum-v5": entry(
    "Balance two poles, one on the other, on a cart that is pushed along a rail.",
    invertedDoublePendulumOptions,
    invertedDoublePendulum,
  ),
  "Reacher-v5": entry("Bring the tip of an arm with two links to a target.", reacherOptions, reacher),
  "Pusher-v5": entry(
    "Push an object over a table to a goal, with an arm of seven joints.",
    pusherOptions,
    pusher,
  ),
  "Swimmer-v5": entry("Swim forward with three links in a viscous fluid.", swimmerOptions, swimmer),
  "Hopper-v5": entry("Hop forward on one leg.", hopperOptions, hopper),
  "HalfCheetah-v5": entry(
    "Run forward as fast as possible on a hind leg and a foreleg, in a plane.",
    halfCheetahOptions,
    halfCheetah,
  ),
  "Walker2d-v5": entry("Walk forward on two legs, in a plane.", walker2dOptions, walker2d),
  "Ant-v5": entry("Run forward on four legs.", antOptions, ant),
  "Humanoid-v5": entry("Walk forward on two legs without falling.", humanoidOptions, humanoid),
  "HumanoidStandup-v5": entry("Stand up from the ground.", humanoidStandupOptions, humanoidStandup),
};
