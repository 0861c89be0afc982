import { choice, type OptionTable, size } from "@reins/core";
import type { BatchedEnv, BatchedOptions } from "../batch-form.ts";
import { Acrobot } from "../classic/acrobot.ts";
import { CartPole } from "../classic/cartpole.ts";
import { MountainCar } from "../classic/mountain-car.ts";
import { MountainCarContinuous } from "../classic/mountain-car-continuous.ts";
import { Pendulum } from "../classic/pendulum.ts";
import type { ContextRanges } from "./contexts.ts";
import { Contextual, type ContextualOptions } from "./contextual.ts";

const options = {
  context: size<unknown>(
    undefined,
    "A number or [low, high] for each parameter that differs from its default.",
  ),
  testContext: size<unknown>(undefined, "Parameters that differ in the test, disjoint from training."),
  contexts: size<unknown>(
    undefined,
    "Training contexts, or { train: 100, test: 50, seed: 0 }; without it every episode has a new one.",
  ),
  split: choice("train", ["train", "test"], "Which contexts are played."),
  visible: size(true, "Whether the sampled parameters are observed."),
} satisfies OptionTable;

const entry = (
  id: string,
  description: string,
  ranges: ContextRanges,
  make: (given: BatchedOptions) => BatchedEnv,
) => ({
  description,
  options,
  make: ({ rows, maxSteps, ...given }: ContextualOptions) =>
    new Contextual(
      id,
      make({ ...(rows === undefined ? {} : { rows }), ...(maxSteps === undefined ? {} : { maxSteps }) }),
      ranges,
      given,
    ),
});

/** Classic control with parameters that vary between episodes, by id. */
export const contextual = {
  "ContextualCartPole-v0": entry(
    "ContextualCartPole-v0",
    "Keep a pole upright on a cart; length, masses and force vary between episodes.",
    { poleLength: [0.25, 1], poleMass: [0.05, 0.2], cartMass: [0.5, 2], force: [5, 15] },
    (given) => new CartPole(given),
  ),
  "ContextualPendulum-v0": entry(
    "ContextualPendulum-v0",
    "Swing a pendulum up; gravity, mass and length vary between episodes.",
    { gravity: [7, 13], mass: [0.7, 1.3], length: [0.7, 1.3] },
    (given) => new Pendulum(given),
  ),
  "ContextualMountainCar-v0": entry(
    "ContextualMountainCar-v0",
    "Rock a car out of a valley; gravity and force vary between episodes.",
    { gravity: [0.002, 0.003], force: [0.0008, 0.0014] },
    (given) => new MountainCar(given),
  ),
  "ContextualMountainCarContinuous-v0": entry(
    "ContextualMountainCarContinuous-v0",
    "Rock a car out of a valley with little power; gravity and power vary between episodes.",
    { gravity: [0.002, 0.003], power: [0.0012, 0.002] },
    (given) => new MountainCarContinuous(given),
  ),
  "ContextualAcrobot-v0": entry(
    "ContextualAcrobot-v0",
    "Swing up two links; gravity, lengths and masses vary between episodes.",
    { gravity: [8, 12], length1: [0.7, 1.3], length2: [0.7, 1.3], mass1: [0.7, 1.3], mass2: [0.7, 1.3] },
    (given) => new Acrobot(given),
  ),
};
