import type { TracedEnv } from "@reins/core";
import {
  add,
  cast,
  clamp,
  cos,
  div,
  gt,
  mul,
  neg,
  sin,
  square,
  stack,
  sub,
  type Tensor,
} from "@reins/tensor";
import type { BatchedOptions } from "../batch-form.ts";
import { Acrobot, acrobotSpec, drawAcrobot, fastest1, fastest2 } from "../classic/acrobot.ts";
import { linkParameters } from "../classic/link-parameters.ts";
import { acrobotPicture } from "../classic/rendering.ts";
import { drawFrom } from "../physics/random-columns.ts";
import { limited } from "../step-limit.ts";
import { eitherForm, type Scalars, scalars } from "./forms.ts";
import { withinTurn } from "./pendulum.ts";

const interval = 0.2;

/** Physics parameters of an acrobot. */
export type AcrobotParams = Scalars<keyof typeof linkParameters>;

/** Angles and angular velocities of both links, each [rows]; the second angle is relative to the first link. */
export type AcrobotState = {
  readonly angle1: Tensor;
  readonly angle2: Tensor;
  readonly speed1: Tensor;
  readonly speed2: Tensor;
};

/** The default parameters. */
export const acrobotParams = (): AcrobotParams => scalars(linkParameters);

/** Acrobot-v1 in tensor operations, in f32: a step is one of the fourth-order Runge-Kutta method. */
export function tracedAcrobot({ maxSteps }: BatchedOptions = {}): TracedEnv<AcrobotParams, AcrobotState> {
  return {
    spec: limited(acrobotSpec, maxSteps),
    rowKeys: true,
    reset(_, rows, key) {
      const [angle1, angle2, speed1, speed2] = drawFrom(key, rows).uniform(4, -0.1, 0.1);
      return { angle1, angle2, speed1, speed2 };
    },
    observe: (_, { angle1, angle2, speed1, speed2 }) =>
      stack([cos(angle1), sin(angle1), cos(angle2), sin(angle2), speed1, speed2], 1),
    step(params, { angle1, angle2, speed1, speed2 }, action) {
      const torque = mul(sub(cast(action as Tensor, "f32"), 1), params.torque);
      const now = [angle1, angle2, speed1, speed2];
      const ahead = (slopes: readonly Tensor[], time: number) =>
        now.map((x, i) => add(x, mul(slopes[i], time)));
      const first = slopesAt(params, now, torque);
      const second = slopesAt(params, ahead(first, interval / 2), torque);
      const third = slopesAt(params, ahead(second, interval / 2), torque);
      const fourth = slopesAt(params, ahead(third, interval), torque);
      const mean = first.map((a, i) => add(add(a, mul(add(second[i], third[i]), 2)), fourth[i]));
      const [a1, a2, v1, v2] = ahead(mean, interval / 6);
      const state = {
        angle1: wrapped(a1),
        angle2: wrapped(a2),
        speed1: clamp(v1, -fastest1, fastest1),
        speed2: clamp(v2, -fastest2, fastest2),
      };
      const height = neg(add(cos(state.angle1), cos(add(state.angle1, state.angle2))));
      const terminated = gt(height, 1);
      return { state, reward: sub(cast(terminated, "f32"), 1), terminated };
    },
    picture: (_, { angle1, angle2 }, row) => acrobotPicture(angle1.data[row], angle2.data[row]),
    render: (_, { angle1, angle2 }, row) => drawAcrobot(angle1.data[row], angle2.data[row]),
  };
}

/** Velocities and accelerations: Sutton and Barto's equations. */
function slopesAt(p: AcrobotParams, [a1, a2, w1, w2]: readonly Tensor[], torque: Tensor): Tensor[] {
  const [sin2, cos2] = [sin(a2), cos(a2)];
  const [c1, c2] = [mul(p.length1, 0.5), mul(p.length2, 0.5)];
  const both = mul(p.length1, c2);
  const near = add(add(square(p.length1), square(c2)), mul(mul(both, 2), cos2));
  const d1 = add(add(mul(p.mass2, near), mul(p.mass1, square(c1))), mul(p.moment, 2));
  const d2 = add(mul(p.mass2, add(square(c2), mul(both, cos2))), p.moment);
  const own = mul(p.mass2, square(c2));
  const lever = mul(p.mass2, both);
  const phi2 = mul(mul(mul(p.mass2, c2), p.gravity), sin(add(a1, a2)));
  const pulls = neg(mul(mul(lever, sin2), add(square(w2), mul(mul(w2, w1), 2))));
  const weight1 = mul(add(mul(p.mass1, c1), mul(p.mass2, p.length1)), p.gravity);
  const phi1 = add(add(pulls, mul(weight1, sin(a1))), phi2);
  const moved = sub(sub(add(torque, mul(div(d2, d1), phi1)), mul(mul(lever, square(w1)), sin2)), phi2);
  const second = div(moved, sub(add(own, p.moment), div(square(d2), d1)));
  return [w1, w2, div(neg(add(mul(d2, second), phi1)), d1), second];
}

/** Speeds are limited to 9π, so a step turns a link by less than three turns beyond the circle. */
const wrapped = (angle: Tensor): Tensor => withinTurn(withinTurn(withinTurn(angle)));

/** Acrobot-v1 as a vector environment, in either form. */
export const acrobot = eitherForm(
  (options: BatchedOptions) => new Acrobot(options),
  tracedAcrobot,
  acrobotParams,
);
