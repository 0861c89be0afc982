import { fail } from "@reins/core";
import { physicsEnvs } from "../physics/envs.ts";

/** Environments in tensor operations that resemble one of an engine. */
const alike: { readonly [id: string]: string } = {
  "Hopper-v5": "PlanarHopper-v0",
  "Walker2d-v5": "PlanarWalker-v0",
  "HalfCheetah-v5": "PlanarCheetah-v0",
  "Reacher-v5": "PlanarReacher-v0",
  "Pusher-v5": "PlanarPusher-v0",
};

/** Rejects `traced` for environments without that option, and suggests an alternative. */
export function refuseTraced(id: string): void {
  if (Object.hasOwn(physicsEnvs, id)) fail(id, "it always runs in tensor operations. Leave out traced.");
  if (Object.hasOwn(alike, id))
    fail(
      id,
      `it runs in an engine, which cannot be traced. Use ${alike[id]}, a similar environment in tensor operations.`,
    );
}
