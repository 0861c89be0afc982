import { define, fail, setting } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import { dqn, dqnParts } from "./dqn.ts";
import { munchausen } from "./q/munchausen.ts";

// The target network's policy evaluates the next state, for one step: double Q-learning and n-step returns do not
// apply.
const { double: _, nStep: __, ...options } = dqn.definition.options;

/** Munchausen DQN (Vieillard et al., 2020): DQN with soft targets whose log-policy is added to the reward. */
export const munchausenDqn = define({
  name: "munchausen-dqn",
  summary: "DQN with its log-policy added to the reward: larger action gaps, more stable learning.",
  paper: "Munchausen Reinforcement Learning (Vieillard et al., 2020)",
  options: {
    bonus: setting(
      0.9,
      "Weight of the log-policy added to rewards. Higher changes the policy more slowly (0 to 0.95).",
      {
        within: "share",
      },
    ),
    temperature: setting(
      0.03,
      "Temperature of the softmax policy, in units of reward. Higher is softer and learns more slowly (0.01 to 0.1).",
      { within: "positive" },
    ),
    bonusLimit: setting(
      1,
      "Lower clip bound of the scaled log-policy. Higher penalises rare actions more (0.5 to 10).",
      {
        within: "nonnegative",
      },
    ),
    ...options,
  },
  actions: dqn.definition.actions,
  parts(o, context, name) {
    if (o.distribution === "categorical")
      fail(
        name,
        'its target mixes the values of all actions, which a categorical distribution cannot represent. Set distribution to "none", "quantile" or "implicit".',
      );
    return dqnParts({ ...o, double: false, nStep: 1 }, context, name, { bootstrap: munchausen(o) });
  },
  begin: offPolicy,
});
