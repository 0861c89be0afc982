import { type ResolvedOptions, setting, size } from "@reins/core";
import * as rows from "../options.ts";

/** Options of TD3. */
export const td3Options = {
  ...rows.actorCritic({ learningRate: 1e-3 }),
  gamma: rows.discount(),
  noise: setting(
    0.1,
    "Exploration: standard deviation of the action noise, in units of half the action range. Higher explores more (0.05 to 0.5).",
    { within: "nonnegative" },
  ),
  smoothing: setting(
    0.2,
    "Target policy smoothing: standard deviation of the noise. Higher relies less on narrow peaks of the critics (0.1 to 0.3).",
    { within: "nonnegative" },
  ),
  smoothingLimit: setting(0.5, "Target policy smoothing: maximum noise (0.3 to 0.5).", {
    within: "nonnegative",
  }),
  policyEvery: size(
    2,
    "Critic updates per update of the actor and the target networks. More lets the critics settle first (1 to 4).",
    { within: "count" },
  ),
  critics: size(
    2,
    "Number of critics; the lowest one is used in TD targets. More is less optimistic (1 to 4).",
    {
      within: "count",
    },
  ),
  ...rows.replayed({ batch: 256, capacity: 100_000, trainEvery: 1 }),
  ...rows.hindsight,
  ...rows.augment,
  hidden: rows.hidden([256, 256], "Widths of the hidden layers of actor and critics."),
  ...rows.body,
};

/** Live settings of TD3. */
export type Td3Settings = ResolvedOptions<typeof td3Options>;
