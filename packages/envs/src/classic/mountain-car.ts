import { box, discrete } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { cosOf } from "../libm/trigonometry.ts";
import { drawHill, fastest, leftEnd, rightEnd } from "./hill.ts";

const goal = 0.5;

/** How a mountain car is made. */
export interface MountainCarOptions extends BatchedOptions {
  /** Speed to have at the flag. */
  readonly goalSpeed?: number;
}

/**
 * An underpowered car in a valley: rock back and forth to reach the flag. Actions push left (0), not at all (1) or right (2); each
 * step costs 1. Moore, "Efficient Memory-based Learning for Robot Control" (1990). A context may change `force` and `gravity`.
 */
export class MountainCar extends BatchedEnv {
  protected readonly state;
  private readonly goalSpeed: number;
  private readonly work = new Float64Array(1);

  constructor({ goalSpeed = 0, ...options }: MountainCarOptions = {}) {
    super(
      {
        id: "MountainCar-v0",
        observation: box([2], [leftEnd, -fastest], [rightEnd, fastest]),
        action: discrete(3),
        maxSteps: 200,
        solvedAt: -110,
      },
      options,
      { force: 0.001, gravity: 0.0025 },
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
    const { goalSpeed, work } = this;
    const { position, speed } = this.state;
    const { columns } = this.parameters;
    const force = columns.force[from];
    const gravity = columns.gravity[from];
    const actions = action.data as Int32Array;
    const out = this.observation.data as Float32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    reward.fill(-1, from, to);
    for (let i = from; i < to; i++) {
      let x = position[i];
      work[0] = 3 * x;
      cosOf(work, 0, 0);
      let v = speed[i] + ((actions[i] - 1) * force + work[0] * -gravity);
      v = Math.min(Math.max(v, -fastest), fastest);
      x = Math.min(Math.max(x + v, leftEnd), rightEnd);
      if (x === leftEnd && v < 0) v = 0;
      position[i] = x;
      speed[i] = v;
      if (x >= goal && v >= goalSpeed) terminated[i] = 1;
      out[i * 2] = x;
      out[i * 2 + 1] = v;
    }
  }

  render(row: number): string {
    return drawHill(this.state.position[row], this.state.speed[row], goal);
  }
}
