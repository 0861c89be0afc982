import { beyond, differences, spread } from "./compare.ts";
import { disturbedRun, type Outcome } from "./expected.ts";
import type { Noise } from "./noise.ts";
import type { Program } from "./program.ts";
import { Random } from "./random.ts";

/** What was found: in words, and of which kind. */
export interface Verdict {
  readonly kind: "value" | "zero sign" | "shape";
  readonly detail: string;
}

export interface Judgement {
  readonly verdict?: Verdict;
  /** Bits differed, within what rounding explains. */
  readonly rounded: boolean;
}

/** Compares what a back end gave with what one operation at a time gives. Bits differ only where rounding explains it. */
export function judge(
  p: Program,
  got: Outcome,
  want: Outcome,
  noise: Omit<Noise, "zeroSigns"> = { everywhere: 0 },
): Judgement {
  const at: { call: number; k: number; where: number[] }[] = [];
  for (const [call, values] of want.entries())
    for (const [k, w] of values.entries()) {
      const where = differences(got[call][k], w);
      if (!where)
        return {
          rounded: false,
          verdict: {
            kind: "shape",
            detail: `call ${call}, result ${k} is ${got[call][k].dtype}[${got[call][k].shape}], expected ${w.dtype}[${w.shape}]`,
          },
        };
      if (where.length) at.push({ call, k, where });
    }
  if (!at.length) return { rounded: false };
  const r = new Random(p.seed, p.index, 77);
  const left = (runs: Outcome[]) =>
    at.flatMap(({ call, k, where }) => {
      const tolerance = spread(
        want[call][k],
        runs.map((run) => run[call][k]),
      );
      const bad = beyond(got[call][k], want[call][k], where, tolerance);
      return bad.length ? [{ call, k, i: bad[0], count: bad.length, tolerance: tolerance[bad[0]] }] : [];
    });
  const runs: Outcome[] = [];
  let bad = left(runs);
  for (const zeroSigns of [false, true]) {
    for (const many of [4, 12, 48]) {
      while (runs.length < many) runs.push(disturbedRun(p, r, { zeroSigns, ...noise }));
      bad = left(runs);
      if (!bad.length && !zeroSigns) return { rounded: true };
      if (!bad.length) return { rounded: false, verdict: { kind: "zero sign", detail: describe(left([])) } };
    }
    if (!zeroSigns) {
      const plain = describe(bad);
      const signs = signsOnly(p, got, want, r, left, noise);
      return { rounded: false, verdict: { kind: signs ? "zero sign" : "value", detail: plain } };
    }
  }
  return { rounded: true };

  function describe(list: ReturnType<typeof left>): string {
    if (!list.length) return "nothing";
    const { call, k, i, count, tolerance } = list[0];
    const [g, w] = [got[call][k], want[call][k]];
    return `call ${call}, result ${k} ${w.dtype}[${w.shape}], element ${i} is ${show(g.data[i])}, expected ${show(w.data[i])} (± ${tolerance * 10}); ${count} elements differ`;
  }
}

/** Whether the difference goes away when sums of zeros may have either sign. */
function signsOnly(
  p: Program,
  _got: Outcome,
  _want: Outcome,
  r: Random,
  left: (runs: Outcome[]) => unknown[],
  noise: Omit<Noise, "zeroSigns">,
): boolean {
  const runs: Outcome[] = [];
  while (runs.length < 16) runs.push(disturbedRun(p, r, { zeroSigns: true, ...noise }));
  return left(runs).length === 0;
}

const show = (v: number) => (Object.is(v, -0) ? "-0" : String(v));
