import { box } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Canvas } from "../canvas.ts";
import { cosOf, sinOf } from "../libm/trigonometry.ts";

const fastest = 8;
const strongest = 2;
const interval = 0.05;
const turn = 2 * Math.PI;
const effortPrice = Math.fround(0.001);

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
    // Sine and cosine of each angle, one after the other: the next step needs the sine again.
    this.state = { angle: column(), speed: column(), direction: new Float64Array(this.rows * 2) };
  }

  protected begin(row: number): void {
    const { angle, speed } = this.state;
    angle[row] = this.random[row].uniform(-Math.PI, Math.PI);
    speed[row] = this.random[row].uniform(-1, 1);
    this.turn(row);
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
    // Torques are singles, and in NumPy the constants that meet them become singles too.
    const weight = (3 * columns.gravity[from]) / (2 * length);
    const torque = Math.fround(3 / (columns.mass[from] * (length * length)));
    for (let i = from; i < to; i++) {
      const theta = angle[i];
      const omega = speed[i];
      const u = Math.min(Math.max(actions[i], -strongest), strongest);
      const away = modulo(theta + Math.PI) - Math.PI;
      const effort = Math.fround(effortPrice * Math.fround(u * u));
      reward[i] = -(away * away + 0.1 * (omega * omega) + effort);

      const pull = weight * direction[i * 2] + Math.fround(torque * u);
      const next = Math.min(Math.max(omega + pull * interval, -fastest), fastest);
      const nextAngle = theta + next * interval;
      angle[i] = nextAngle;
      speed[i] = next;
      this.turn(i);
      out[i * 3] = direction[i * 2 + 1];
      out[i * 3 + 1] = direction[i * 2];
      out[i * 3 + 2] = next;
    }
  }

  /** Sine and cosine of a row's angle. */
  private turn(row: number): void {
    const { angle, direction } = this.state;
    direction[row * 2] = direction[row * 2 + 1] = angle[row];
    sinOf(direction, row * 2, row * 2);
    cosOf(direction, row * 2 + 1, row * 2 + 1);
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

/** What is left of an angle after whole turns, from 0 up to one turn: Python's remainder, where most angles need no division. */
function modulo(angle: number): number {
  if (angle >= 0 && angle < turn) return angle;
  const rest = angle % turn;
  return rest < 0 ? rest + turn : rest;
}
