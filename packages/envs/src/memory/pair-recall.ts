import { box, discrete, fail, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { cardsPicture, letterOf } from "./rendering.ts";

/** Options of pair recall. */
export interface PairRecallOptions extends BatchedOptions {
  /** Number of pairs, each with a different name. */
  readonly pairs?: number;
  /** Numbers of names and of symbols. */
  readonly names?: number;
  readonly symbols?: number;
  /** Minimum and maximum number of distractor steps after each pair, with a symbol but no name. */
  readonly fewest?: number;
  readonly most?: number;
}

/**
 * Names are shown, each with a symbol, with distractor symbols in between. At the end a name is queried, and its
 * symbol must be recalled: reward 1 if right. Observations are the name and the symbol, one-hot, and whether it is
 * a query. With memory the return is 1, without it 1 / symbols. More distractor steps require retrieval of the
 * same memory among more: after the tasks of Lampinen et al., "Towards mental time travel: a hierarchical memory
 * for reinforcement learning agents" (2021).
 */
export class PairRecall extends BatchedEnv {
  protected readonly state;
  private readonly pairs: number;
  private readonly names: number;
  private readonly symbols: number;
  private readonly fewest: number;
  private readonly most: number;

  constructor(given: PairRecallOptions = {}) {
    const { pairs = 3, names = 4, symbols = 3, fewest = 0, most = 3, ...options } = given;
    if (pairs > names) fail("PairRecall-v0", `${pairs} pairs need as many names, but names is ${names}.`);
    if (fewest > most) fail("PairRecall-v0", `fewest is ${fewest}, which is more than most, ${most}.`);
    super(
      {
        id: "PairRecall-v0",
        observation: box([names + symbols + 1], 0, 1),
        action: discrete(symbols),
        solvedAt: 0.95,
      },
      options,
    );
    this.pairs = pairs;
    this.names = names;
    this.symbols = symbols;
    this.fewest = fewest;
    this.most = most;
    const { rows } = this;
    // Shuffled names, the first of which are shown; their symbols; remaining distractor steps; the current
    // distractor.
    this.state = {
      shown: new Int32Array(rows),
      wait: new Int32Array(rows),
      passing: new Int32Array(rows),
      name: new Int32Array(rows * names),
      symbol: new Int32Array(rows * names),
      asked: new Int32Array(rows),
    };
  }

  protected begin(row: number): void {
    const { shown, wait, name, symbol, asked } = this.state;
    const random = this.random[row];
    shown[row] = wait[row] = 0;
    for (let i = 0; i < this.names; i++) {
      const j = random.integers(0, i + 1);
      name[row * this.names + i] = name[row * this.names + j];
      name[row * this.names + j] = i;
      symbol[row * this.names + i] = random.integers(0, this.symbols);
    }
    asked[row] = random.integers(0, this.pairs);
  }

  protected observe(row: number): void {
    const { shown, wait, passing, name, symbol, asked } = this.state;
    const data = this.observation.data;
    const width = this.names + this.symbols + 1;
    const [start, first] = [row * width, row * this.names];
    for (let i = 0; i < width; i++) data[start + i] = 0;
    if (wait[row] > 0) data[start + this.names + passing[row]] = 1;
    else if (shown[row] < this.pairs) {
      data[start + name[first + shown[row]]] = 1;
      data[start + this.names + symbol[first + shown[row]]] = 1;
    } else {
      data[start + name[first + asked[row]]] = 1;
      data[start + width - 1] = 1;
    }
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { shown, wait, passing, symbol, asked } = this.state;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      const random = this.random[row];
      reward[row] = 0;
      if (wait[row] > 0) wait[row]--;
      else if (shown[row] < this.pairs) {
        shown[row]++;
        wait[row] = random.integers(this.fewest, this.most + 1);
      } else {
        reward[row] = action.data[row] === symbol[row * this.names + asked[row]] ? 1 : 0;
        this.terminated.data[row] = 1;
      }
      passing[row] = random.integers(0, this.symbols);
      this.observe(row);
    }
  }

  render(row: number): string {
    const now = this.cards(row).map((c) => (c.now ? `[${c.text}]` : ` ${c.text} `));
    return `${now.join("")}\n${this.said(row)}`;
  }

  picture(row: number): Rendering {
    return cardsPicture(this.cards(row), this.said(row));
  }

  private said(row: number): string {
    const { shown, wait, passing, name, asked } = this.state;
    if (wait[row] > 0) return `${letterOf(passing[row])} passes by`;
    if (shown[row] < this.pairs) return `${name[row * this.names + shown[row]] + 1} is shown`;
    return `what went with ${name[row * this.names + asked[row]] + 1}?`;
  }

  private cards(row: number) {
    const { shown, wait, name, symbol } = this.state;
    return Array.from({ length: this.pairs }, (_, i) => {
      const open = i <= shown[row];
      const text = `${name[row * this.names + i] + 1}${letterOf(symbol[row * this.names + i])}`;
      return { color: "#ffffff" as const, text: open ? text : "?", now: i === shown[row] && wait[row] === 0 };
    });
  }
}
