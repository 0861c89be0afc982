import { box, discrete, type TracedEnv, type VectorEnv } from "@reins/core";
import { fromTraced } from "@reins/core/forms";
import {
  abs,
  add,
  cast,
  cos,
  div,
  gt,
  mul,
  ones,
  or,
  random,
  scalar,
  sin,
  split,
  squeeze,
  stack,
  sub,
  type Tensor,
} from "@reins/tensor";
import { CartPole, type CartPoleOptions } from "../classic/cartpole.ts";
import { classicLabels } from "../classic/labels.ts";
import { cartPolePicture } from "../classic/rendering.ts";

const trackEnd = 2.4;
const steepest = (12 * 2 * Math.PI) / 360;
const interval = 0.02;

/** Physics parameters, as tensors: they may be learned, or differ between rows. `poleLength` is half of it. */
export type CartPoleParams = Record<"gravity" | "cartMass" | "poleMass" | "poleLength" | "force", Tensor>;

/** The default parameters. */
export const cartPoleParams = (): CartPoleParams => ({
  gravity: scalar(9.8),
  cartMass: scalar(1),
  poleMass: scalar(0.1),
  poleLength: scalar(0.5),
  force: scalar(10),
});

/**
 * CartPole-v1 in tensor operations: Gymnasium's task in f32, with random numbers from keys. The state is [rows,
 * 4]: position, velocity, angle, angular velocity.
 */
export function tracedCartPole({
  version = 1,
  maxSteps = version === 0 ? 200 : 500,
  suttonBarto = false,
}: Omit<CartPoleOptions, "rows" | "traced"> = {}): TracedEnv<CartPoleParams, Tensor> {
  const high = [trackEnd * 2, Number.POSITIVE_INFINITY, steepest * 2, Number.POSITIVE_INFINITY];
  const observation = box(
    [4],
    high.map((h) => -h),
    high,
  );
  return {
    spec: {
      id: `CartPole-v${version}`,
      observation,
      action: discrete(2),
      labels: classicLabels.cartPole,
      ...(maxSteps === Number.POSITIVE_INFINITY ? {} : { maxSteps }),
      solvedAt: version === 0 ? 195 : 475,
      returnBounds: suttonBarto ? [-1, 0] : [0, maxSteps],
    },
    reset: (_, rows, key) => random.uniform(key, [rows, 4], -0.05, 0.05),
    observe: (_, state) => state,
    picture: (_, { data }, row) => cartPolePicture(data[row * 4], data[row * 4 + 2], trackEnd),
    step(p, state, action) {
      const [x, speed, angle, turning] = split(state, [1, 1, 1, 1], -1).map((t) => squeeze(t, -1));
      const [s, c] = [sin(angle), cos(angle)];
      const mass = add(p.poleMass, p.cartMass);
      const moment = mul(p.poleMass, p.poleLength);
      const pushed = mul(sub(mul(cast(action as Tensor, "f32"), 2), 1), p.force);
      const pull = div(add(pushed, mul(mul(moment, mul(turning, turning)), s)), mass);
      const inertia = mul(p.poleLength, sub(4 / 3, div(mul(p.poleMass, mul(c, c)), mass)));
      const turn = div(sub(mul(p.gravity, s), mul(c, pull)), inertia);
      const along = sub(pull, div(mul(mul(moment, turn), c), mass));
      const next = [
        add(x, mul(speed, interval)),
        add(speed, mul(along, interval)),
        add(angle, mul(turning, interval)),
        add(turning, mul(turn, interval)),
      ];
      const terminated = or(gt(abs(next[0]), trackEnd), gt(abs(next[2]), steepest));
      return {
        state: stack(next, 1),
        reward: suttonBarto ? mul(cast(terminated, "f32"), -1) : ones(terminated.shape),
        terminated,
      };
    },
  };
}

/** CartPole as a vector environment, in either form. */
export const cartPole = ({ traced, ...options }: CartPoleOptions): VectorEnv =>
  traced ? fromTraced(tracedCartPole(options), cartPoleParams(), options.rows ?? 1) : new CartPole(options);
