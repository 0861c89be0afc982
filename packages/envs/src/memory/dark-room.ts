import { box, discrete, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { type Cell, gridPicture } from "../toy/rendering.ts";

/** Options of a dark room. */
export interface DarkRoomOptions extends BatchedOptions {
  /** Cells along each side. */
  readonly size?: number;
  /** Trials per episode, all in the same room; each begins in the centre. */
  readonly trials?: number;
  /** Steps per trial. */
  readonly trialSteps?: number;
}

const seen = 5;
const [stay, left, right, up, down] = [0, 1, 2, 3, 4];

/**
 * A room in which only the own position is observed: stay (0), left (1), right (2), up (3), down (4). A hidden
 * goal has reward 1 in each step spent there, or a key has reward 1 once and then a door does. The same room is
 * played for several trials: an agent with memory goes straight to what it found from the second trial on.
 * Observations are the column and row (from 0 to 1), the last reward, whether a trial begins, and whether it has
 * the key. `knownReturn` is the return of an agent that knows the room. Laskin et al., "In-context Reinforcement
 * Learning with Algorithm Distillation" (2022).
 */
export class DarkRoom extends BatchedEnv {
  protected readonly state;
  protected readonly size: number;
  private readonly trials: number;
  private readonly trialSteps: number;
  private readonly keyed: boolean;

  constructor({ keyed = false, ...given }: DarkRoomOptions & { readonly keyed?: boolean } = {}) {
    const { size = 9, trials = 10, trialSteps = keyed ? 50 : 20, ...options } = given;
    super(
      {
        id: keyed ? "DarkKeyDoor-v0" : "DarkRoom-v0",
        observation: box([seen], 0, 1),
        action: discrete(5),
      },
      options,
    );
    this.size = size;
    this.trials = trials;
    this.trialSteps = trialSteps;
    this.keyed = keyed;
    const column = () => new Int32Array(this.rows);
    // `goal` is the door if there is a key. `found`: 1 with the key, 2 when the door has been opened.
    this.state = {
      time: column(),
      at: column(),
      goal: column(),
      key: column(),
      found: column(),
      paid: new Uint8Array(this.rows),
    };
  }

  /** The return of a trial with full knowledge of the room. */
  knownReturn(row: number): number {
    const { goal, key } = this.state;
    const middle = this.middle;
    const way = (a: number, b: number) =>
      Math.abs((a % this.size) - (b % this.size)) +
      Math.abs(Math.floor(a / this.size) - Math.floor(b / this.size));
    if (!this.keyed) return this.trialSteps + 1 - Math.max(1, way(middle, goal[row]));
    const toKey = Math.max(1, way(middle, key[row]));
    const toDoor = toKey + Math.max(1, way(key[row], goal[row]));
    return (toKey <= this.trialSteps ? 1 : 0) + (toDoor <= this.trialSteps ? 1 : 0);
  }

  /** Cells of the goal, or the door, and of the key, counted row by row. */
  hidden(row: number): { readonly goal: number; readonly key: number } {
    return { goal: this.state.goal[row], key: this.state.key[row] };
  }

  private get middle(): number {
    const half = Math.floor(this.size / 2);
    return half * this.size + half;
  }

  protected begin(row: number): void {
    const { time, at, goal, key, found, paid } = this.state;
    time[row] = found[row] = paid[row] = 0;
    at[row] = this.middle;
    goal[row] = this.random[row].integers(0, this.size * this.size);
    key[row] = this.keyed ? this.random[row].integers(0, this.size * this.size) : -1;
  }

  protected observe(row: number): void {
    const { size } = this;
    const { time, at, found, paid } = this.state;
    const data = this.observation.data;
    const start = row * seen;
    data[start] = (at[row] % size) / (size - 1 || 1);
    data[start + 1] = Math.floor(at[row] / size) / (size - 1 || 1);
    data[start + 2] = paid[row];
    data[start + 3] = time[row] % this.trialSteps === 0 ? 1 : 0;
    data[start + 4] = found[row] >= 1 ? 1 : 0;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { trials, trialSteps } = this;
    const { time, at, found, paid } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      at[row] = this.walk(at[row], action.data[row]);
      reward[row] = paid[row] = this.pay(row);
      if (++time[row] % trialSteps === 0) {
        at[row] = this.middle;
        found[row] = 0;
      }
      if (time[row] === trials * trialSteps) this.terminated.data[row] = 1;
      this.observe(row);
    }
  }

  private walk(cell: number, way: number): number {
    const { size } = this;
    const column = cell % size;
    if (way === left) return column > 0 ? cell - 1 : cell;
    if (way === right) return column < size - 1 ? cell + 1 : cell;
    if (way === up) return cell >= size ? cell - size : cell;
    if (way === down) return cell + size < size * size ? cell + size : cell;
    return cell;
  }

  private pay(row: number): number {
    const { at, goal, key, found } = this.state;
    if (!this.keyed) return at[row] === goal[row] ? 1 : 0;
    // The door opens at the earliest one step after finding the key, even if both are in one cell.
    const isHere = found[row] === 0 ? at[row] === key[row] : found[row] === 1 && at[row] === goal[row];
    if (isHere) found[row]++;
    return isHere ? 1 : 0;
  }

  render(row: number): string {
    const { at } = this.state;
    const lines = this.cells(row).map((line, y) =>
      line
        .map((c, x) => (y * this.size + x === at[row] ? "☻" : (c.letter ?? (c.flag ? "G" : "·"))))
        .join(" "),
    );
    return `${lines.slice(0, 18).join("\n")}\n${this.said(row)}`;
  }

  picture(row: number): Rendering {
    return gridPicture(this.cells(row), this.state.at[row], { text: this.said(row) });
  }

  private said(row: number): string {
    const { time, found } = this.state;
    const trial = Math.min(this.trials, Math.floor(time[row] / this.trialSteps) + 1);
    const has = found[row] === 1 ? ", with the key" : found[row] === 2 ? ", the door is open" : "";
    return `trial ${trial} of ${this.trials}, step ${time[row] % this.trialSteps} of ${this.trialSteps}${has}`;
  }

  private cells(row: number): Cell[][] {
    const { goal, key, found } = this.state;
    return Array.from({ length: this.size }, (_, y) =>
      Array.from({ length: this.size }, (_, x): Cell => {
        const cell = y * this.size + x;
        const color = "#afb8c1";
        if (cell === key[row] && found[row] === 0) return { color, letter: "K" };
        if (cell !== goal[row]) return { color };
        return this.keyed ? { color, letter: found[row] === 2 ? "O" : "D" } : { color, flag: true };
      }),
    );
  }
}

/** The actions of a dark room, by name. */
export const darkRoomActions = { stay, left, right, up, down } as const;
