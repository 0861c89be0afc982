import { beyond, differences, spread } from "./compare.ts";
import { type Outcome, perturbedRun } from "./expectation.ts";
import type { Program } from "./program.ts";
import { BiasedRandom, Random } from "./random.ts";

/** A finding: its kind and a description. */
export interface Comparison {
  readonly kind: "value" | "zero sign" | "shape";
  readonly detail: string;
}

export interface Judgement {
  readonly verdict?: Comparison;
  /** Bits differed, within rounding. */
  readonly rounded: boolean;
}

/** Location of a difference: the call, the result's number, the elements. */
interface Place {
  readonly call: number;
  readonly k: number;
  readonly elements: readonly number[];
}

/** Perturbed runs of a program: made on demand, and shared by the back ends. */
const runsOf = new WeakMap<Program, Map<string, Outcome[]>>();

function runs(p: Program, many: number, zeroSigns: boolean, everywhere: number): Outcome[] {
  const known = runsOf.get(p) ?? new Map<string, Outcome[]>();
  runsOf.set(p, known);
  const key = `${zeroSigns},${everywhere}`;
  const list = known.get(key) ?? [];
  known.set(key, list);
  while (list.length < many) {
    const seeds = [p.seed, p.index, list.length, zeroSigns ? 1 : 0];
    const turn = list.length % 8;
    const r =
      turn === 5 || turn === 6 ? new BiasedRandom(turn === 5 ? 1 : -1, ...seeds) : new Random(...seeds);
    const coarse = everywhere > 0 && list.length % 4 === 3;
    list.push(perturbedRun(p, r, { zeroSigns, everywhere, coarse }));
  }
  return list;
}

/**
 * Compares the result of a back end with that of one operation at a time: bit for bit, except where rounding explains the difference.
 * `everywhere` is the relative error of functions whose last bits are not specified, for peers.
 */
export function judge(p: Program, got: Outcome, want: Outcome, everywhere = 0): Judgement {
  const places: Place[] = [];
  for (const [call, values] of want.entries())
    for (const [k, w] of values.entries()) {
      const g = got[call][k];
      const elements = differences(g, w);
      if (!elements)
        return {
          rounded: false,
          verdict: {
            kind: "shape",
            detail: `call ${call}, result ${k} is ${g.dtype}[${g.shape}], expected ${w.dtype}[${w.shape}]`,
          },
        };
      if (elements.length) places.push({ call, k, elements });
    }
  if (!places.length) return { rounded: false };
  const left = (perturbed: readonly Outcome[]) =>
    places.flatMap(({ call, k, elements }) => {
      const tolerance = spread(
        want[call][k],
        perturbed.map((run) => run[call][k]),
      );
      const bad = beyond(got[call][k], want[call][k], elements, tolerance);
      return bad.length ? [{ call, k, i: bad[0], count: bad.length, tolerance: tolerance[bad[0]] }] : [];
    });
  let bad = left([]);
  // A few perturbed runs explain most differences; before a finding is reported, many must fail to.
  for (const many of [2, 8, 40, 200]) {
    bad = left(runs(p, many, false, everywhere));
    if (!bad.length) return { rounded: true };
  }
  const signs = !left(runs(p, 16, true, everywhere)).length;
  const { call, k, i, count, tolerance } = bad[0];
  const [g, w] = [got[call][k], want[call][k]];
  const detail = `call ${call}, result ${k} ${w.dtype}[${w.shape}], element ${i} is ${show(g.data[i])}, expected ${show(w.data[i])} (± ${tolerance * 10}); ${count} elements differ`;
  return { rounded: false, verdict: { kind: signs ? "zero sign" : "value", detail } };
}

const show = (v: number) => (Object.is(v, -0) ? "-0" : String(v));
