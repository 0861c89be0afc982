import type { EnvSpec, TracedEnv } from "@reins/core";
import {
  add,
  and,
  cast,
  clamp,
  cos,
  full,
  ge,
  le,
  lt,
  mul,
  square,
  stack,
  sub,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";
import { drawHill, fastest, leftEnd, rightEnd } from "../classic/hill.ts";
import {
  goal as flag,
  MountainCar,
  type MountainCarOptions,
  mountainCarDefaults,
  mountainCarSpec,
} from "../classic/mountain-car.ts";
import {
  goal as continuousFlag,
  MountainCarContinuous,
  mountainCarContinuousDefaults,
  mountainCarContinuousSpec,
} from "../classic/mountain-car-continuous.ts";
import { hillPicture } from "../classic/rendering.ts";
import { columnsOf, drawFrom } from "../physics/random-columns.ts";
import { limited } from "../step-limit.ts";
import { eitherForm, type Scalars, scalars } from "./forms.ts";

/** Physics parameters of a mountain car. */
export type MountainCarParams = Scalars<keyof typeof mountainCarDefaults>;
/** Physics parameters of a continuous mountain car: `power` is that of its motor at 1. */
export type MountainCarContinuousParams = Scalars<keyof typeof mountainCarContinuousDefaults>;

/** Position and speed, each [rows]. */
export type CarState = { readonly position: Tensor; readonly speed: Tensor };

/** What the two cars have in common, but for their actions and rewards. */
const valley = (spec: EnvSpec, goal: number, { maxSteps, goalSpeed = 0 }: MountainCarOptions) => ({
  /** A step under a push, and which rows reach the flag. */
  roll({ position, speed }: CarState, push: Tensor, gravity: Tensor) {
    const slope = mul(cos(mul(position, 3)), gravity);
    const fast = clamp(add(speed, sub(push, slope)), -fastest, fastest);
    const x = clamp(add(position, fast), leftEnd, rightEnd);
    const v = where(and(le(x, leftEnd), lt(fast, 0)), 0, fast);
    return { state: { position: x, speed: v }, there: and(ge(x, goal), ge(v, goalSpeed)) };
  },
  env: {
    spec: limited(spec, maxSteps),
    rowKeys: true,
    reset: (_: unknown, rows: number, key: Tensor): CarState => ({
      position: drawFrom(key, rows).uniform(1, -0.6, -0.4)[0],
      speed: zeros([rows]),
    }),
    observe: (_: unknown, { position, speed }: CarState) => stack([position, speed], 1),
    picture: (_: unknown, { position, speed }: CarState, row: number) =>
      hillPicture(position.data[row], speed.data[row], goal, [leftEnd, rightEnd]),
    render: (_: unknown, { position, speed }: CarState, row: number) =>
      drawHill(position.data[row], speed.data[row], goal),
  },
});

/** MountainCar-v0 in tensor operations, in f32. */
export function tracedMountainCar(options: MountainCarOptions = {}): TracedEnv<MountainCarParams, CarState> {
  const { roll, env } = valley(mountainCarSpec, flag, options);
  return {
    ...env,
    step({ force, gravity }, state, action) {
      const push = mul(sub(cast(action as Tensor, "f32"), 1), force);
      const { there, state: next } = roll(state, push, gravity);
      return { state: next, reward: full(there.shape, -1), terminated: there };
    },
  };
}

/** MountainCarContinuous-v0 in tensor operations, in f32. */
export function tracedMountainCarContinuous(
  options: MountainCarOptions = {},
): TracedEnv<MountainCarContinuousParams, CarState> {
  const { roll, env } = valley(mountainCarContinuousSpec, continuousFlag, options);
  return {
    ...env,
    step({ power, gravity }, state, action) {
      const [given] = columnsOf(action as Tensor);
      const { there, state: next } = roll(state, mul(clamp(given, -1, 1), power), gravity);
      // The cost is of the whole action, including the clipped part.
      const reward = sub(where(there, 100, full(there.shape, 0)), mul(square(given), 0.1));
      return { state: next, reward, terminated: there };
    },
  };
}

/** The default parameters of MountainCar-v0. */
export const mountainCarParams = (): MountainCarParams => scalars(mountainCarDefaults);
/** The default parameters of MountainCarContinuous-v0. */
export const mountainCarContinuousParams = (): MountainCarContinuousParams =>
  scalars(mountainCarContinuousDefaults);

/** MountainCar-v0 as a vector environment, in either form. */
export const mountainCar = eitherForm(
  (options: MountainCarOptions) => new MountainCar(options),
  tracedMountainCar,
  mountainCarParams,
);
/** MountainCarContinuous-v0 as a vector environment, in either form. */
export const mountainCarContinuous = eitherForm(
  (options: MountainCarOptions) => new MountainCarContinuous(options),
  tracedMountainCarContinuous,
  mountainCarContinuousParams,
);
