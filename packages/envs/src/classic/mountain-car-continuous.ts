import { box, type EnvSpec, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv } from "../batch-form.ts";
import { kernel } from "../kernels/kernel.ts";
import { column } from "../kernels/memory.ts";
import { ParameterColumns } from "../kernels/parameters.ts";
import { Sines } from "../kernels/sines.ts";
import { arrive, atWall, drawHill, fastest, leftEnd, rightEnd } from "./hill.ts";
import { classicLabels } from "./labels.ts";
import type { MountainCarOptions } from "./mountain-car.ts";
import { hillPicture } from "./rendering.ts";

/** Position of the flag. */
export const goal = Math.fround(0.45);

/** Description of the environment. */
export const mountainCarContinuousSpec: EnvSpec = {
  id: "MountainCarContinuous-v0",
  observation: box([2], [leftEnd, -fastest], [rightEnd, fastest]),
  action: box([1], -1, 1),
  labels: classicLabels.mountainCarContinuous,
  maxSteps: 999,
  solvedAt: 90,
};

/** Parameters that a context may change. */
export const mountainCarContinuousDefaults = { power: 0.0015, gravity: 0.0025 };

const left = Math.fround(leftEnd);
const right = Math.fround(rightEnd);
const limit = Math.fround(fastest);

/** Which rows take their first step, and the angles whose cosines are the slopes of the hill. */
const look = kernel({ columns: { position: 8, fresh: 1, first: 8, angles: 8 } }, (k) => {
  const [angle, first] = [k.load("position").mul(3), k.loadFlags("fresh")];
  k.store("first", first);
  k.store("angles", first.select(angle, angle.single()));
});

/** The speeds after a push. */
const push = kernel(
  {
    columns: { speed: 8, first: 8, cosines: 8, actions: 4 },
    parameters: ["power", "gravity"],
    prepare: (k) => {
      const power = k.load("power");
      return { power, singlePower: power.single(), gravity: k.load("gravity") };
    },
  },
  (k, { power, singlePower, gravity }) => {
    const [pushed, first] = [k.loadSingles("actions"), k.load("first")];
    const slope = gravity.mul(k.load("cosines"));
    const whole = pushed.mul(singlePower).single().sub(slope.single()).single();
    const cut = power.negated(pushed.gt(0).not()).sub(slope);
    const beyond = pushed.lt(-1).or(pushed.gt(1));
    const usual = k.load("speed").add(beyond.select(cut.single(), whole)).single();
    k.store("speed", first.select(beyond.select(cut, whole), usual).max(-limit).min(limit));
  },
);

/** The resulting positions. A separate loop: the processor handles several rows at once in short loops. */
const roll = kernel(
  { columns: { position: 8, speed: 8, first: 8, actions: 4, out: 8, reward: 4, there: 1, goalSpeed: 0 } },
  (k) => {
    const v = k.load("speed");
    const moved = k.load("position").add(v);
    const x = k.load("first").select(moved, moved.single()).max(left).min(right);
    const there = arrive(k, x.single(), atWall(x, v, left).single(), goal, k.load("goalSpeed"));
    // The cost is of the whole push, including the clipped part.
    const pushed = k.loadSingles("actions");
    k.storeSingles("reward", [k.constant(100).and(there).sub(pushed.mul(pushed).mul(0.1))]);
  },
);

/**
 * The mountain car with a continuous motor force between -1 and 1: reaching the flag has reward 100, force costs
 * its square. A context may change `power` and `gravity`.
 *
 * Gymnasium computes it in single precision, because NumPy rounds a Python number that meets a single: everything
 * except what Python computes alone, which is the slope of the hill and a clipped force. Its first step uses the
 * sampled position in double precision.
 */
export class MountainCarContinuous extends BatchedEnv {
  protected readonly state;
  /** Columns of the kernels. */
  private readonly kept;
  protected override readonly mixed = true;

  constructor({ goalSpeed = 0, ...options }: MountainCarOptions = {}) {
    super(mountainCarContinuousSpec, options, mountainCarContinuousDefaults);
    const { rows } = this;
    this.kept = {
      position: column(Float64Array, rows),
      speed: column(Float64Array, rows),
      fresh: column(Uint8Array, rows),
      first: column(Float64Array, rows),
      angles: column(Float64Array, rows),
      sines: new Sines(rows),
      actions: column(Float32Array, rows),
      out: column(Float32Array, rows, 2),
      reward: column(Float32Array, rows),
      there: column(Uint8Array, rows),
      goalSpeed: column(Float64Array, 2),
      parameters: new ParameterColumns(rows, this.parameters),
    };
    const { position, speed, fresh } = this.kept;
    this.kept.goalSpeed.data.fill(Math.fround(goalSpeed));
    // `fresh` marks rows before their first step.
    this.state = { position: position.data, speed: speed.data, fresh: fresh.data };
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

  protected move(action: Tensor): void {
    const { rows, kept, parameters } = this;
    const { position, speed, fresh, first, angles, sines, actions, out, reward, there, goalSpeed } = kept;
    const { power, gravity } = kept.parameters.of(parameters);
    actions.data.set(action.data as Float32Array);
    look()(rows, position.at, fresh.at, first.at, angles.at);
    sines.cosinesOf(angles, 0, rows);
    push(parameters.varied)(rows, speed.at, first.at, sines.cosines.at, actions.at, power.at, gravity.at);
    roll()(rows, position.at, speed.at, first.at, actions.at, out.at, reward.at, there.at, goalSpeed.at);
    fresh.data.fill(0);
    (this.observation.data as Float32Array).set(out.data);
    (this.reward.data as Float32Array).set(reward.data);
    this.terminated.data.set(there.data);
  }

  picture(row: number): Rendering {
    return hillPicture(this.state.position[row], this.state.speed[row], goal, [leftEnd, rightEnd]);
  }

  render(row: number): string {
    return drawHill(this.state.position[row], this.state.speed[row], goal);
  }
}
