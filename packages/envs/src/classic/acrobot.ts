import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { sinCos } from "../trigonometry.ts";

const interval = 0.2;
const fastest1 = 4 * Math.PI;
const fastest2 = 9 * Math.PI;
const gravity = 9.8;

/**
 * Two links, a motor at the joint between them: swing the tip above the line. Actions are torques of -1 (0), 0 (1) and 1 (2); each
 * step costs 1 until the tip is there. Sutton, "Generalization in Reinforcement Learning" (1996), with the equations of Sutton and
 * Barto's book. Lengths, masses and moments are those of Gymnasium: links of 1 m and 1 kg, centres in the middle, moments 1.
 */
export class Acrobot extends BatchedEnv {
  protected readonly state;
  /** The row being stepped: two angles, two speeds, then sine and cosine of both angles. */
  private readonly work = new Float64Array(8);

  constructor(options: BatchedOptions = {}) {
    const high = [1, 1, 1, 1, fastest1, fastest2];
    super(
      {
        id: "Acrobot-v1",
        observation: box(
          [6],
          high.map((h) => -h),
          high,
        ),
        action: discrete(3),
        maxSteps: 500,
        solvedAt: -100,
      },
      options,
    );
    // Eight numbers for each row, as `work` has them.
    this.state = { rows: new Float64Array(this.rows * 8) };
  }

  protected begin(row: number): void {
    const state = this.state.rows;
    // Gymnasium draws the first state in single precision.
    for (let i = row * 8; i < row * 8 + 4; i++) state[i] = Math.fround(this.random[row].uniform(-0.1, 0.1));
    sinCos(state[row * 8], state, row * 8 + 4);
    sinCos(state[row * 8 + 1], state, row * 8 + 6);
  }

  protected observe(row: number): void {
    const state = this.state.rows;
    const out = this.observation.data as Float32Array;
    out[row * 6] = state[row * 8 + 5];
    out[row * 6 + 1] = state[row * 8 + 4];
    out[row * 6 + 2] = state[row * 8 + 7];
    out[row * 6 + 3] = state[row * 8 + 6];
    out[row * 6 + 4] = state[row * 8 + 2];
    out[row * 6 + 5] = state[row * 8 + 3];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { work } = this;
    const state = this.state.rows;
    const actions = action.data as Int32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    reward.fill(-1, from, to);
    for (let row = from; row < to; row++) {
      for (let i = 0; i < 8; i++) work[i] = state[row * 8 + i];
      swing(work, actions[row] - 1);
      for (let i = 0; i < 8; i++) state[row * 8 + i] = work[i];
      // -cos(a) - cos(a + b), by the sum's formula.
      if (-work[5] - (work[5] * work[7] - work[4] * work[6]) > 1) {
        terminated[row] = 1;
        reward[row] = 0;
      }
      this.observe(row);
    }
  }

  render(row: number): string {
    const [angle1, angle2] = this.state.rows.subarray(row * 8);
    const canvas = new Canvas(37, 18);
    const [x, y, link] = [36, 36, 16];
    canvas.line(0, y - link, 73, y - link);
    const jointX = x + link * Math.sin(angle1);
    const jointY = y + link * Math.cos(angle1);
    const both = angle1 + angle2;
    canvas.line(x, y, jointX, jointY);
    canvas.line(jointX, jointY, jointX + link * Math.sin(both), jointY + link * Math.cos(both));
    canvas.disc(jointX, jointY, 2);
    canvas.text(x, y, "◉");
    return canvas.toString();
  }
}

/** One step of Runge and Kutta's fourth order, in place. */
function swing(at: Float64Array, torque: number): void {
  const a1 = at[0];
  const a2 = at[1];
  const v1 = at[2];
  const v2 = at[3];
  // Speeds where the derivative is taken, and the weighted sums of its four parts.
  let w1 = v1;
  let w2 = v2;
  let sumX1 = 0;
  let sumX2 = 0;
  let sumW1 = 0;
  let sumW2 = 0;
  for (let stage = 0; stage < 4; stage++) {
    const sin1 = at[4];
    const cos1 = at[5];
    const sin2 = at[6];
    const cos2 = at[7];
    const d1 = 3.5 + cos2;
    const d2 = 1.25 + 0.5 * cos2;
    const phi2 = 0.5 * gravity * (sin1 * cos2 + cos1 * sin2);
    const phi1 = -0.5 * w2 * w2 * sin2 - w2 * w1 * sin2 + 1.5 * gravity * sin1 + phi2;
    const ratio = d2 / d1;
    const acc2 = (torque + ratio * phi1 - 0.5 * w1 * w1 * sin2 - phi2) / (1.25 - d2 * ratio);
    const acc1 = -(d2 * acc2 + phi1) / d1;
    const weight = stage === 0 || stage === 3 ? 1 : 2;
    sumX1 += weight * w1;
    sumX2 += weight * w2;
    sumW1 += weight * acc1;
    sumW2 += weight * acc2;
    if (stage === 3) break;
    const ahead = stage === 2 ? interval : interval / 2;
    sinCos(a1 + ahead * w1, at, 4);
    sinCos(a2 + ahead * w2, at, 6);
    w1 = v1 + ahead * acc1;
    w2 = v2 + ahead * acc2;
  }
  at[0] = wrap(a1 + (interval / 6) * sumX1);
  at[1] = wrap(a2 + (interval / 6) * sumX2);
  at[2] = Math.min(Math.max(v1 + (interval / 6) * sumW1, -fastest1), fastest1);
  at[3] = Math.min(Math.max(v2 + (interval / 6) * sumW2, -fastest2), fastest2);
  sinCos(at[0], at, 4);
  sinCos(at[1], at, 6);
}

/** The same direction between -π and π. */
function wrap(angle: number): number {
  while (angle > Math.PI) angle -= 2 * Math.PI;
  while (angle < -Math.PI) angle += 2 * Math.PI;
  return angle;
}
