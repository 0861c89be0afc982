import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { smallSines } from "../libm/small-sines.ts";

const trackEnd = 2.4;
const steepest = (12 * 2 * Math.PI) / 360;
const interval = 0.02;
/** Rows whose sines are found together. */
const together = 128;

/** How a cart-pole is made. */
export interface CartPoleOptions extends BatchedOptions {
  /** 0: episodes of 200 steps. 1: of 500. */
  readonly version?: 0 | 1;
  /** Sutton and Barto's reward: 0 while the pole stands and -1 when it falls, instead of 1 for each step. */
  readonly suttonBarto?: boolean;
}

/**
 * A pole on a cart: keep it upright by pushing left (0) or right (1). Barto, Sutton and Anderson, "Neuronlike Adaptive Elements
 * That Can Solve Difficult Learning Control Problems" (1983), with the corrected equations of Florian (2007), as Gymnasium has it.
 * A context may change `gravity`, `cartMass`, `poleMass`, `poleLength` (half of it) and `force`.
 */
export class CartPole extends BatchedEnv {
  protected readonly state;
  private readonly suttonBarto: boolean;
  /** Of each row's angle, and the rows where they are in doubt. */
  private readonly sines: Float64Array;
  private readonly cosines: Float64Array;
  private readonly doubtful: readonly [Int32Array, Int32Array];

  constructor({ version = 1, suttonBarto = false, ...options }: CartPoleOptions = {}) {
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
        maxSteps: version === 0 ? 200 : 500,
        solvedAt: version === 0 ? 195 : 475,
      },
      options,
      { gravity: 9.8, cartMass: 1, poleMass: 0.1, poleLength: 0.5, force: 10 },
    );
    this.suttonBarto = suttonBarto;
    // Position, speed, angle and angular speed of each row, one after the other: the loop has fewer arrays to look up.
    this.state = { rows: new Float64Array(this.rows * 4) };
    this.sines = new Float64Array(together);
    this.cosines = new Float64Array(together);
    this.doubtful = [new Int32Array(together + 1), new Int32Array(together + 1)];
  }

  protected begin(row: number): void {
    const random = this.random[row];
    const state = this.state.rows;
    // What uniform(-0.05, 0.05) gives, without its checks: random play begins an episode every 22 steps.
    for (let i = row * 4; i < row * 4 + 4; i++) state[i] = random.random() * 0.1 - 0.05;
  }

  protected observe(row: number): void {
    const out = this.observation.data as Float32Array;
    const state = this.state.rows;
    for (let i = row * 4; i < row * 4 + 4; i++) out[i] = state[i];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { sines, cosines, doubtful } = this;
    const state = this.state.rows;
    const reward = this.reward.data;
    reward.fill(1, from, to);
    // Some rows at a time, for which there is room. Angles are below 12° here, or the episode would have ended.
    for (let first = from; first < to; first += together) {
      const count = Math.min(together, to - first);
      smallSines(state, sines, cosines, doubtful, first * 4 + 2, count);
      this.push(action.data as Int32Array, first, count);
    }
    if (this.suttonBarto) for (let row = from; row < to; row++) reward[row] = 0 - this.terminated.data[row];
  }

  /** Operations are in Gymnasium's order, to the last bit: a pole that is balanced doubles what rounding leaves every nine steps. */
  private push(actions: Int32Array, first: number, count: number): void {
    const { sines, cosines } = this;
    const state = this.state.rows;
    const out = this.observation.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    const { columns } = this.parameters;
    const gravity = columns.gravity[first];
    const force = columns.force[first];
    const pole = columns.poleMass[first];
    const half = columns.poleLength[first];
    const mass = pole + columns.cartMass[first];
    const moment = pole * half;
    for (let k = 0; k < count; k++) {
      const at = (first + k) * 4;
      const s = sines[k];
      const c = cosines[k];
      const speed = state[at + 1];
      const angle = state[at + 2];
      const turning = state[at + 3];
      // Not a choice between two forces: random actions would mislead the processor's guess every second time.
      const pull = ((2 * actions[first + k] - 1) * force + moment * (turning * turning) * s) / mass;
      const turn = (gravity * s - c * pull) / (half * (4 / 3 - (pole * (c * c)) / mass));
      const nextX = state[at] + interval * speed;
      const nextSpeed = speed + interval * (pull - (moment * turn * c) / mass);
      const nextAngle = angle + interval * turning;
      const nextTurning = turning + interval * turn;
      state[at] = nextX;
      state[at + 1] = nextSpeed;
      state[at + 2] = nextAngle;
      state[at + 3] = nextTurning;
      out[at] = nextX;
      out[at + 1] = nextSpeed;
      out[at + 2] = nextAngle;
      out[at + 3] = nextTurning;
      // Not a choice either, and no call: one that hardly ever happens still costs the loop its registers.
      terminated[first + k] = Number(Math.abs(nextX) > trackEnd) | Number(Math.abs(nextAngle) > steepest);
    }
  }

  render(row: number): string {
    const [x, , angle] = this.state.rows.subarray(row * 4);
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
