import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { cos, sin } from "../trigonometry.ts";

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
  /** Angles and speeds of the row being stepped. */
  private readonly work = new Float64Array(4);

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
    const column = () => new Float64Array(this.rows);
    this.state = { angle1: column(), angle2: column(), speed1: column(), speed2: column() };
  }

  protected begin(row: number): void {
    const { angle1, angle2, speed1, speed2 } = this.state;
    // Gymnasium draws the first state in single precision.
    for (const column of [angle1, angle2, speed1, speed2])
      column[row] = Math.fround(this.random[row].uniform(-0.1, 0.1));
  }

  protected observe(row: number): void {
    const { angle1, angle2, speed1, speed2 } = this.state;
    const out = this.observation.data as Float32Array;
    out[row * 6] = cos(angle1[row]);
    out[row * 6 + 1] = sin(angle1[row]);
    out[row * 6 + 2] = cos(angle2[row]);
    out[row * 6 + 3] = sin(angle2[row]);
    out[row * 6 + 4] = speed1[row];
    out[row * 6 + 5] = speed2[row];
  }

  protected move(action: Tensor): void {
    const { rows, work } = this;
    const { angle1, angle2, speed1, speed2 } = this.state;
    const actions = action.data as Int32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    for (let i = 0; i < rows; i++) {
      work[0] = angle1[i];
      work[1] = angle2[i];
      work[2] = speed1[i];
      work[3] = speed2[i];
      swing(work, actions[i] - 1);
      const a1 = wrap(work[0]);
      const a2 = wrap(work[1]);
      angle1[i] = a1;
      angle2[i] = a2;
      speed1[i] = Math.min(Math.max(work[2], -fastest1), fastest1);
      speed2[i] = Math.min(Math.max(work[3], -fastest2), fastest2);
      const above = -cos(a1) - cos(a2 + a1) > 1 ? 1 : 0;
      terminated[i] = above;
      reward[i] = above ? 0 : -1;
      this.observe(i);
    }
  }

  render(row: number): string {
    const { angle1, angle2 } = this.state;
    const canvas = new Canvas(37, 18);
    const [x, y, link] = [36, 36, 16];
    canvas.line(0, y - link, 73, y - link);
    const jointX = x + link * Math.sin(angle1[row]);
    const jointY = y + link * Math.cos(angle1[row]);
    const both = angle1[row] + angle2[row];
    canvas.line(x, y, jointX, jointY);
    canvas.line(jointX, jointY, jointX + link * Math.sin(both), jointY + link * Math.cos(both));
    canvas.disc(jointX, jointY, 2);
    canvas.text(x, y, "◉");
    return canvas.toString();
  }
}

/** One step of Runge and Kutta's fourth order for the angles and speeds in `at`, in place. */
function swing(at: Float64Array, torque: number): void {
  const [a1, a2, v1, v2] = [at[0], at[1], at[2], at[3]];
  // Where the derivative is taken, and the weighted sums of its four parts.
  let [x1, x2, w1, w2] = [a1, a2, v1, v2];
  let [sumX1, sumX2, sumW1, sumW2] = [0, 0, 0, 0];
  for (let stage = 0; stage < 4; stage++) {
    const c = cos(x2);
    const s = sin(x2);
    const d1 = 3.5 + c;
    const d2 = 1.25 + 0.5 * c;
    const phi2 = 0.5 * gravity * sin(x1 + x2);
    const phi1 = -0.5 * w2 * w2 * s - w2 * w1 * s + 1.5 * gravity * sin(x1) + phi2;
    const acc2 = (torque + (d2 / d1) * phi1 - 0.5 * w1 * w1 * s - phi2) / (1.25 - (d2 * d2) / d1);
    const acc1 = -(d2 * acc2 + phi1) / d1;
    const weight = stage === 0 || stage === 3 ? 1 : 2;
    sumX1 += weight * w1;
    sumX2 += weight * w2;
    sumW1 += weight * acc1;
    sumW2 += weight * acc2;
    const ahead = stage === 2 ? interval : interval / 2;
    x1 = a1 + ahead * w1;
    x2 = a2 + ahead * w2;
    w1 = v1 + ahead * acc1;
    w2 = v2 + ahead * acc2;
  }
  at[0] = a1 + (interval / 6) * sumX1;
  at[1] = a2 + (interval / 6) * sumX2;
  at[2] = v1 + (interval / 6) * sumW1;
  at[3] = v2 + (interval / 6) * sumW2;
}

/** The same direction between -π and π. */
function wrap(angle: number): number {
  while (angle > Math.PI) angle -= 2 * Math.PI;
  while (angle < -Math.PI) angle += 2 * Math.PI;
  return angle;
}
