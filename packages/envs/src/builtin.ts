import { Bandit, type BanditOptions } from "./bandits.ts";
import { box2dEnvs } from "./box2d/envs.ts";
import { type ChainOptions, chain, riverSwim } from "./chain.ts";
import type { CartPoleOptions } from "./classic/cartpole.ts";
import { contextual } from "./contextual/index.ts";
import { LinearBandit, type LinearBanditOptions } from "./contextual-bandit.ts";
import { type DrivingOptions, driving } from "./driving/driving.ts";
import { games } from "./games/index.ts";
import { goalEnvs } from "./goals/index.ts";
import { gridWorlds } from "./grid-worlds/index.ts";
import { memory } from "./memory/index.ts";
import { minatar } from "./minatar/index.ts";
import { mujocoEnvs } from "./mujoco/envs.ts";
import { options } from "./options.ts";
import { physicsEnvs } from "./physics/envs.ts";
import { Blackjack, type BlackjackOptions } from "./toy/blackjack.ts";
import { type CliffWalkingOptions, cliffWalkingTable } from "./toy/cliff-walking.ts";
import { type FrozenLakeOptions, frozenLakeTable } from "./toy/frozen-lake.ts";
import { type TaxiOptions, taxiTable } from "./toy/taxi.ts";
import { acrobot } from "./traced-envs/acrobot.ts";
import { cartPole } from "./traced-envs/cart-pole.ts";
import { mountainCar, mountainCarContinuous } from "./traced-envs/mountain-car.ts";
import { pendulum } from "./traced-envs/pendulum.ts";
import { eitherTable } from "./traced-envs/table.ts";

/** The built-in environments, by id. */
export const builtin = {
  "CartPole-v0": {
    description: "Keep a pole upright on a cart, for 200 steps.",
    options: options.cartPole,
    make: (options: CartPoleOptions) => cartPole({ ...options, version: 0 }),
  },
  "CartPole-v1": {
    description: "Keep a pole upright on a cart, for 500 steps.",
    options: options.cartPole,
    make: (options: CartPoleOptions) => cartPole({ ...options, version: 1 }),
  },
  "MountainCar-v0": {
    description: "Rock an underpowered car out of a valley.",
    options: options.mountainCar,
    make: mountainCar,
  },
  "MountainCarContinuous-v0": {
    description: "Rock a car out of a valley with as little power as possible.",
    options: options.mountainCar,
    make: mountainCarContinuous,
  },
  "Pendulum-v1": {
    description: "Swing a pendulum up with a weak motor and hold it.",
    options: options.traced,
    make: pendulum,
  },
  "Acrobot-v1": {
    description: "Swing two links above a line with a motor at their joint.",
    options: options.traced,
    make: acrobot,
  },
  "Driving-v0": {
    description: "Drive a lap on a random road.",
    options: options.driving,
    make: (options: DrivingOptions) => driving(options),
  },
  "FrozenLake-v1": {
    description: "Cross a slippery 4 × 4 lake without falling into a hole.",
    options: options.frozenLake,
    make: eitherTable<FrozenLakeOptions>(frozenLakeTable),
  },
  "FrozenLake8x8-v1": {
    description: "Cross a slippery 8 × 8 lake without falling into a hole.",
    options: options.frozenLake,
    make: eitherTable((options: FrozenLakeOptions) =>
      frozenLakeTable({ map: "8x8", ...options, id: "FrozenLake8x8-v1" }),
    ),
  },
  "CliffWalking-v1": {
    description: "Walk along a cliff by the shortest path.",
    options: options.cliffWalking,
    make: eitherTable<CliffWalkingOptions>(cliffWalkingTable),
  },
  "CliffWalkingSlippery-v1": {
    description: "Walk along a slippery cliff.",
    options: options.cliffWalking,
    make: eitherTable((options: CliffWalkingOptions) =>
      cliffWalkingTable({ slippery: true, ...options, id: "CliffWalkingSlippery-v1" }),
    ),
  },
  "Taxi-v4": {
    description: "Pick up a passenger and drive to the destination.",
    options: options.taxi,
    make: eitherTable<TaxiOptions>(taxiTable),
  },
  "Blackjack-v1": {
    description: "Get closer to 21 than the dealer.",
    options: options.blackjack,
    make: (options: BlackjackOptions) => new Blackjack(options),
  },
  "Chain-v0": {
    description: "Reach the end of a chain although turning back pays immediately.",
    options: options.chain,
    make: (options: ChainOptions) => chain(options),
  },
  "RiverSwim-v0": {
    description: "Swim upstream for a large reward although drifting downstream pays a little.",
    options: options.chain,
    make: (options: ChainOptions) => riverSwim(options),
  },
  "BernoulliBandit-v0": {
    description: "Find the arm with the highest success probability.",
    options: options.bandit,
    make: (options: BanditOptions) => new Bandit({ ...options, rewards: "bernoulli" }),
  },
  "GaussianBandit-v0": {
    description: "Find the arm with the highest mean reward.",
    options: options.bandit,
    make: (options: BanditOptions) => new Bandit({ ...options, rewards: "gaussian" }),
  },
  "LinearBandit-v0": {
    description: "Pull the arm that suits the context.",
    options: options.linearBandit,
    make: (options: LinearBanditOptions) => new LinearBandit(options),
  },
  ...box2dEnvs,
  ...mujocoEnvs,
  ...physicsEnvs,
  ...goalEnvs,
  ...minatar,
  ...memory,
  ...gridWorlds,
  ...games,
  ...contextual,
};
