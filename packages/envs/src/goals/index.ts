import { size } from "@reins/core";
import { type BitFlipOptions, bitFlip } from "./bit-flip.ts";

/** Goal environments without physics, by id. */
export const goalEnvs = {
  "BitFlip-v0": {
    description: "Flip bits one by one until all match the goal.",
    options: { bits: size(15, "Number of bits, and of actions.", { within: "count" }) },
    make: (options: BitFlipOptions) => bitFlip(options),
  },
};
