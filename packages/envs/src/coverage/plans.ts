import type { Generator } from "@reins/core/random";
import { type CoverageField, look, marginalGain, walked } from "./field.ts";

/** Probability of a random move, and its generator. */
export interface SlipOptions {
  readonly slip: number;
  readonly random: Generator;
}

/** Coverage of greedy steps that know the field: each goes to the largest gain, to the first of equals. */
export function greedyCoverage(field: CoverageField, horizon: number, slipping?: SlipOptions): number {
  const marked = new Uint8Array(field.worth.length);
  let at = (field.size >> 1) * (field.size + 1);
  let covered = 0;
  for (let t = 0; t < horizon; t++) {
    const cells = [0, 1, 2, 3].map((way) => walked(field.size, at, way));
    const best = cells.reduce((a, b) =>
      marginalGain(field, b, marked) > marginalGain(field, a, marked) ? b : a,
    );
    const slips = slipping && slipping.random.random() < slipping.slip;
    at = slips ? cells[slipping.random.integers(4)] : best;
    covered += look(field, at, marked);
  }
  return covered;
}

/**
 * Coverage of the best path found by a beam search that keeps the best `beam` of each length, one for each cell
 * and value.
 */
export function plannedCoverage(field: CoverageField, horizon: number, beam = 300): number {
  const start = {
    at: (field.size >> 1) * (field.size + 1),
    covered: 0,
    marked: new Uint8Array(field.worth.length),
  };
  let paths = [start];
  for (let t = 0; t < horizon; t++) {
    const longer = new Map<string, typeof start>();
    for (const { at, covered, marked } of paths)
      for (let way = 0; way < 4; way++) {
        const path = { at: walked(field.size, at, way), covered, marked: marked.slice() };
        path.covered += look(field, path.at, path.marked);
        longer.set(`${path.at} ${path.covered.toPrecision(9)}`, path);
      }
    paths = [...longer.values()].sort((a, b) => b.covered - a.covered).slice(0, beam);
  }
  return paths[0].covered;
}

/**
 * An upper bound on the coverage of any set of this many cells: the coverage of a greedy set plus the largest
 * remaining gains (Leskovec et al., 2007); the minimum of these bounds over all greedy sets.
 */
export function coverageBound(field: CoverageField, cells: number): number {
  const marked = new Uint8Array(field.worth.length);
  let [covered, bound] = [0, 1];
  for (let taken = 0; taken <= cells; taken++) {
    const gains = Array.from(field.worth, (_, c) => marginalGain(field, c, marked));
    const most = [...gains].sort((a, b) => b - a).slice(0, cells);
    bound = Math.min(bound, covered + most.reduce((a, b) => a + b, 0));
    covered += look(field, gains.indexOf(Math.max(...gains)), marked);
  }
  return bound;
}
