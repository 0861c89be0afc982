import { dict, discrete, fail, image, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { type Cell, gridPicture } from "../toy/rendering.ts";
import { danceSteps, dances, stepOf } from "./dances.ts";

/** Options of a ballet. */
export interface BalletOptions extends BatchedOptions {
  /** Number of dancers, one after the other: 2 to 8. */
  readonly dancers?: number;
  /** Pause between two dances, in steps. */
  readonly delay?: number;
}

const side = 9;
const channels = 2;
const [me, them] = [0, 1];
/**
 * The eight directions, row and column: the agent's moves after "stay", and the dancers' positions, three cells
 * from the centre.
 */
const ways = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
] as const;
const far = 3;

interface Seen {
  readonly stage: Tensor;
  readonly asked: Tensor;
  readonly [name: string]: Tensor;
}

/**
 * Dancers around the agent perform one after the other, each with its own dance. Then the agent is given a dance,
 * and walks to the dancer that performed it: reward 1 if right, 0 if not. Observations are the stage (9 × 9, a
 * channel for the agent and one for dancers) and the requested dance (0 before). The agent cannot move during the
 * dances. With memory the return is 1, without it 1 / dancers. A small version of the Ballet of Lampinen et al.,
 * "Towards mental time travel: a hierarchical memory for reinforcement learning agents" (2021).
 */
export class Ballet extends BatchedEnv<Seen> {
  protected readonly state;
  private readonly dancers: number;
  private readonly delay: number;

  constructor({ dancers = 4, delay = 2, ...options }: BalletOptions = {}) {
    if (!(dancers >= 2 && dancers <= ways.length))
      fail("Ballet-v0", `dancers is ${dancers}. Use 2 to ${ways.length}.`);
    super(
      {
        id: "Ballet-v0",
        observation: dict({ stage: image(side, side, channels), asked: discrete(dances + 1) }),
        action: discrete(1 + ways.length),
        maxSteps: dancers * (danceSteps + delay) + 12,
        solvedAt: 0.95,
        returnBounds: [0, 1],
      },
      options,
    );
    this.dancers = dancers;
    this.delay = delay;
    const { rows } = this;
    // Positions and dances are a shuffle of all eight; the first ones are used.
    this.state = {
      time: new Int32Array(rows),
      y: new Int32Array(rows),
      x: new Int32Array(rows),
      place: new Int32Array(rows * ways.length),
      dance: new Int32Array(rows * dances),
      asked: new Int32Array(rows),
    };
  }

  /** Steps until the agent may move. */
  get watching(): number {
    return this.dancers * (danceSteps + this.delay);
  }

  protected begin(row: number): void {
    const { time, y, x, place, dance, asked } = this.state;
    time[row] = 0;
    y[row] = x[row] = Math.floor(side / 2);
    this.mix(place, row, ways.length);
    this.mix(dance, row, dances);
    asked[row] = this.random[row].integers(0, this.dancers);
  }

  /** The numbers from 0 on in random order, into a row's part of a column. */
  private mix(column: Int32Array, row: number, count: number): void {
    const start = row * count;
    for (let i = 0; i < count; i++) {
      const j = this.random[row].integers(0, i + 1);
      column[start + i] = column[start + j];
      column[start + j] = i;
    }
  }

  protected observe(row: number): void {
    const { time, y, x, dance, asked } = this.state;
    const stage = this.observation.stage.data as Uint8Array;
    const start = row * side * side * channels;
    stage.fill(0, start, start + side * side * channels);
    stage[start + (y[row] * side + x[row]) * channels + me] = 255;
    for (let i = 0; i < this.dancers; i++) stage[start + this.cellOf(row, i) * channels + them] = 255;
    const revealed = time[row] >= this.watching;
    this.observation.asked.data[row] = revealed ? 1 + dance[row * dances + asked[row]] : 0;
  }

  /** The current position of a dancer. */
  private cellOf(row: number, dancer: number): number {
    const { time, place, dance } = this.state;
    const [dy, dx] = ways[place[row * ways.length + dancer]];
    const middle = Math.floor(side / 2);
    const home = (middle + far * dy) * side + middle + far * dx;
    const since = time[row] - dancer * (danceSteps + this.delay);
    if (since < 0 || since >= danceSteps) return home;
    return home + stepOf(dance[row * dances + dancer], since, side);
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { time, y, x, asked } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      reward[row] = 0;
      const way = action.data[row];
      if (time[row] >= this.watching && way > 0) {
        y[row] = Math.min(side - 1, Math.max(0, y[row] + ways[way - 1][0]));
        x[row] = Math.min(side - 1, Math.max(0, x[row] + ways[way - 1][1]));
        const met = this.dancerAt(row, y[row] * side + x[row]);
        if (met >= 0) {
          reward[row] = met === asked[row] ? 1 : 0;
          this.terminated.data[row] = 1;
        }
      }
      time[row]++;
      this.observe(row);
    }
  }

  private dancerAt(row: number, cell: number): number {
    for (let i = 0; i < this.dancers; i++) if (this.cellOf(row, i) === cell) return i;
    return -1;
  }

  render(row: number): string {
    const { y, x } = this.state;
    const at = y[row] * side + x[row];
    const lines = this.cells(row).map((line, r) =>
      line.map((c, i) => (r * side + i === at ? "☻" : (c.letter ?? "·"))).join(" "),
    );
    return `${lines.join("\n")}\n${this.said(row)}`;
  }

  picture(row: number): Rendering {
    const { y, x } = this.state;
    return gridPicture(this.cells(row), y[row] * side + x[row], { text: this.said(row) });
  }

  private cells(row: number): Cell[][] {
    return Array.from({ length: side }, (_, line) =>
      Array.from({ length: side }, (_, column): Cell => {
        const dancer = this.dancerAt(row, line * side + column);
        return dancer < 0 ? { color: "#ffffff" } : { color: colors[dancer], letter: String(dancer + 1) };
      }),
    );
  }

  private said(row: number): string {
    const { time, asked } = this.state;
    if (time[row] >= this.watching) return `find the dancer of dance ${asked[row] + 1}`;
    const turn = Math.floor(time[row] / (danceSteps + this.delay)) + 1;
    return time[row] % (danceSteps + this.delay) < danceSteps ? `${turn} dances` : `${turn} has danced`;
  }
}

const colors = [
  "#ffb3ad",
  "#aeeabf",
  "#ffe58a",
  "#a8d1ff",
  "#dcc2ff",
  "#ffd0a8",
  "#a5e5e0",
  "#d0d7de",
] as const;
