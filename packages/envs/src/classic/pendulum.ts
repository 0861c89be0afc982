import { box } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { sinCos } from "../trigonometry.ts";

const fastest = 8;
const strongest = 2;
const interval = 0.05;
const turn = 2 * Math.PI;

/**
 * A pendulum with a motor too weak to lift it at once: swing it up and hold it. The action is a torque between -2 and 2, the reward
 * the negative cost of angle, speed and torque. A context may change `gravity`, `mass` and `length`.
 */
export class Pendulum extends BatchedEnv {
  protected readonly state;

  constructor(options: BatchedOptions = {}) {
    const high = [1, 1, fastest];
    super(
      {
        id: "Pendulum-v1",
        observation: box(
          [3],
          high.map((h) => -h),
          high,
        ),
        action: box([1], -strongest, strongest),
        maxSteps: 200,
      },
      options,
      { gravity: 10, mass: 1, length: 1 },
    );
    const column = () => new Float64Array(this.rows);
    // Sine and cosine of each angle, one after the other: the next step needs them again.
    this.state = { angle: column(), speed: column(), direction: new Float64Array(this.rows * 2) };
  }

  protected begin(row: number): void {
    const { angle, speed, direction } = this.state;
    angle[row] = this.random[row].uniform(-Math.PI, Math.PI);
    speed[row] = this.random[row].uniform(-1, 1);
    sinCos(angle[row], direction, row * 2);
  }

  protected observe(row: number): void {
    const out = this.observation.data;
    out[row * 3] = this.state.direction[row * 2 + 1];
    out[row * 3 + 1] = this.state.direction[row * 2];
    out[row * 3 + 2] = this.state.speed[row];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { columns } = this.parameters;
    const { angle, speed, direction } = this.state;
    const actions = action.data as Float32Array;
    const out = this.observation.data as Float32Array;
    const reward = this.reward.data as Float32Array;
    const length = columns.length[from];
    const weight = (3 * columns.gravity[from]) / (2 * length);
    const torque = 3 / (columns.mass[from] * (length * length));
    for (let i = from; i < to; i++) {
      const theta = angle[i];
      const omega = speed[i];
      const u = Math.min(Math.max(actions[i], -strongest), strongest);
      const away = theta - turn * Math.floor((theta + Math.PI) * (1 / turn));
      reward[i] = -(away * away + 0.1 * (omega * omega) + 0.001 * (u * u));

      const pull = weight * direction[i * 2] + torque * u;
      const next = Math.min(Math.max(omega + pull * interval, -fastest), fastest);
      const nextAngle = theta + next * interval;
      sinCos(nextAngle, direction, i * 2);
      angle[i] = nextAngle;
      speed[i] = next;
      out[i * 3] = direction[i * 2 + 1];
      out[i * 3 + 1] = direction[i * 2];
      out[i * 3 + 2] = next;
    }
  }

  render(row: number): string {
    const { angle, speed } = this.state;
    const canvas = new Canvas(31, 15);
    const [x, y] = [30, 30];
    const tipX = x + 24 * Math.sin(angle[row]);
    const tipY = y - 24 * Math.cos(angle[row]);
    for (const side of [-1, 0, 1]) canvas.line(x + side, y, tipX + side, tipY);
    canvas.disc(tipX, tipY, 4);
    canvas.text(x, y, "◉");
    return `${canvas}\nspeed ${speed[row].toFixed(2)}`;
  }
}
