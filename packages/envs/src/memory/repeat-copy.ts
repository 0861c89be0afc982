import { box, discrete, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { card, cardsPicture, letterOf } from "./rendering.ts";

/** Options of a copy task. */
export interface RepeatCopyOptions extends BatchedOptions {
  /** Different symbols. */
  readonly symbols?: number;
  /** Symbols in a sequence. */
  readonly length?: number;
  /** Number of repetitions. */
  readonly repeats?: number;
}

/**
 * Symbols appear one by one; then the sequence must be repeated several times. Observations are the symbol as a
 * one-hot vector, whether there is one (second to last number), and whether to repeat (last). Each right symbol
 * has its share of a total reward of 1: memory returns 1, no memory 1 / symbols on average. Actions while symbols
 * appear have no effect. After Graves et al., "Neural Turing Machines" (2014), and Gym's RepeatCopy.
 */
export class RepeatCopy extends BatchedEnv {
  protected readonly state;
  private readonly symbols: number;
  private readonly length: number;
  private readonly total: number;

  constructor({ symbols = 4, length = 5, repeats = 2, ...options }: RepeatCopyOptions = {}) {
    super(
      {
        id: "RepeatCopy-v0",
        observation: box([symbols + 2], 0, 1),
        action: discrete(symbols),
        solvedAt: 0.95,
      },
      options,
    );
    this.symbols = symbols;
    this.length = length;
    this.total = length * (1 + repeats);
    this.state = {
      time: new Int32Array(this.rows),
      sequence: new Int32Array(this.rows * length),
      last: new Int32Array(this.rows),
    };
  }

  protected begin(row: number): void {
    const { length, symbols } = this;
    const { time, sequence, last } = this.state;
    const random = this.random[row];
    time[row] = 0;
    last[row] = -1;
    for (let i = row * length; i < (row + 1) * length; i++) sequence[i] = random.integers(0, symbols);
  }

  protected observe(row: number): void {
    const { symbols, length } = this;
    const { time, sequence } = this.state;
    const data = this.observation.data;
    const start = row * (symbols + 2);
    for (let i = 0; i < symbols + 2; i++) data[start + i] = 0;
    if (time[row] < length) {
      data[start + sequence[row * length + time[row]]] = 1;
      data[start + symbols] = 1;
    } else data[start + symbols + 1] = 1;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { length, total } = this;
    const { time, sequence, last } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      const given = action.data[row];
      last[row] = given;
      const asked = sequence[row * length + (time[row] % length)];
      reward[row] = time[row] >= length && given === asked ? 1 / (total - length) : 0;
      if (++time[row] === total) this.terminated.data[row] = 1;
      this.observe(row);
    }
  }

  render(row: number): string {
    const { time, last } = this.state;
    const said = last[row] < 0 ? "" : `  said ${letterOf(last[row])}`;
    const now = this.cards(row).map((c) => (c.now ? `[${c.text}]` : ` ${c.text} `));
    return `${now.join("")}\n${time[row] < this.length ? "look" : "repeat"}, step ${time[row]} of ${this.total}${said}`;
  }

  picture(row: number): Rendering {
    const { time, last } = this.state;
    const said = last[row] < 0 ? "" : `, said ${letterOf(last[row])}`;
    return cardsPicture(this.cards(row), `${time[row] < this.length ? "look" : "repeat"}${said}`);
  }

  private cards(row: number) {
    const { time, sequence } = this.state;
    return Array.from({ length: this.length }, (_, i) =>
      card(sequence[row * this.length + i], { now: time[row] % this.length === i, open: time[row] === i }),
    );
  }
}
