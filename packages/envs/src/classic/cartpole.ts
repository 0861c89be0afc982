import { box, discrete, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions, type TracedOption } from "../batch-form.ts";
import { Canvas } from "../canvas.ts";
import { kernel } from "../kernels/kernel.ts";
import { column } from "../kernels/memory.ts";
import { ParameterColumns } from "../kernels/parameters.ts";
import { SmallSines } from "../kernels/small-sines.ts";
import { classicLabels } from "./labels.ts";
import { cartPolePicture } from "./rendering.ts";

const trackEnd = 2.4;
const steepest = (12 * 2 * Math.PI) / 360;
const interval = 0.02;

/**
 * One step. Operations are in Gymnasium's order, to the last bit: a balanced pole doubles rounding errors every
 * nine steps.
 */
const push = kernel(
  {
    columns: {
      position: 8,
      speed: 8,
      angle: 8,
      turning: 8,
      sines: 8,
      cosines: 8,
      actions: 4,
      out: 16,
      fallen: 1,
    },
    parameters: ["gravity", "cartMass", "poleMass", "poleLength", "force"],
    prepare: (k) => {
      const [pole, half] = [k.load("poleMass"), k.load("poleLength")];
      const mass = pole.add(k.load("cartMass"));
      const moment = pole.mul(half);
      return { pole, half, mass, moment, gravity: k.load("gravity"), force: k.load("force") };
    },
  },
  (k, { pole, half, mass, moment, gravity, force }) => {
    const [x, speed, angle, turning] = columns.map((name) => k.load(name));
    const [s, c] = [k.load("sines"), k.load("cosines")];
    const pushed = k.loadIntegers("actions").mul(2).sub(1).mul(force);
    const pull = pushed.add(moment.mul(turning.mul(turning)).mul(s)).div(mass);
    const inertia = half.mul(
      pole
        .mul(c.mul(c))
        .div(mass)
        .rsub(4 / 3),
    );
    const turn = gravity.mul(s).sub(c.mul(pull)).div(inertia);
    const next = [
      x.add(speed.mul(interval)),
      speed.add(pull.sub(moment.mul(turn).mul(c).div(mass)).mul(interval)),
      angle.add(turning.mul(interval)),
      turning.add(turn.mul(interval)),
    ];
    columns.forEach((name, i) => k.store(name, next[i]));
    k.storeSingles("out", next);
    k.storeFlags("fallen", next[0].abs().gt(trackEnd).or(next[2].abs().gt(steepest)));
  },
);
/** The state, in the order of observations. */
const columns = ["position", "speed", "angle", "turning"] as const;

/** Options of a cart-pole. */
export interface CartPoleOptions extends BatchedOptions, TracedOption {
  /** 0: episodes of 200 steps. 1: of 500. */
  readonly version?: 0 | 1;
  /** Sutton and Barto's reward: 0 while the pole stands and -1 when it falls, instead of 1 per step. */
  readonly suttonBarto?: boolean;
}

/**
 * A pole on a cart: keep it upright by pushing left (0) or right (1). Barto, Sutton and Anderson, "Neuronlike
 * Adaptive Elements That Can Solve Difficult Learning Control Problems" (1983), with the corrected equations of
 * Florian (2007), as in Gymnasium. A context may change `gravity`, `cartMass`, `poleMass`, `poleLength` (half of
 * it) and `force`.
 */
export class CartPole extends BatchedEnv {
  protected readonly state;
  private readonly suttonBarto: boolean;
  /** Columns of the kernel. */
  private readonly kept;
  protected override readonly mixed = true;

  constructor({ version = 1, suttonBarto = false, ...options }: CartPoleOptions = {}) {
    const longest = version === 0 ? 200 : 500;
    const high = [trackEnd * 2, Number.POSITIVE_INFINITY, steepest * 2, Number.POSITIVE_INFINITY];
    super(
      {
        id: `CartPole-v${version}`,
        observation: box(
          [4],
          high.map((h) => -h),
          high,
        ),
        action: discrete(2),
        labels: classicLabels.cartPole,
        maxSteps: longest,
        solvedAt: version === 0 ? 195 : 475,
        returnBounds: suttonBarto ? [-1, 0] : [0, options.maxSteps ?? longest],
      },
      options,
      { gravity: 9.8, cartMass: 1, poleMass: 0.1, poleLength: 0.5, force: 10 },
    );
    this.suttonBarto = suttonBarto;
    const { rows } = this;
    const doubles = () => column(Float64Array, rows);
    this.kept = {
      position: doubles(),
      speed: doubles(),
      angle: doubles(),
      turning: doubles(),
      sines: new SmallSines(rows),
      actions: column(Int32Array, rows),
      out: column(Float32Array, rows, 4),
      fallen: column(Uint8Array, rows),
      parameters: new ParameterColumns(rows, this.parameters),
    };
    const { position, speed, angle, turning } = this.kept;
    this.state = { position: position.data, speed: speed.data, angle: angle.data, turning: turning.data };
  }

  protected begin(row: number): void {
    const random = this.random[row];
    const { position, speed, angle, turning } = this.state;
    // Equals uniform(-0.05, 0.05) without its checks: random play begins an episode every 22 steps.
    position[row] = random.random() * 0.1 - 0.05;
    speed[row] = random.random() * 0.1 - 0.05;
    angle[row] = random.random() * 0.1 - 0.05;
    turning[row] = random.random() * 0.1 - 0.05;
  }

  protected observe(row: number): void {
    const out = this.observation.data as Float32Array;
    const { position, speed, angle, turning } = this.state;
    out[row * 4] = position[row];
    out[row * 4 + 1] = speed[row];
    out[row * 4 + 2] = angle[row];
    out[row * 4 + 3] = turning[row];
  }

  protected move(action: Tensor): void {
    const { rows, kept, reward, terminated, parameters } = this;
    const { position, speed, angle, turning, sines, actions, out, fallen } = kept;
    // Angles are below 12° here, or the episode would have ended.
    sines.of(angle, rows);
    actions.data.set(action.data as Int32Array);
    const { gravity, cartMass, poleMass, poleLength, force } = kept.parameters.of(parameters);
    push(parameters.varied)(
      rows,
      position.at,
      speed.at,
      angle.at,
      turning.at,
      sines.sines.at,
      sines.cosines.at,
      actions.at,
      out.at,
      fallen.at,
      gravity.at,
      cartMass.at,
      poleMass.at,
      poleLength.at,
      force.at,
    );
    (this.observation.data as Float32Array).set(out.data);
    terminated.data.set(fallen.data);
    reward.data.fill(1);
    if (this.suttonBarto) for (let row = 0; row < rows; row++) reward.data[row] = 0 - fallen.data[row];
  }

  picture(row: number): Rendering {
    return cartPolePicture(this.state.position[row], this.state.angle[row], trackEnd);
  }

  render(row: number): string {
    const x = this.state.position[row];
    const angle = this.state.angle[row];
    const canvas = new Canvas(61, 11);
    const scale = 120 / (2 * trackEnd + 1);
    const middle = 61 + x * scale;
    const ground = 38;
    canvas.line(0, ground + 4, 121, ground + 4);
    canvas.box(middle - 8, ground - 4, middle + 8, ground + 3);
    const length = 32;
    const tip = middle + length * Math.sin(angle);
    canvas.line(middle, ground - 5, tip, ground - 5 - length * Math.cos(angle));
    const degrees = ((angle * 180) / Math.PI).toFixed(1);
    return `${canvas}\nx ${x.toFixed(2)}  angle ${degrees}°`;
  }
}
