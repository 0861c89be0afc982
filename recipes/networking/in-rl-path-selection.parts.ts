import type { Generator } from "@reins/core/random";

/** A path: packets that it sends in a slot, slots until its telemetry is back, and its queue. */
export interface Path {
  readonly rate: number;
  readonly lag: number;
  queue: number;
  /** Packets of others in a slot, on average; it changes from phase to phase. */
  background: number;
}

/** Packets that a queue holds; more are lost. */
export const capacity = 60;
/** Packets of a flowlet, which take the same path. */
const flowlet = 3;

/** Chooses a path for each flowlet, and learns from telemetry when it comes back. */
export interface Chooser {
  choose(random: Generator): number;
  /** Telemetry of a flowlet: the share of the queue that was taken on its path. */
  learn(path: number, occupancy: number): void;
}

/** Paths between a decision node and the next one, all of different rates. */
export const randomPaths = (random: Generator, count: number): Path[] =>
  Array.from({ length: count }, () => ({
    rate: random.uniform(4, 10),
    lag: random.integers(4, 13),
    queue: 0,
    background: 0,
  }));

/** Telemetry on its way back to the decision node. */
interface Report {
  readonly at: number;
  readonly path: number;
  readonly occupancy: number;
}

/** A domain: a decision node, its paths, and the flows that it sends over them. */
export class Domain {
  readonly paths: readonly Path[];
  readonly #chooser: Chooser;
  readonly #random: Generator;
  #reports: Report[] = [];
  #slot = 0;
  /** Flowlets of a slot, on average. */
  readonly #load: number;

  /** `load` is the share of the rate of all paths that is used, with the others' packets. */
  constructor(paths: readonly Path[], chooser: Chooser, load: number, random: Generator) {
    this.paths = paths;
    this.#chooser = chooser;
    this.#random = random;
    this.#load = ((load - 0.25) * paths.reduce((sum, p) => sum + p.rate, 0)) / flowlet;
  }

  /** Others use a quarter of all rates: most of it on one path, the rest on another. */
  change(random: Generator): void {
    const [first, second] = random.permutation(this.paths.length);
    const total = 0.25 * this.paths.reduce((sum, p) => sum + p.rate, 0);
    this.paths.forEach((path, i) => {
      const share = i === first ? Math.min(0.9 * path.rate, 0.75 * total) : 0;
      path.background = share;
    });
    this.paths[second].background += total - this.paths[first].background;
  }

  /** One slot: the packets sent, and the sum of their delays in slots; a lost packet counts as a full queue. */
  step(): { packets: number; delay: number; lost: number } {
    const random = this.#random;
    for (const path of this.paths) {
      path.queue += poisson(random, path.background);
      path.queue = Math.min(capacity, path.queue);
    }
    let [packets, delay, lost] = [0, 0, 0];
    for (let n = poisson(random, this.#load); n > 0; n--) {
      const i = this.#chooser.choose(random);
      const path = this.paths[i];
      const report = { at: this.#slot + path.lag, path: i, occupancy: path.queue / capacity };
      this.#reports.push(report);
      for (let p = 0; p < flowlet; p++) {
        packets++;
        delay += path.queue / path.rate;
        if (path.queue < capacity) path.queue++;
        else [delay, lost] = [delay + capacity / path.rate, lost + 1];
      }
    }
    for (const path of this.paths) path.queue = Math.max(0, path.queue - path.rate);
    const due = this.#reports.filter((r) => r.at <= this.#slot);
    this.#reports = this.#reports.filter((r) => r.at > this.#slot);
    for (const { path, occupancy } of due) this.#chooser.learn(path, occupancy);
    this.#slot++;
    return { packets, delay, lost };
  }
}

/** Events of a slot with this mean: binomial with many trials, which needs no exponential. */
function poisson(random: Generator, mean: number): number {
  let count = 0;
  for (let i = 0; i < 32; i++) if (random.chance(mean / 32)) count++;
  return count;
}

/** A stochastic learning automaton (linear reward-inaction): the chosen path gains probability with its reward. */
export class Automaton implements Chooser {
  readonly probabilities: Float64Array;
  readonly #rate: number;
  readonly #floor: number;

  constructor(paths: number, rate: number, floor: number) {
    this.probabilities = new Float64Array(paths).fill(1 / paths);
    this.#rate = rate;
    this.#floor = floor;
  }

  choose(random: Generator): number {
    return random.choice(this.probabilities.length, this.probabilities);
  }

  learn(path: number, occupancy: number): void {
    const p = this.probabilities;
    const gain = this.#rate * (1 - occupancy);
    for (let i = 0; i < p.length; i++) p[i] += gain * (Number(i === path) - p[i]);
    if (this.#floor === 0) return;
    let sum = 0;
    for (let i = 0; i < p.length; i++) sum += p[i] = Math.max(this.#floor, p[i]);
    for (let i = 0; i < p.length; i++) p[i] /= sum;
  }
}

/** Smoothed occupancies of the paths, and a choice that follows from them. */
export class Smoothed implements Chooser {
  readonly #occupancies: Float64Array;
  readonly #smoothing: number;
  readonly #pick: (occupancies: Float64Array, random: Generator) => number;

  constructor(
    paths: number,
    smoothing: number,
    pick: (occupancies: Float64Array, random: Generator) => number,
  ) {
    this.#occupancies = new Float64Array(paths);
    this.#smoothing = smoothing;
    this.#pick = pick;
  }

  choose(random: Generator): number {
    return this.#pick(this.#occupancies, random);
  }

  learn(path: number, occupancy: number): void {
    this.#occupancies[path] += this.#smoothing * (occupancy - this.#occupancies[path]);
  }
}
