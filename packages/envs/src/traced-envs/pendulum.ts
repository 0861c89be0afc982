import type { TracedEnv } from "@reins/core";
import {
  add,
  clamp,
  cos,
  div,
  ge,
  lt,
  mul,
  neg,
  sin,
  square,
  stack,
  sub,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";
import type { BatchedOptions } from "../batch-form.ts";
import {
  drawPendulum,
  fastest,
  interval,
  Pendulum,
  pendulumDefaults,
  pendulumSpec,
  strongest,
} from "../classic/pendulum.ts";
import { pendulumPicture } from "../classic/rendering.ts";
import { columnsOf, drawFrom } from "../physics/random-columns.ts";
import { limited } from "../step-limit.ts";
import { eitherForm, type Scalars, scalars } from "./forms.ts";

/** Physics parameters of a pendulum. */
export type PendulumParams = Scalars<keyof typeof pendulumDefaults>;

/** Angle between -π and π, 0 is upright, and angular velocity, each [rows]. */
export type PendulumState = { readonly angle: Tensor; readonly speed: Tensor };

/** The default parameters. */
export const pendulumParams = (): PendulumParams => scalars(pendulumDefaults);

/** Pendulum-v1 in tensor operations, in f32. The angle stays within one turn, where f32 is precise. */
export function tracedPendulum({ maxSteps }: BatchedOptions = {}): TracedEnv<PendulumParams, PendulumState> {
  return {
    spec: limited(pendulumSpec, maxSteps),
    rowKeys: true,
    reset(_, rows, key) {
      const draw = drawFrom(key, rows);
      return { angle: draw.uniform(1, -Math.PI, Math.PI)[0], speed: draw.uniform(1, -1, 1)[0] };
    },
    observe: (_, { angle, speed }) => stack([cos(angle), sin(angle), speed], 1),
    step({ gravity, mass, length }, { angle, speed }, action) {
      const torque = clamp(columnsOf(action as Tensor)[0], -strongest, strongest);
      const cost = add(add(square(angle), mul(square(speed), 0.1)), mul(square(torque), 0.001));
      const weight = div(mul(gravity, 3), mul(length, 2));
      const push = mul(div(3, mul(mass, square(length))), torque);
      const pull = add(mul(weight, sin(angle)), push);
      const next = clamp(add(speed, mul(pull, interval)), -fastest, fastest);
      return {
        state: { angle: withinTurn(add(angle, mul(next, interval))), speed: next },
        reward: neg(cost),
        terminated: zeros([angle.shape[0]], "bool"),
      };
    },
    picture: (_, { angle, speed }, row) => pendulumPicture(angle.data[row], speed.data[row]),
    render: (_, { angle, speed }, row) => drawPendulum(angle.data[row], speed.data[row]),
  };
}

/** An angle at most one turn outside of -π to π, brought back. */
export function withinTurn(angle: Tensor): Tensor {
  const low = where(lt(angle, -Math.PI), add(angle, 2 * Math.PI), angle);
  return where(ge(angle, Math.PI), sub(angle, 2 * Math.PI), low);
}

/** Pendulum-v1 as a vector environment, in either form. */
export const pendulum = eitherForm(
  (options: BatchedOptions) => new Pendulum(options),
  tracedPendulum,
  pendulumParams,
);
