import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { cos, sin } from "../trigonometry.ts";

const trackEnd = 2.4;
const steepest = (12 * 2 * Math.PI) / 360;
const interval = 0.02;

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
    const column = () => new Float64Array(this.rows);
    this.state = { x: column(), speed: column(), angle: column(), turning: column() };
  }

  protected begin(row: number): void {
    const random = this.random[row];
    this.state.x[row] = random.uniform(-0.05, 0.05);
    this.state.speed[row] = random.uniform(-0.05, 0.05);
    this.state.angle[row] = random.uniform(-0.05, 0.05);
    this.state.turning[row] = random.uniform(-0.05, 0.05);
  }

  protected observe(row: number): void {
    const out = this.observation.data;
    out[row * 4] = this.state.x[row];
    out[row * 4 + 1] = this.state.speed[row];
    out[row * 4 + 2] = this.state.angle[row];
    out[row * 4 + 3] = this.state.turning[row];
  }

  protected move(action: Tensor): void {
    const { rows } = this;
    const { x, speed, angle, turning } = this.state;
    const { gravity, cartMass, poleMass, poleLength, force } = this.parameters;
    const actions = action.data as Int32Array;
    const out = this.observation.data as Float32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    const standing = this.suttonBarto ? 0 : 1;
    const falling = this.suttonBarto ? -1 : 1;
    for (let i = 0; i < rows; i++) {
      const v = speed[i];
      const theta = angle[i];
      const omega = turning[i];
      const half = poleLength[i];
      const pole = poleMass[i];
      const total = pole + cartMass[i];
      const moment = pole * half;
      const push = actions[i] === 1 ? force[i] : -force[i];
      const c = cos(theta);
      const s = sin(theta);
      const pull = (push + moment * (omega * omega) * s) / total;
      const turn = (gravity[i] * s - c * pull) / (half * (4 / 3 - (pole * (c * c)) / total));
      const speedUp = pull - (moment * turn * c) / total;

      const nextX = x[i] + interval * v;
      const nextSpeed = v + interval * speedUp;
      const nextAngle = theta + interval * omega;
      const nextTurning = omega + interval * turn;
      x[i] = nextX;
      speed[i] = nextSpeed;
      angle[i] = nextAngle;
      turning[i] = nextTurning;

      const fell =
        nextX < -trackEnd || nextX > trackEnd || nextAngle < -steepest || nextAngle > steepest ? 1 : 0;
      terminated[i] = fell;
      reward[i] = fell ? falling : standing;
      out[i * 4] = nextX;
      out[i * 4 + 1] = nextSpeed;
      out[i * 4 + 2] = nextAngle;
      out[i * 4 + 3] = nextTurning;
    }
  }

  render(row: number): string {
    const { x, angle } = this.state;
    const canvas = new Canvas(61, 12);
    const scale = 120 / (2 * trackEnd + 1);
    const middle = 61 + x[row] * scale;
    const ground = 38;
    canvas.line(0, ground + 4, 121, ground + 4);
    canvas.box(middle - 8, ground - 4, middle + 8, ground + 3);
    const length = 32;
    const tip = middle + length * Math.sin(angle[row]);
    canvas.line(middle, ground - 5, tip, ground - 5 - length * Math.cos(angle[row]));
    const degrees = ((angle[row] * 180) / Math.PI).toFixed(1);
    return `${canvas}\nx ${x[row].toFixed(2)}  angle ${degrees}°`;
  }
}
