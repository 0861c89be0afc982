import { type OptionTable, size } from "@reins/core";
import { checkNames, checkSize } from "@reins/core/settings";

/** Options of every environment. */
const everywhere: OptionTable = {
  rows: size(1, "Copies of the environment.", { within: "count" }),
  maxSteps: size<number | undefined>(
    undefined,
    "Maximum steps per episode before truncation, instead of the default; Infinity: none.",
    { within: "positive" },
  ),
};

/** Option of environments that also have a form in tensor operations. */
const traced = {
  traced: size(false, "In tensor operations: f32, and a whole round of training is one compiled call."),
} satisfies OptionTable;

/** Options of the built-in environments, besides the common ones. */
export const options = {
  traced,
  cartPole: {
    suttonBarto: size(false, "Reward 0 while the pole stands and -1 when it falls."),
    ...traced,
  },
  mountainCar: { goalSpeed: size(0, "Minimum speed at the flag.", { within: "any" }), ...traced },
  lunarLander: {
    continuous: size(false, "Continuous throttles instead of on/off engines."),
    gravity: size(-10, "Between -12 and 0.", { within: "any" }),
    wind: size(false, "Whether wind blows while no leg is on the ground."),
    windPower: size(15, "Maximum wind force; up to 20 is sensible.", { within: "nonnegative" }),
    turbulencePower: size(1.5, "Maximum turbulence torque; up to 2 is sensible.", {
      within: "nonnegative",
    }),
  },
  bipedalWalker: { hardcore: size(false, "Stumps, stairs and pits as obstacles.") },
  driving: {
    pixels: size(false, "Images from above instead of rays and speeds."),
    discrete: size(false, "Five actions instead of steering and pedals."),
  },
  frozenLake: {
    map: size<unknown>(undefined, "4x4, 8x8, or lines of S (start), F (ice), H (hole) and G (goal)."),
    slippery: size(true, "Whether a step may slide to either side."),
    successRate: size(1 / 3, "Probability that a step on slippery ice goes in the intended direction.", {
      within: "share",
    }),
    rewards: size<unknown>(undefined, "Rewards for the goal, for a hole, and for any other step."),
    ...traced,
  },
  cliffWalking: { slippery: size(false, "Whether a step may slide to either side."), ...traced },
  taxi: {
    rainy: size(false, "Whether rain makes the taxi slide to either side."),
    straight: size(0.8, "Probability that a drive in the rain goes in the intended direction.", {
      within: "share",
    }),
    ...traced,
  },
  blackjack: {
    suttonBarto: size(true, "Sutton and Barto's rules: a natural (an ace and a ten) wins."),
    natural: size(false, "Without those rules: a winning natural has reward 1.5."),
  },
  chain: { length: size(5, "States in a row.", { within: "count" }) },
  bandit: {
    means: size<unknown>(undefined, "The mean reward of each arm."),
    deviation: size(1, "Standard deviation of gaussian rewards.", { within: "nonnegative" }),
  },
  linearBandit: {
    arms: size(5, "Arms.", { within: "count" }),
    features: size(8, "Features of a context.", { within: "count" }),
    noise: size(0.1, "Standard deviation of the reward noise.", { within: "nonnegative" }),
    problem: size(0, "Seed of the arms' weights.", { within: "whole" }),
  },
} satisfies { readonly [env: string]: OptionTable };

/** The options of an environment with the common ones. */
export const allOptions = (own: OptionTable): OptionTable => ({ ...everywhere, ...own });

/** Rejects unknown options and invalid values. */
export function checkOptions(id: string, own: OptionTable, given: object): void {
  const table = allOptions(own);
  checkNames(id, given, table);
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) checkSize(id, name, value, table[name]);
}
