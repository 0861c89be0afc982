import { define, fail, offPolicy, setting } from "@reins/core";
import { dqn, dqnParts } from "./dqn.ts";
import { munchausen } from "./q/munchausen.ts";

// The target network's own policy values the next state, one step later: nothing is double, and no bonus is left out.
const { double: _, nStep: __, ...options } = dqn.definition.options;

/** Munchausen DQN (Vieillard et al., 2020): DQN with soft targets, whose own log-policy is part of the reward. */
export const munchausenDqn = define({
  name: "munchausen-dqn",
  summary:
    "DQN that also pays itself for what it already prefers: wider gaps between actions, steadier learning.",
  paper: "Munchausen Reinforcement Learning (Vieillard et al., 2020)",
  options: {
    bonus: setting(
      0.9,
      "Share of the log-policy that is added to rewards. Higher changes its mind less (0 to 0.95).",
      {
        within: "share",
      },
    ),
    temperature: setting(
      0.03,
      "Of the policy that values stand for, in units of reward. Higher is softer and learns more slowly (0.01 to 0.1).",
      { within: "positive" },
    ),
    bonusLimit: setting(
      1,
      "How far below 0 the scaled log-policy counts. Higher punishes rare actions more (0.5 to 10).",
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
        'it mixes the values of all actions, which a categorical distribution does not express. Use distribution "none", "quantile" or "implicit".',
      );
    return dqnParts({ ...o, double: false, nStep: 1 }, context, name, { bootstrap: munchausen(o) });
  },
  begin: offPolicy,
});
