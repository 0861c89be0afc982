import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { cosSingle, sinSingle } from "../libm/single.ts";
import { cosOf, sinOf } from "../libm/trigonometry.ts";

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
  /** The row being stepped: two angles, two speeds, and four sines or cosines. */
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
    // Two angles and two speeds for each row.
    this.state = { rows: new Float64Array(this.rows * 4) };
  }

  protected begin(row: number): void {
    const state = this.state.rows;
    // Gymnasium draws the first state in single precision.
    for (let i = row * 4; i < row * 4 + 4; i++) state[i] = Math.fround(this.random[row].uniform(-0.1, 0.1));
  }

  /** The first observation, whose sines are of singles. */
  protected observe(row: number): void {
    const state = this.state.rows;
    const out = this.observation.data as Float32Array;
    for (let link = 0; link < 2; link++) {
      const angle = state[row * 4 + link];
      out[row * 6 + link * 2] = cosSingle(angle);
      out[row * 6 + link * 2 + 1] = sinSingle(angle);
      out[row * 6 + 4 + link] = state[row * 4 + 2 + link];
    }
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { work } = this;
    const state = this.state.rows;
    const actions = action.data as Int32Array;
    const out = this.observation.data as Float32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    reward.fill(-1, from, to);
    for (let row = from; row < to; row++) {
      for (let i = 0; i < 4; i++) work[i] = state[row * 4 + i];
      swing(work, actions[row] - 1);
      for (let i = 0; i < 4; i++) state[row * 4 + i] = work[i];
      work[4] = work[0] + work[1];
      cosOf(work, 4, 5);
      cosOf(work, 0, 4);
      if (-work[4] - work[5] > 1) {
        terminated[row] = 1;
        reward[row] = 0;
      }
      sinOf(work, 0, 5);
      cosOf(work, 1, 6);
      sinOf(work, 1, 7);
      out[row * 6] = work[4];
      out[row * 6 + 1] = work[5];
      out[row * 6 + 2] = work[6];
      out[row * 6 + 3] = work[7];
      out[row * 6 + 4] = work[2];
      out[row * 6 + 5] = work[3];
    }
  }

  render(row: number): string {
    const [angle1, angle2] = this.state.rows.subarray(row * 4);
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

/** One step of Runge and Kutta's fourth order, in place, with Gymnasium's order of operations: every rounding is the same. */
function swing(at: Float64Array, torque: number): void {
  const a1 = at[0];
  const a2 = at[1];
  const v1 = at[2];
  const v2 = at[3];
  // Angles and speeds where the derivative is taken, and the weighted sums of its four parts.
  let x1 = a1;
  let x2 = a2;
  let w1 = v1;
  let w2 = v2;
  let sumX1 = 0;
  let sumX2 = 0;
  let sumW1 = 0;
  let sumW2 = 0;
  for (let stage = 0; stage < 4; stage++) {
    at[4] = x2;
    sinOf(at, 4, 5);
    cosOf(at, 4, 4);
    at[6] = x1 + x2 - Math.PI / 2;
    cosOf(at, 6, 6);
    at[7] = x1 - Math.PI / 2;
    cosOf(at, 7, 7);
    const sin2 = at[5];
    const cos2 = at[4];
    const d1 = 0.25 + (1.25 + cos2) + 1 + 1;
    const d2 = 0.25 + 0.5 * cos2 + 1;
    const phi2 = 0.5 * gravity * at[6];
    const phi1 = -0.5 * (w2 * w2) * sin2 - w2 * w1 * sin2 + 1.5 * gravity * at[7] + phi2;
    const acc2 = (torque + (d2 / d1) * phi1 - 0.5 * (w1 * w1) * sin2 - phi2) / (0.25 + 1 - (d2 * d2) / d1);
    const acc1 = -(d2 * acc2 + phi1) / d1;
    const weight = stage === 0 || stage === 3 ? 1 : 2;
    sumX1 += weight * w1;
    sumX2 += weight * w2;
    sumW1 += weight * acc1;
    sumW2 += weight * acc2;
    if (stage === 3) break;
    const ahead = stage === 2 ? interval : interval / 2;
    x1 = a1 + ahead * w1;
    x2 = a2 + ahead * w2;
    w1 = v1 + ahead * acc1;
    w2 = v2 + ahead * acc2;
  }
  at[0] = wrap(a1 + (interval / 6) * sumX1);
  at[1] = wrap(a2 + (interval / 6) * sumX2);
  at[2] = Math.min(Math.max(v1 + (interval / 6) * sumW1, -fastest1), fastest1);
  at[3] = Math.min(Math.max(v2 + (interval / 6) * sumW2, -fastest2), fastest2);
}

/** The same direction between -π and π. */
function wrap(angle: number): number {
  while (angle > Math.PI) angle -= 2 * Math.PI;
  while (angle < -Math.PI) angle += 2 * Math.PI;
  return angle;
}
