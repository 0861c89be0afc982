/** An environment to compare with Gymnasium's. */
export interface Case {
  readonly name: string;
  readonly id: string;
  /** Gymnasium's arguments, and ours. */
  readonly arguments?: { readonly [name: string]: unknown };
  readonly options?: { readonly [name: string]: unknown };
  /** Policies of `peers/gymnasium_episodes.py`, which alternate by seed (default: random actions). */
  readonly policies?: readonly string[];
  /** Maximum number of steps of endless episodes. */
  readonly cap?: number;
}

const random = "act_at_random";
const lake = ["SFFFF", "FHFHF", "FFFFH", "HFSFG"];

/** All environments that Gymnasium has, with the options that both support. */
export const cases: readonly Case[] = [
  { name: "CartPole-v0", id: "CartPole-v0", policies: [random, "hold_pole"] },
  { name: "CartPole-v1", id: "CartPole-v1", policies: [random, "hold_pole", "hold_pole"] },
  {
    name: "CartPole-v1, Sutton and Barto's reward",
    id: "CartPole-v1",
    arguments: { sutton_barto_reward: true },
    options: { suttonBarto: true },
    policies: [random, "hold_pole"],
  },
  { name: "MountainCar-v0", id: "MountainCar-v0", policies: [random, "push_along"] },
  {
    name: "MountainCar-v0, fast at the flag",
    id: "MountainCar-v0",
    arguments: { goal_velocity: 0.03 },
    options: { goalSpeed: 0.03 },
    policies: ["push_along"],
  },
  {
    name: "MountainCarContinuous-v0",
    id: "MountainCarContinuous-v0",
    policies: [random, "push_along"],
  },
  {
    name: "MountainCarContinuous-v0, fast at the flag",
    id: "MountainCarContinuous-v0",
    arguments: { goal_velocity: 0.03 },
    options: { goalSpeed: 0.03 },
    policies: ["push_along"],
  },
  { name: "Acrobot-v1", id: "Acrobot-v1", policies: [random, "swing_links"] },
  { name: "Pendulum-v1", id: "Pendulum-v1", policies: [random, "lift_pendulum"] },
  { name: "FrozenLake-v1", id: "FrozenLake-v1" },
  {
    name: "FrozenLake-v1, not slippery",
    id: "FrozenLake-v1",
    arguments: { is_slippery: false },
    options: { slippery: false },
  },
  {
    name: "FrozenLake-v1, a map, success rate and rewards",
    id: "FrozenLake-v1",
    arguments: { desc: lake, success_rate: 0.75, reward_schedule: [10, -5, -0.1] },
    options: { map: lake, successRate: 0.75, rewards: [10, -5, -0.1] },
  },
  { name: "FrozenLake8x8-v1", id: "FrozenLake8x8-v1" },
  { name: "CliffWalking-v1", id: "CliffWalking-v1", cap: 1000 },
  { name: "CliffWalkingSlippery-v1", id: "CliffWalkingSlippery-v1", cap: 1000 },
  { name: "Taxi-v4", id: "Taxi-v4", policies: [random, "arrive_late"] },
  { name: "Taxi-v4, rainy", id: "Taxi-v4", arguments: { is_rainy: true }, options: { rainy: true } },
  {
    name: "Taxi-v4, heavy rain",
    id: "Taxi-v4",
    arguments: { is_rainy: true, rainy_probability: 0.5 },
    options: { rainy: true, straight: 0.5 },
  },
  { name: "Blackjack-v1", id: "Blackjack-v1", policies: [random, "keep_low"] },
  {
    name: "Blackjack-v1, naturals pay more",
    id: "Blackjack-v1",
    arguments: { sab: false, natural: true },
    options: { suttonBarto: false, natural: true },
    policies: [random, "keep_low"],
  },
  {
    name: "Blackjack-v1, naturals pay the same",
    id: "Blackjack-v1",
    arguments: { sab: false, natural: false },
    options: { suttonBarto: false },
    policies: [random, "keep_low"],
  },
];
