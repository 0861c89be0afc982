import { size } from "@reins/core";
import { type BitFlipOptions, bitFlip } from "./bit-flip.ts";

/** Worlds with goals that need no physics, by id. */
export const goalEnvs = {
  "BitFlip-v0": {
    description: "Flip bits one by one until all are as wanted.",
    options: { bits: size(15, "Bits, and choices of an action.", { within: "count" }) },
    make: (options: BitFlipOptions) => bitFlip(options),
  },
};
