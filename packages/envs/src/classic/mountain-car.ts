import { box, discrete, type EnvSpec, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { kernel } from "../kernels/kernel.ts";
import { column } from "../kernels/memory.ts";
import { ParameterColumns } from "../kernels/parameters.ts";
import { Sines } from "../kernels/sines.ts";
import { arrive, atWall, drawHill, fastest, leftEnd, rightEnd } from "./hill.ts";
import { classicLabels } from "./labels.ts";
import { hillPicture } from "./rendering.ts";

/** Position of the flag. */
export const goal = 0.5;

/** Description of the environment. */
export const mountainCarSpec: EnvSpec = {
  id: "MountainCar-v0",
  observation: box([2], [leftEnd, -fastest], [rightEnd, fastest]),
  action: discrete(3),
  labels: classicLabels.mountainCar,
  maxSteps: 200,
  solvedAt: -110,
};

/** Parameters that a context may change. */
export const mountainCarDefaults = { force: 0.001, gravity: 0.0025 };

/** The angles whose cosines are the slopes of the hill. */
const look = kernel({ columns: { position: 8, angles: 8 } }, (k) =>
  k.store("angles", k.load("position").mul(3)),
);

/** One step. */
const push = kernel(
  {
    columns: { position: 8, speed: 8, cosines: 8, actions: 4, out: 8, there: 1, goalSpeed: 0 },
    parameters: ["force", "gravity"],
    prepare: (k) => ({
      force: k.load("force"),
      gravity: k.load("gravity").neg(),
      goalSpeed: k.load("goalSpeed"),
    }),
  },
  (k, { force, gravity, goalSpeed }) => {
    const pushed = k.loadIntegers("actions").sub(1).mul(force);
    const sum = k.load("speed").add(pushed.add(k.load("cosines").mul(gravity)));
    const v = sum.max(-fastest).min(fastest);
    const x = k.load("position").add(v).max(leftEnd).min(rightEnd);
    arrive(k, x, atWall(x, v, leftEnd), goal, goalSpeed);
  },
);

/** Options of a mountain car. */
export interface MountainCarOptions extends BatchedOptions {
  /** Minimum speed at the flag. */
  readonly goalSpeed?: number;
}

/**
 * An underpowered car in a valley: rock back and forth to reach the flag. Actions push left (0), not at all (1) or
 * right (2); each step has reward -1. Moore, "Efficient Memory-based Learning for Robot Control" (1990). A context
 * may change `force` and `gravity`.
 */
export class MountainCar extends BatchedEnv {
  protected readonly state;
  /** Columns of the kernels. */
  private readonly kept;
  protected override readonly mixed = true;

  constructor({ goalSpeed = 0, ...options }: MountainCarOptions = {}) {
    super(mountainCarSpec, options, mountainCarDefaults);
    const { rows } = this;
    this.kept = {
      position: column(Float64Array, rows),
      speed: column(Float64Array, rows),
      angles: column(Float64Array, rows),
      sines: new Sines(rows),
      actions: column(Int32Array, rows),
      out: column(Float32Array, rows, 2),
      there: column(Uint8Array, rows),
      goalSpeed: column(Float64Array, 2),
      parameters: new ParameterColumns(rows, this.parameters),
    };
    this.kept.goalSpeed.data.fill(goalSpeed);
    this.state = { position: this.kept.position.data, speed: this.kept.speed.data };
  }

  protected begin(row: number): void {
    this.state.position[row] = this.random[row].uniform(-0.6, -0.4);
    this.state.speed[row] = 0;
  }

  protected observe(row: number): void {
    this.observation.data[row * 2] = this.state.position[row];
    this.observation.data[row * 2 + 1] = this.state.speed[row];
  }

  protected move(action: Tensor): void {
    const { rows, kept, parameters } = this;
    const { position, speed, angles, sines, actions, out, there, goalSpeed } = kept;
    const { force, gravity } = kept.parameters.of(parameters);
    actions.data.set(action.data as Int32Array);
    look()(rows, position.at, angles.at);
    sines.cosinesOf(angles, 0, rows);
    push(parameters.varied)(
      rows,
      position.at,
      speed.at,
      sines.cosines.at,
      actions.at,
      out.at,
      there.at,
      goalSpeed.at,
      force.at,
      gravity.at,
    );
    (this.observation.data as Float32Array).set(out.data);
    this.terminated.data.set(there.data);
    this.reward.data.fill(-1);
  }

  picture(row: number): Rendering {
    return hillPicture(this.state.position[row], this.state.speed[row], goal, [leftEnd, rightEnd]);
  }

  render(row: number): string {
    return drawHill(this.state.position[row], this.state.speed[row], goal);
  }
}
