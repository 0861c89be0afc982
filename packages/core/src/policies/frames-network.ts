import { broadcastTo, concat, eye, flip, full, reshape, type Tensor } from "@reins/tensor";
import type { Body, NetworkMaker } from "../body.ts";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";
import { show } from "../spaces/show.ts";
import type { SetNetworkOptions } from "./set-network.ts";

/**
 * A network for the observations of a `frameStack`: a transformer over the frames, each with its age, and pooling to one vector. The newest frame is
 * first, so that it is the query of attention pooling.
 *
 *     ppo({ network: framesNetwork({ width: 16, pooling: "attention" }), shared: true })
 */
export const framesNetwork =
  (options: SetNetworkOptions): NetworkMaker =>
  ({ space }): Body => {
    if (space.kind !== "box" || space.shape.length < 2)
      return fail(
        "framesNetwork",
        `needs stacked boxes, not ${show(space)}. Wrap the environment with frameStack.`,
      );
    const [frames, ...shape] = space.shape;
    const size = shape.reduce((a, b) => a * b, 1);
    const encoder = nn.setEncoder({ ...options, inputs: size + frames });
    return {
      features: options.width,
      init: encoder.init,
      apply(params, observation, leading) {
        const before = (observation as Tensor).shape.slice(0, leading);
        const seen = flip(reshape(observation as Tensor, [-1, frames, size]), 1);
        const rows = seen.shape[0];
        // A set has no order, so each frame is marked with its age.
        const age = broadcastTo(reshape(eye(frames), [1, frames, frames]), [rows, frames, frames]);
        const tokens = concat([seen, age], 2);
        const there = full([rows, frames], 1, "bool");
        const made = encoder.apply(params as nn.SetEncoderParams, { tokens, there });
        return reshape(made, [...before, options.width]);
      },
    };
  };
