import { fail } from "@reins/core";
import { physicsEnvs } from "../physics/envs.ts";

/** Worlds in tensor operations that are like one in an engine. */
const alike: { readonly [id: string]: string } = {
  "Hopper-v5": "PlanarHopper-v0",
  "Walker2d-v5": "PlanarWalker-v0",
  "HalfCheetah-v5": "PlanarCheetah-v0",
  "Reacher-v5": "PlanarReacher-v0",
  "Pusher-v5": "PlanarPusher-v0",
};

/** Refuses `traced` where a world has no such option, and says which world is what was asked for. */
export function refuseTraced(id: string): void {
  if (Object.hasOwn(physicsEnvs, id)) fail(id, "it is in tensor operations anyway. Leave traced out.");
  if (Object.hasOwn(alike, id))
    fail(
      id,
      `an engine plays it, which cannot be traced. ${alike[id]} is like it, and is in tensor operations.`,
    );
}
