import { box } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv } from "../batched.ts";
import { cosOf } from "../libm/trigonometry.ts";
import { drawHill, fastest, leftEnd, rightEnd } from "./hill.ts";
import type { MountainCarOptions } from "./mountain-car.ts";

const goal = Math.fround(0.45);
const left = Math.fround(leftEnd);
const right = Math.fround(rightEnd);
const limit = Math.fround(fastest);

/**
 * The mountain car with a motor that pushes between -1 and 1: reaching the flag pays 100, pushing costs its square. A context may
 * change `power` and `gravity`.
 *
 * Gymnasium computes it in single precision, because NumPy rounds a Python number that meets a single: all but what Python computes
 * alone, which is the slope of the hill and a push that was cut off. Its first step has the position drawn, in double precision.
 */
export class MountainCarContinuous extends BatchedEnv {
  protected readonly state;
  private readonly goalSpeed: number;
  private readonly work = new Float64Array(1);

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
    this.goalSpeed = Math.fround(goalSpeed);
    const column = () => new Float64Array(this.rows);
    // `fresh` marks rows before their first step.
    this.state = { position: column(), speed: column(), fresh: new Uint8Array(this.rows) };
  }

  protected begin(row: number): void {
    this.state.position[row] = this.random[row].uniform(-0.6, -0.4);
    this.state.speed[row] = 0;
    this.state.fresh[row] = 1;
  }

  protected observe(row: number): void {
    this.observation.data[row * 2] = this.state.position[row];
    this.observation.data[row * 2 + 1] = this.state.speed[row];
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { goalSpeed, work } = this;
    const { position, speed, fresh } = this.state;
    const { columns } = this.parameters;
    const power = columns.power[from];
    const gravity = columns.gravity[from];
    const singlePower = Math.fround(power);
    const actions = action.data as Float32Array;
    const out = this.observation.data as Float32Array;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    for (let i = from; i < to; i++) {
      const push = actions[i];
      const first = fresh[i] === 1;
      let x = position[i];
      work[0] = first ? 3 * x : Math.fround(3 * x);
      cosOf(work, 0, 0);
      const slope = gravity * work[0];
      const change =
        push >= -1 && push <= 1
          ? Math.fround(Math.fround(push * singlePower) - Math.fround(slope))
          : (push > 0 ? power : -power) - slope;
      let v = first ? change : Math.fround(speed[i] + Math.fround(change));
      v = Math.min(Math.max(v, -limit), limit);
      x = first ? x + v : Math.fround(x + v);
      x = Math.min(Math.max(x, left), right);
      if (x === left && v < 0) v = 0;
      const there = x >= goal && v >= goalSpeed ? 1 : 0;
      terminated[i] = there;
      // The whole push is charged, also what was cut off.
      reward[i] = (there ? 100 : 0) - push * push * 0.1;
      position[i] = out[i * 2] = Math.fround(x);
      speed[i] = out[i * 2 + 1] = Math.fround(v);
      fresh[i] = 0;
    }
  }

  render(row: number): string {
    return drawHill(this.state.position[row], this.state.speed[row], goal);
  }
}
