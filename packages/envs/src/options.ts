import { checkNames, checkSize, type OptionTable, size } from "@reins/core";

/** What every environment can be made with. */
const everywhere: OptionTable = {
  rows: size(1, "Copies of the environment.", { within: "count" }),
  maxSteps: size<number | undefined>(
    undefined,
    "Steps after which an episode is truncated, instead of the usual number; Infinity: never.",
    { within: "positive" },
  ),
};

/** Options of the environments that ship with Reins, beside those of all. */
export const options = {
  none: {},
  cartPole: {
    suttonBarto: size(false, "Rewards of 0 while the pole stands and -1 when it falls."),
    traced: size(false, "In tensor operations: f32, and a whole round of training is one compiled call."),
  },
  mountainCar: { goalSpeed: size(0, "Speed to have at the flag.", { within: "any" }) },
  lunarLander: {
    continuous: size(false, "Throttles instead of engines that are on or off."),
    gravity: size(-10, "Between -12 and 0.", { within: "any" }),
    wind: size(false, "Whether wind blows while no leg is on the ground."),
    windPower: size(15, "Force of the strongest wind; up to 20 is sensible.", { within: "nonnegative" }),
    turbulencePower: size(1.5, "Torque of the strongest turbulence; up to 2 is sensible.", {
      within: "nonnegative",
    }),
  },
  bipedalWalker: { hardcore: size(false, "Stumps, stairs and pits in the way.") },
  driving: {
    pixels: size(false, "Pictures from above instead of rays and speeds."),
    discrete: size(false, "Five actions instead of steering and pedals."),
  },
  frozenLake: {
    map: size<unknown>(undefined, "4x4, 8x8, or lines of S (start), F (ice), H (hole) and G (goal)."),
    slippery: size(true, "Whether a step may slide to either side."),
    successRate: size(1 / 3, "Probability that a step on slippery ice goes where it was meant to.", {
      within: "share",
    }),
    rewards: size<unknown>(undefined, "Rewards for the goal, for a hole, and for any other step."),
  },
  cliffWalking: { slippery: size(false, "Whether a step may slide to either side.") },
  taxi: {
    rainy: size(false, "Whether rain makes the taxi slide to either side."),
    straight: size(0.8, "Probability that a drive in the rain goes where it was meant to.", {
      within: "share",
    }),
  },
  blackjack: {
    suttonBarto: size(true, "Sutton and Barto's rules: an ace and a ten on the first two cards win."),
    natural: size(false, "Without those rules: such a hand pays 1.5 when it wins."),
  },
  chain: { length: size(5, "States in a row.", { within: "count" }) },
  bandit: {
    means: size<unknown>(undefined, "The mean reward of each arm."),
    deviation: size(1, "Standard deviation of gaussian rewards.", { within: "nonnegative" }),
  },
  linearBandit: {
    arms: size(5, "Arms.", { within: "count" }),
    features: size(8, "Numbers in a context.", { within: "count" }),
    noise: size(0.1, "Standard deviation of what is added to a reward.", { within: "nonnegative" }),
    problem: size(0, "Seed of the weights that the arms have.", { within: "whole" }),
  },
} satisfies { readonly [env: string]: OptionTable };

/** The options of an environment with those that all have. */
export const allOptions = (own: OptionTable): OptionTable => ({ ...everywhere, ...own });

/** Refuses options that an environment has not, and values that they cannot have. */
export function checkOptions(id: string, own: OptionTable, given: object): void {
  const table = allOptions(own);
  checkNames(id, given, table);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) checkSize(id, name, value, table[name]);
}
