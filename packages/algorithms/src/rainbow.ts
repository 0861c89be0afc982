import { choice, define, setting, size } from "@reins/core";
import { dqn } from "./dqn.ts";

const { options } = dqn.definition;

/** Rainbow (Hessel et al., 2018): DQN with everything on. */
export const rainbow = define({
  ...dqn.definition,
  name: "rainbow",
  summary: "DQN with double, dueling, noisy, distributional, multi-step and prioritised learning together.",
  paper: "Rainbow: Combining Improvements in Deep Reinforcement Learning (Hessel et al., 2018)",
  options: {
    ...options,
    epsilon: setting(0, options.epsilon.about),
    nStep: size(3, options.nStep.about),
    dueling: size(true, options.dueling.about),
    noisy: size(true, options.noisy.about),
    prioritised: size(true, options.prioritised.about),
    distribution: choice<"none" | "categorical" | "quantile">(
      "categorical",
      ["none", "categorical", "quantile"],
      options.distribution.about,
    ),
  },
});
