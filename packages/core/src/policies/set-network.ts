import { lengthMask, reshape, type Tensor, type Tree } from "@reins/tensor";
import type { Body, NetworkMaker } from "../body.ts";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";
import { flatSize, flatten } from "../spaces/flatten.ts";
import { show } from "../spaces/show.ts";

/** Settings of {@link setNetwork}: those of `nn.setEncoder` except what the space determines. */
export type SetNetworkOptions = Omit<nn.SetEncoderOptions, "inputs">;

/**
 * A network for observations that are lists of items, in any number up to the space's `max`: a transformer over the items, and pooling to one
 * vector.
 *
 *     ppo({ network: setNetwork({ width: 32, pooling: "attention" }), shared: true })
 */
export const setNetwork =
  (options: SetNetworkOptions): NetworkMaker =>
  ({ space }): Body => {
    if (space.kind !== "list") fail("setNetwork", `needs list observations, not ${show(space)}.`);
    const inputs = flatSize(space.item);
    const encoder = nn.setEncoder({ ...options, inputs });
    return {
      features: options.width,
      init: encoder.init,
      apply(params, observation, leading) {
        const { items, count } = observation as { readonly items: Tree; readonly count: Tensor };
        const flat = flatten(space.item, items, { leading: leading + 1 });
        const tokens = reshape(flat, [-1, space.max, inputs]);
        const there = lengthMask(reshape(count, [-1]), space.max);
        const made = encoder.apply(params as nn.SetEncoderParams, { tokens, there });
        return reshape(made, [...count.shape, options.width]);
      },
    };
  };
