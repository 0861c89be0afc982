import { options } from "../options.ts";
import { type BipedalWalkerOptions, bipedalWalker } from "./bipedal-walker.ts";
import { type LunarLanderOptions, lunarLander } from "./lunar-lander.ts";
import { planckFor } from "./planck.ts";

/** Loads synchronously; a missing engine is reported before training begins. */
const load = async () => void planckFor("Box2D");

/** Gymnasium's environments in Box2D, by id. */
export const box2dEnvs = {
  "LunarLander-v3": {
    description: "Land on a pad on the moon with three engines.",
    options: options.lunarLander,
    load,
    make: (options: LunarLanderOptions) => lunarLander({ ...options, id: "LunarLander-v3" }),
  },
  "LunarLanderContinuous-v3": {
    description: "Land on a pad on the moon with the throttles of three engines.",
    options: options.lunarLander,
    load,
    make: (options: LunarLanderOptions) =>
      lunarLander({ continuous: true, ...options, id: "LunarLanderContinuous-v3" }),
  },
  "BipedalWalker-v3": {
    description: "Walk on two legs over rough ground.",
    options: options.bipedalWalker,
    load,
    make: (options: BipedalWalkerOptions) => bipedalWalker({ ...options, id: "BipedalWalker-v3" }),
  },
  "BipedalWalkerHardcore-v3": {
    description: "Walk on two legs over stumps, stairs and pits.",
    options: options.bipedalWalker,
    load,
    make: (options: BipedalWalkerOptions) =>
      bipedalWalker({ hardcore: true, ...options, id: "BipedalWalkerHardcore-v3" }),
  },
};
