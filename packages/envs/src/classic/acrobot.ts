import { box, discrete, type EnvSpec, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { Canvas } from "../canvas.ts";
import { cosSingle, sinSingle } from "../libm/single.ts";
import { cosOf, sinOf } from "../libm/trigonometry.ts";
import { classicLabels } from "./labels.ts";
import { linkParameters } from "./link-parameters.ts";
import { Links } from "./links.ts";
import { acrobotPicture } from "./rendering.ts";

/** Maximum angular velocities of the links. */
export const fastest1 = 4 * Math.PI;
export const fastest2 = 9 * Math.PI;

const high = [1, 1, 1, 1, fastest1, fastest2];
/** Description of the environment. */
export const acrobotSpec: EnvSpec = {
  id: "Acrobot-v1",
  observation: box(
    [6],
    high.map((h) => -h),
    high,
  ),
  action: discrete(3),
  labels: classicLabels.acrobot,
  maxSteps: 500,
  solvedAt: -100,
};

/**
 * Two links with a motor at the joint between them: swing the tip above the line. Actions are torques of -1 (0), 0
 * (1) and 1 (2); each step has reward -1 until the tip is there. Sutton, "Generalization in Reinforcement
 * Learning" (1996), with the equations of Sutton and Barto's book. Lengths, masses and moments are those of
 * Gymnasium: links of 1 m and 1 kg, centres in the middle, moments 1. A context may change `gravity`, `length1`,
 * `length2`, `mass1`, `mass2`, `moment` and `torque`; the line stays at the height for links of 1 m.
 */
export class Acrobot extends BatchedEnv {
  protected readonly state;
  private readonly links: Links;
  protected override readonly mixed = true;

  constructor(options: BatchedOptions = {}) {
    super(acrobotSpec, options, linkParameters);
    this.links = new Links(this.rows, fastest1, fastest2, this.parameters);
    this.state = this.links.state;
  }

  protected begin(row: number): void {
    const { angle1, angle2, speed1, speed2, sine2, cosine2 } = this.state;
    // Gymnasium samples the initial state in single precision.
    for (const column of [angle1, angle2, speed1, speed2])
      column[row] = Math.fround(this.random[row].uniform(-0.1, 0.1));
    sine2[row] = cosine2[row] = angle2[row];
    sinOf(sine2, row, row);
    cosOf(cosine2, row, row);
  }

  /** The initial observation, whose sines are of single-precision angles. */
  protected observe(row: number): void {
    const { angle1, angle2, speed1, speed2 } = this.state;
    const out = this.observation.data as Float32Array;
    const at = row * 6;
    out[at] = cosSingle(angle1[row]);
    out[at + 1] = sinSingle(angle1[row]);
    out[at + 2] = cosSingle(angle2[row]);
    out[at + 3] = sinSingle(angle2[row]);
    out[at + 4] = speed1[row];
    out[at + 5] = speed2[row];
  }

  protected move(action: Tensor): void {
    const { out, reward, done } = this.links.swing(action.data as Int32Array);
    (this.observation.data as Float32Array).set(out);
    (this.reward.data as Float32Array).set(reward);
    (this.terminated.data as Uint8Array).set(done);
  }

  picture(row: number): Rendering {
    return acrobotPicture(this.state.angle1[row], this.state.angle2[row]);
  }

  render(row: number): string {
    return drawAcrobot(this.state.angle1[row], this.state.angle2[row]);
  }
}

/** Both links and the line as text. */
export function drawAcrobot(angle1: number, angle2: number): string {
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
