import { size } from "@reins/core";
import * as rows from "../options.ts";
import { temperatureRows } from "./temperature.ts";

/** Defaults that differ between soft actor-critics with continuous actions. */
export interface UsualSettings {
  readonly learningRate?: number;
  readonly criticRate?: number;
  /** Critic updates at a time. */
  readonly updates?: number;
  /** Critic updates per actor update. */
  readonly policyEvery?: number;
  /** Defaults of the temperature options. */
  readonly temperature?: Parameters<typeof temperatureRows>[0];
}

/** Options that soft actor-critics with continuous actions share. */
export const softRows = (usual: UsualSettings = {}) => ({
  ...rows.actorCritic({ learningRate: usual.learningRate ?? 3e-4, criticRate: usual.criticRate ?? 3e-4 }),
  gamma: rows.discount(),
  ...temperatureRows(usual.temperature),
  policyEvery: size(
    usual.policyEvery ?? 1,
    "Critic updates per actor update. More lets the critics settle first (1 to 20).",
    { within: "count" },
  ),
  ...rows.replayed({ batch: 256, capacity: 100_000, trainEvery: 1, updates: usual.updates }),
  ...rows.hindsight,
  ...rows.augment,
  hidden: rows.hidden([256, 256], "Widths of the hidden layers of actor and critics."),
});
