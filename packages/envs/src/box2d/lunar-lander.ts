import { box, discrete, type EnvSpec, fail, type VectorEnv } from "@reins/core";
import type { BatchedOptions } from "../batch-form.ts";
import { SceneEnv } from "../scenes/scene-env.ts";
import { Landing } from "./landing.ts";
import { planckFor } from "./planck.ts";

/** Options of a lander. */
export interface LunarLanderOptions extends BatchedOptions {
  /** Continuous throttles instead of on/off engines. */
  readonly continuous?: boolean;
  /** Between -12 and 0. */
  readonly gravity?: number;
  /** Whether wind blows while no leg touches the ground. */
  readonly wind?: boolean;
  /** Maximum wind force; 0 to 20 is sensible. */
  readonly windPower?: number;
  /** Maximum turbulence torque; 0 to 2 is sensible. */
  readonly turbulencePower?: number;
}

/**
 * Land between two flags, gently and upright. Action 2 fires the main engine, 1 and 3 the side engines; continuous
 * actions are the throttle of the main engine (on above 0, from half power) and of the side engines (on beyond
 * ±0.5). A context may change `gravity`, `windPower` and `turbulencePower`.
 */
export function lunarLander(options: LunarLanderOptions & { readonly id?: string } = {}): VectorEnv {
  const { continuous = false, wind = false, gravity = -10, windPower = 15, turbulencePower = 1.5 } = options;
  const { id = continuous ? "LunarLanderContinuous-v3" : "LunarLander-v3" } = options;
  if (!(gravity > -12 && gravity < 0)) fail(id, `gravity is ${gravity}; it must be between -12 and 0.`);
  const high = [2.5, 2.5, 10, 10, 2 * Math.PI, 10, 1, 1];
  const low = high.map((h, i) => (i < 6 ? -h : 0));
  const spec: EnvSpec = {
    id,
    observation: box([8], low, high),
    action: continuous ? box([2], -1, 1) : discrete(4),
    labels: {
      observation: [
        ...["x", "y", "x velocity", "y velocity", "angle", "angular velocity"],
        ...["left leg contact", "right leg contact"],
      ],
      action: continuous
        ? ["main engine", "side engines"]
        : ["no engine", "left engine", "main engine", "right engine"],
    },
    maxSteps: 1000,
    solvedAt: 200,
  };
  return new SceneEnv(spec, {
    ...options,
    parameters: { gravity, windPower, turbulencePower },
    begin: (random, own) => new Landing(planckFor(id), random, { ...own, wind, continuous }),
  });
}
