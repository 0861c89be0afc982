import { box, type EnvSpec, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { Canvas } from "../canvas.ts";
import { kernel } from "../kernels/kernel.ts";
import { column } from "../kernels/memory.ts";
import type { Pair } from "../kernels/pair.ts";
import { ParameterColumns } from "../kernels/parameters.ts";
import { Sines } from "../kernels/sines.ts";
import { cosOf, sinOf } from "../libm/trigonometry.ts";
import { classicLabels } from "./labels.ts";
import { pendulumPicture } from "./rendering.ts";

/** Maximum angular velocity. */
export const fastest = 8;
/** Maximum torque. */
export const strongest = 2;
/** Seconds per step. */
export const interval = 0.05;
const turn = 2 * Math.PI;
const effortPrice = Math.fround(0.001);

const high = [1, 1, fastest];
/** Description of the environment. */
export const pendulumSpec: EnvSpec = {
  id: "Pendulum-v1",
  observation: box(
    [3],
    high.map((h) => -h),
    high,
  ),
  action: box([1], -strongest, strongest),
  labels: classicLabels.pendulum,
  maxSteps: 200,
};

/** Parameters that a context may change. */
export const pendulumDefaults = { gravity: 10, mass: 1, length: 1 };

/** The upper half of the bits of 2π, whose small multiples are exact, and the lower half. */
const turnHigh = Math.round(turn * 2 ** 24) / 2 ** 24;
const turnLow = turn - turnHigh;

/**
 * Python's remainder of an angle modulo 2π: that of the absolute value is exact, and 2π is added where it is
 * negative.
 */
function modulo(angle: Pair): Pair {
  const size = angle.abs();
  const whole = size.div(turn).floor();
  const near = size.sub(whole.mul(turnHigh)).sub(whole.mul(turnLow));
  // The quotient may have been rounded up.
  const rest = near.lt(0).select(near.add(turn), near);
  const signed = rest.negated(angle.lt(0));
  return signed.lt(0).select(signed.add(turn), signed);
}

/** One step: rewards, speeds and angles. */
const push = kernel(
  {
    columns: { angle: 8, speed: 8, sines: 8, actions: 4, reward: 4 },
    parameters: ["gravity", "mass", "length"],
    prepare: (k) => {
      const length = k.load("length");
      return {
        weight: k.load("gravity").mul(3).div(length.mul(2)),
        // Torques are single precision, and in NumPy the constants that meet them become single precision too.
        torque: k
          .constant(3)
          .div(k.load("mass").mul(length.mul(length)))
          .single(),
      };
    },
  },
  (k, { weight, torque }) => {
    const [theta, omega] = [k.load("angle"), k.load("speed")];
    const u = k.loadSingles("actions").max(-strongest).min(strongest);
    const away = modulo(theta.add(Math.PI)).sub(Math.PI);
    const effort = u.mul(u).single().mul(effortPrice).single();
    k.storeSingles("reward", [away.mul(away).add(omega.mul(omega).mul(0.1)).add(effort).neg()]);
    const pull = weight.mul(k.load("sines")).add(torque.mul(u).single());
    const next = omega.add(pull.mul(interval)).max(-fastest).min(fastest);
    k.store("speed", next);
    k.store("angle", theta.add(next.mul(interval)));
  },
);

const show = kernel({ columns: { sines: 8, cosines: 8, speed: 8, out: 12 } }, (k) =>
  k.storeSingles("out", [k.load("cosines"), k.load("sines"), k.load("speed")]),
);

/**
 * A pendulum with a motor too weak to lift it directly: swing it up and hold it. The action is a torque between -2
 * and 2, the reward the negative cost of angle, speed and torque. A context may change `gravity`, `mass` and
 * `length`.
 */
export class Pendulum extends BatchedEnv {
  protected readonly state;
  /** Columns of the kernels. */
  private readonly kept;
  protected override readonly mixed = true;

  constructor(options: BatchedOptions = {}) {
    super(pendulumSpec, options, pendulumDefaults);
    const { rows } = this;
    this.kept = {
      angle: column(Float64Array, rows),
      speed: column(Float64Array, rows),
      direction: new Sines(rows),
      actions: column(Float32Array, rows),
      reward: column(Float32Array, rows),
      out: column(Float32Array, rows, 3),
      parameters: new ParameterColumns(rows, this.parameters),
    };
    const { angle, speed, direction } = this.kept;
    // The next step reuses the sine.
    this.state = {
      angle: angle.data,
      speed: speed.data,
      sine: direction.sines.data,
      cosine: direction.cosines.data,
    };
  }

  protected begin(row: number): void {
    const { angle, speed, sine, cosine } = this.state;
    angle[row] = this.random[row].uniform(-Math.PI, Math.PI);
    speed[row] = this.random[row].uniform(-1, 1);
    sine[row] = cosine[row] = angle[row];
    sinOf(sine, row, row);
    cosOf(cosine, row, row);
  }

  protected observe(row: number): void {
    const out = this.observation.data as Float32Array;
    const { speed, sine, cosine } = this.state;
    out[row * 3] = cosine[row];
    out[row * 3 + 1] = sine[row];
    out[row * 3 + 2] = speed[row];
  }

  protected move(action: Tensor): void {
    const { rows, kept, parameters } = this;
    const { angle, speed, direction, actions, reward, out } = kept;
    const { gravity, mass, length } = kept.parameters.of(parameters);
    actions.data.set(action.data as Float32Array);
    const sines = direction.sines.at;
    push(parameters.varied)(
      rows,
      angle.at,
      speed.at,
      sines,
      actions.at,
      reward.at,
      gravity.at,
      mass.at,
      length.at,
    );
    direction.of(angle, 0, rows);
    show()(rows, sines, direction.cosines.at, speed.at, out.at);
    (this.reward.data as Float32Array).set(reward.data);
    (this.observation.data as Float32Array).set(out.data);
  }

  picture(row: number): Rendering {
    return pendulumPicture(this.state.angle[row], this.state.speed[row]);
  }

  render(row: number): string {
    return drawPendulum(this.state.angle[row], this.state.speed[row]);
  }
}

/** The pendulum as text. */
export function drawPendulum(angle: number, speed: number): string {
  const canvas = new Canvas(31, 15);
  const [x, y] = [30, 30];
  const tipX = x + 24 * Math.sin(angle);
  const tipY = y - 24 * Math.cos(angle);
  for (const side of [-1, 0, 1]) canvas.line(x + side, y, tipX + side, tipY);
  canvas.disc(tipX, tipY, 4);
  canvas.text(x, y, "◉");
  return `${canvas}\nspeed ${speed.toFixed(2)}`;
}
