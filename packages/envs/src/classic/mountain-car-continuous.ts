import { box } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv } from "../batched.ts";
import { cos } from "../trigonometry.ts";
import { drawHill, fastest, leftEnd, rightEnd } from "./hill.ts";
import type { MountainCarOptions } from "./mountain-car.ts";

const goal = 0.45;

/**
 * The mountain car with a motor that pushes between -1 and 1: reaching the flag pays 100, pushing costs its square. A context may
 * change `power` and `gravity`.
 */
export class MountainCarContinuous extends BatchedEnv {
  protected readonly state;
  private readonly goalSpeed: number;

  constructor({ goalSpeed = 0, ...options }: MountainCarOptions = {}) {
    super(
      {
        id: "MountainCarContinuous-v0",
        observation: box([2], [leftEnd, -fastest], [rightEnd, fastest]),
        action: box([1], -1, 1),
        maxSteps: 999,
        solvedAt: 90,
      },
      options,
      { power: 0.0015, gravity: 0.0025 },
    );
    this.goalSpeed = goalSpeed;
    this.state = { position: new Float64Array(this.rows), speed: new Float64Array(this.rows) };
  }

  protected begin(row: number): void {
    this.state.position[row] = this.random[row].uniform(-0.6, -0.4);
    this.state.speed[row] = 0;
  }

  protected observe(row: number): void {
    this.observation.data[row * 2] = this.state.position[row];
    this.observation.data[row * 2 + 1] = this.state.speed[row];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { goalSpeed } = this;
    const { position, speed } = this.state;
    const { columns } = this.parameters;
    const power = columns.power[from];
    const gravity = columns.gravity[from];
    const actions = action.data as Float32Array;
    const out = this.observation.data as Float32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    for (let i = from; i < to; i++) {
      const push = actions[i];
      const force = Math.min(Math.max(push, -1), 1);
      let x = position[i];
      let v = speed[i] + (force * power - gravity * cos(3 * x));
      v = Math.min(Math.max(v, -fastest), fastest);
      x = Math.min(Math.max(x + v, leftEnd), rightEnd);
      if (x === leftEnd && v < 0) v = 0;
      const there = x >= goal && v >= goalSpeed ? 1 : 0;
      terminated[i] = there;
      // The whole push is charged, also what was cut off.
      reward[i] = (there ? 100 : 0) - push * push * 0.1;
      // Gymnasium keeps the state in single precision.
      position[i] = out[i * 2] = Math.fround(x);
      speed[i] = out[i * 2 + 1] = Math.fround(v);
    }
  }

  render(row: number): string {
    return drawHill(this.state.position[row], this.state.speed[row], goal);
  }
}
