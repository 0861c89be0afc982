import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** A lake of 5 × 5 cells: holes end an episode with 0, the goal ends it with 1, and a move slips to one of its sides. */
export interface Lake {
  readonly holes: readonly boolean[];
  /** The return of the best policy. */
  readonly best: number;
}

const [side, cells, goal, discount, longest] = [5, 25, 24, 0.97, 50];
/** Probability that a move goes to one side, and to the other. */
const slip = 0.08;

/** The cell after a move up, right, down or left. */
export function moved(cell: number, move: number): number {
  const [row, column] = [Math.floor(cell / side), cell % side];
  if (move === 0) return row > 0 ? cell - side : cell;
  if (move === 1) return column < side - 1 ? cell + 1 : cell;
  if (move === 2) return row < side - 1 ? cell + side : cell;
  return column > 0 ? cell - 1 : cell;
}

/** The return from the first cell of the greedy policy of a table, or of the best policy without a table. */
export function returnOf(holes: readonly boolean[], table?: Float64Array): number {
  const values = new Float64Array(cells);
  const worth = (cell: number, move: number) => {
    const next = moved(cell, move);
    if (next === goal) return 1;
    return holes[next] ? 0 : discount * values[next];
  };
  const action = (cell: number, move: number) =>
    (1 - 2 * slip) * worth(cell, move) + slip * (worth(cell, (move + 1) % 4) + worth(cell, (move + 3) % 4));
  for (let sweep = 0; sweep < 80; sweep++)
    for (let cell = goal - 1; cell >= 0; cell--) {
      if (table) values[cell] = action(cell, greedy(table, cell));
      else values[cell] = Math.max(action(cell, 0), action(cell, 1), action(cell, 2), action(cell, 3));
    }
  return values[0];
}

function greedy(table: Float64Array, cell: number): number {
  let best = 0;
  for (let a = 1; a < 4; a++) if (table[4 * cell + a] > table[4 * cell + best]) best = a;
  return best;
}

/** A lake with five holes whose best policy is neither hopeless nor safe anyway. */
export function randomLake(random: Generator): Lake {
  for (;;) {
    const holes = new Array<boolean>(cells).fill(false);
    for (const cell of random.permutation(goal - 1).slice(0, 5)) holes[cell + 1] = true;
    const best = returnOf(holes);
    if (best > 0.4) return { holes, best };
  }
}

/** Hyperparameters as points of the unit cube, and what they mean. */
export const axes = 5;
export const decode = (x: Float64Array) => ({
  learningRate: real.exp(real.log(0.01) + x[0] * real.log(100)),
  epsilon: x[1],
  /** Share of the episodes after which ε is a tenth. */
  decay: 0.05 + 1.95 * x[2],
  trace: x[3],
  /** First value of all actions. */
  optimism: 0.6 * x[4],
});

/** Watkins' Q(λ) in `episodes` episodes: the return of its greedy policy, as a share of the best one. */
export function train(lake: Lake, point: Float64Array, episodes: number, random: Generator): number {
  const { learningRate, epsilon, decay, trace, optimism } = decode(point);
  const [table, traces] = [new Float64Array(4 * cells).fill(optimism), new Float64Array(4 * cells)];
  for (let episode = 0; episode < episodes; episode++) {
    const share = epsilon * real.exp((-2.3 * episode) / (decay * full));
    traces.fill(0);
    const visited: number[] = [];
    for (let [cell, t] = [0, 0]; t < longest; t++) {
      const best = greedy(table, cell);
      const action = random.chance(share) ? random.integers(4) : best;
      const u = random.random();
      const next = moved(cell, u < slip ? (action + 1) % 4 : u < 2 * slip ? (action + 3) % 4 : action);
      const ended = next === goal || lake.holes[next];
      const reward = next === goal ? 1 : 0;
      const error =
        reward + (ended ? 0 : discount * table[4 * next + greedy(table, next)]) - table[4 * cell + action];
      // Traces are cut where the action is not greedy.
      const fade = table[4 * cell + action] === table[4 * cell + best] ? discount * trace : 0;
      for (const i of visited) traces[i] *= fade;
      if (fade === 0) visited.length = 0;
      if (!visited.includes(4 * cell + action)) visited.push(4 * cell + action);
      traces[4 * cell + action] = 1;
      for (const i of visited) table[i] += learningRate * error * traces[i];
      if (ended) break;
      cell = next;
    }
  }
  return returnOf(lake.holes, table) / lake.best;
}

/** Episodes of a full training. */
export const full = 72;

/** The mean score of a point on the tuning seeds, when each training has this share of the full length. */
export type Score = (point: Float64Array, share: number) => number;

/** A point with its score. */
export interface Tried {
  point: Float64Array;
  score: number;
}

export const randomPoint = (random: Generator): Float64Array => random.fillRandom(new Float64Array(axes));

/** A child of `target` by differential evolution (rand/1/bin): a + F (b − c) of three parents, crossed with the target. */
export function child(
  target: Float64Array,
  parents: readonly Tried[],
  factor: number,
  crossover: number,
  random: Generator,
): Float64Array {
  const pool =
    parents.length < 3 ? [...parents, ...[0, 1, 2].map(() => ({ point: randomPoint(random) }))] : parents;
  const [a, b, c] = random.permutation(pool.length).slice(0, 3);
  const forced = random.integers(axes);
  return target.map((x, i) => {
    if (i !== forced && !random.chance(crossover)) return x;
    const mutant = pool[a].point[i] + factor * (pool[b].point[i] - pool[c].point[i]);
    return mutant < 0 || mutant > 1 ? random.random() : mutant;
  });
}

/**
 * DEHB (Awad, Mallik and Hutter, 2021): brackets of successive halving. The first one trains random points; in later
 * ones each population evolves, and the parents at a fidelity are the best third of the fidelity below.
 */
export function* dehb(score: Score, factor: number, crossover: number, random: Generator): Iterable<Tried> {
  const [shares, sizes] = [
    [1 / 9, 1 / 3, 1],
    [9, 3, 1],
  ];
  const populations: Tried[][] = [[], [], []];
  for (let bracket = 0; ; bracket++)
    for (let level = 0; level < shares.length; level++) {
      const below = level > 0 ? [...populations[level - 1]].sort((x, y) => y.score - x.score) : [];
      for (let i = 0; i < sizes[level]; i++) {
        const own = populations[level];
        const target = own[i];
        const parents = level > 0 ? below.slice(0, 3) : own;
        let point: Float64Array;
        if (!target || bracket === 0) point = level > 0 ? below[i].point : randomPoint(random);
        else point = child(target.point, parents, factor, crossover, random);
        const tried = { point, score: score(point, shares[level]) };
        if (!target || tried.score >= target.score) own[i] = tried;
        if (level === shares.length - 1) yield tried;
      }
    }
}

/** Random search with trainings of a share of the full length. */
export function* randomSearch(score: Score, share: number, random: Generator): Iterable<Tried> {
  for (;;) {
    const point = randomPoint(random);
    yield { point, score: score(point, share) };
  }
}

/** Hyperband's most aggressive bracket, again and again: of nine random points a third goes on with three times the length. */
export function* halving(score: Score, random: Generator): Iterable<Tried> {
  for (;;) {
    let points = Array.from({ length: 9 }, () => randomPoint(random));
    for (const share of [1 / 9, 1 / 3]) {
      const tried = points.map((point) => ({ point, score: score(point, share) }));
      points = tried
        .sort((x, y) => y.score - x.score)
        .slice(0, points.length / 3)
        .map((t) => t.point);
    }
    yield { point: points[0], score: score(points[0], 1) };
  }
}

/** All points of a grid with `levels` values on the first `searched` axes, in random order; the others stay in the middle. */
export function* gridSearch(
  score: Score,
  levels: number,
  searched: number,
  random: Generator,
): Iterable<Tried> {
  const size = levels ** searched;
  for (;;)
    for (const index of random.permutation(size)) {
      const point = new Float64Array(axes).fill(0.5);
      for (let [axis, rest] = [0, index]; axis < searched; axis++, rest = Math.floor(rest / levels))
        point[axis] = ((rest % levels) + 0.5) / levels;
      yield { point, score: score(point, 1) };
    }
}
