import { box, discrete, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { card, cardsPicture, letterOf } from "./rendering.ts";

/** Options of a memory corridor. */
export interface MemoryCorridorOptions extends BatchedOptions {
  /** Rounds, each of which passes one more place than the previous one. */
  readonly rounds?: number;
  /** Doors at each place. */
  readonly doors?: number;
}

/**
 * A corridor with several doors at each place, one of which is right. It is walked in rounds: the last place of
 * each round is new, and its right door is lit; at earlier places it must be remembered. A wrong door ends the
 * episode; each right one has its share of a total reward of 1, so memory returns 1, and no memory
 * `memorylessReturn`. Observations are the lit door (one-hot, or zeros), and the progress along the corridor. The
 * required memory grows with every round, as in the game Simon.
 */
export class MemoryCorridor extends BatchedEnv {
  protected readonly state;
  private readonly rounds: number;
  private readonly doors: number;

  constructor({ rounds = 4, doors = 3, ...options }: MemoryCorridorOptions = {}) {
    super(
      {
        id: "MemoryCorridor-v0",
        observation: box([doors + 1], 0, 1),
        action: discrete(doors),
        solvedAt: 0.95,
      },
      options,
    );
    this.rounds = rounds;
    this.doors = doors;
    this.state = {
      round: new Int32Array(this.rows),
      place: new Int32Array(this.rows),
      right: new Int32Array(this.rows * rounds),
    };
  }

  /** Maximum expected return without memory: through lit doors, and at other places always through the same one. */
  get memorylessReturn(): number {
    const { rounds, doors } = this;
    let alive = 1;
    let paid = 0;
    for (let round = 0; round < rounds; round++)
      for (let place = 0; place <= round; place++) {
        // A guess that was right once is right again; only the one at the place before the new one is new.
        if (place === round - 1) alive /= doors;
        paid += alive;
      }
    return paid / ((rounds * (rounds + 1)) / 2);
  }

  protected begin(row: number): void {
    const { round, place, right } = this.state;
    round[row] = place[row] = 0;
    for (let i = row * this.rounds; i < (row + 1) * this.rounds; i++)
      right[i] = this.random[row].integers(0, this.doors);
  }

  protected observe(row: number): void {
    const { doors, rounds } = this;
    const { round, place, right } = this.state;
    const data = this.observation.data;
    const start = row * (doors + 1);
    const lit = place[row] === round[row] && round[row] < rounds ? right[row * rounds + place[row]] : -1;
    for (let door = 0; door < doors; door++) data[start + door] = door === lit ? 1 : 0;
    data[start + doors] = place[row] / rounds;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { rounds } = this;
    const { round, place, right } = this.state;
    const reward = this.reward.data as Float32Array;
    const share = 2 / (rounds * (rounds + 1));
    for (let row = from; row < to; row++) {
      const isRight = action.data[row] === right[row * rounds + place[row]];
      reward[row] = isRight ? share : 0;
      if (isRight && place[row]++ === round[row]) {
        place[row] = 0;
        round[row]++;
      }
      if (!isRight || round[row] === rounds) this.terminated.data[row] = 1;
      this.observe(row);
    }
  }

  render(row: number): string {
    const places = this.cards(row).map((c) => (c.now ? `[${c.text}]` : ` ${c.text} `));
    return `${places.join("")}\n${this.said(row)}`;
  }

  picture(row: number): Rendering {
    return cardsPicture(this.cards(row), this.said(row));
  }

  private said(row: number): string {
    const { round, place, right } = this.state;
    const lit = place[row] === round[row];
    const door = letterOf(right[row * this.rounds + place[row]]);
    return `round ${round[row] + 1}, place ${place[row] + 1}: ${lit ? `door ${door} is lit` : `door ${door} is to be remembered`}`;
  }

  private cards(row: number) {
    const { round, place, right } = this.state;
    return Array.from({ length: round[row] + 1 }, (_, i) =>
      card(right[row * this.rounds + i], { now: place[row] === i, open: i === round[row] }),
    );
  }
}
