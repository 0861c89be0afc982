import { box } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { cos, sin } from "../trigonometry.ts";

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
    this.state = { angle: new Float64Array(this.rows), speed: new Float64Array(this.rows) };
  }

  protected begin(row: number): void {
    this.state.angle[row] = this.random[row].uniform(-Math.PI, Math.PI);
    this.state.speed[row] = this.random[row].uniform(-1, 1);
  }

  protected observe(row: number): void {
    const out = this.observation.data;
    out[row * 3] = Math.cos(this.state.angle[row]);
    out[row * 3 + 1] = Math.sin(this.state.angle[row]);
    out[row * 3 + 2] = this.state.speed[row];
  }

  protected move(action: Tensor): void {
    const { rows } = this;
    const { angle, speed } = this.state;
    const { gravity, mass, length } = this.parameters;
    const actions = action.data as Float32Array;
    const out = this.observation.data as Float32Array;
    const reward = this.reward.data as Float32Array;
    for (let i = 0; i < rows; i++) {
      const theta = angle[i];
      const omega = speed[i];
      const l = length[i];
      const u = actions[i] < -strongest ? -strongest : actions[i] > strongest ? strongest : actions[i];
      const away = theta - turn * Math.floor((theta + Math.PI) / turn);
      reward[i] = -(away * away + 0.1 * (omega * omega) + 0.001 * (u * u));

      const pull = ((3 * gravity[i]) / (2 * l)) * sin(theta) + (3 / (mass[i] * (l * l))) * u;
      let next = omega + pull * interval;
      next = next < -fastest ? -fastest : next > fastest ? fastest : next;
      const nextAngle = theta + next * interval;
      angle[i] = nextAngle;
      speed[i] = next;
      out[i * 3] = cos(nextAngle);
      out[i * 3 + 1] = sin(nextAngle);
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
