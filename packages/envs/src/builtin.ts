import { Acrobot } from "./classic/acrobot.ts";
import { CartPole, type CartPoleOptions } from "./classic/cartpole.ts";
import { MountainCar, type MountainCarOptions } from "./classic/mountain-car.ts";
import { MountainCarContinuous } from "./classic/mountain-car-continuous.ts";
import { Pendulum } from "./classic/pendulum.ts";
import type { BatchedOptions } from "./batched.ts";

/** The environments that ship with Reins, by id. */
export const builtin = {
  "CartPole-v0": {
    description: "Keep a pole upright on a cart, for 200 steps.",
    make: (options: CartPoleOptions) => new CartPole({ ...options, version: 0 }),
  },
  "CartPole-v1": {
    description: "Keep a pole upright on a cart, for 500 steps.",
    make: (options: CartPoleOptions) => new CartPole({ ...options, version: 1 }),
  },
  "MountainCar-v0": {
    description: "Rock an underpowered car out of a valley.",
    make: (options: MountainCarOptions) => new MountainCar(options),
  },
  "MountainCarContinuous-v0": {
    description: "Rock a car out of a valley with as little power as possible.",
    make: (options: MountainCarOptions) => new MountainCarContinuous(options),
  },
  "Pendulum-v1": {
    description: "Swing a pendulum up with a weak motor and hold it.",
    make: (options: BatchedOptions) => new Pendulum(options),
  },
  "Acrobot-v1": {
    description: "Swing two links above a line with a motor at their joint.",
    make: (options: BatchedOptions) => new Acrobot(options),
  },
};
