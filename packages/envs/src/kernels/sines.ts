import { constants } from "../libm/constants.ts";
import { exact } from "../libm/exact.ts";
import { sineTable } from "../libm/sine-table.ts";
import { kernel } from "./kernel.ts";
import { type Column, column } from "./memory.ts";
import type { Pair } from "./pair.ts";
import type { Rows } from "./rows.ts";

const { S1, S2, S3, S4, S5, nearZero, sn3, sn5, cs2, cs4, cs6, asItIs, fromRight, reducible } = constants;
const { part1, part2, part3, part4, perRight } = constants;
const lastRow = sineTable.length / 4 - 1;
const larger = 1 + 2 ** -51;
const smaller = 1 - 2 ** -51;

/**
 * The algorithm of `trigonometry.ts` without branches, in two loops: the processor overlaps rows where a loop is
 * short. First, multiples of π/2 are subtracted: their number, and the remainder in two parts.
 */
const reduce = kernel({ columns: { angles: 8, near: 8, rest: 8, quadrant: 8 } }, (k) => {
  const given = k.load("angles");
  // The library's own ranges, between which its errors differ: the angle itself, relative to π/2, relative to the
  // nearest multiple.
  const far = given.abs();
  const one = k.constant(1).negated(given.lt(0)).and(far.lt(asItIs).not());
  const n = far.lt(fromRight).select(one, given.mul(perRight).nearest());
  const y = given.sub(n.mul(part1)).sub(n.mul(part2));
  const y3 = y.sub(n.mul(part3));
  const angle = y3.sub(n.mul(part4));
  const [rest3, rest4] = [y.sub(y3).sub(n.mul(part3)), y3.sub(angle).sub(n.mul(part4))];
  k.store("near", angle);
  k.store("rest", rest3.add(rest4));
  k.store("quadrant", n.words());
});

type Name = "sine" | "cosine";

/** Then sine and cosine of the remainder swap places and signs. */
const evaluate = (...wanted: Name[]) =>
  kernel(
    {
      columns: {
        angles: 8,
        near: 8,
        rest: 8,
        quadrant: 8,
        table: 0,
        ...Object.fromEntries(wanted.map((name) => [name, 8])),
      },
      lists: wanted.map((name) => `${name} in doubt`),
    },
    (k) => {
      const { sine, cosine } = nearby(k, k.load("near"), k.load("rest"));
      const quadrant = k.load("quadrant");
      const [odd, second] = [quadrant.bit(0), quadrant.bit(1)];
      const far = k.load("angles").abs();
      const outside = far
        .gt(2 ** -26)
        .and(far.lt(reducible))
        .not();
      const inDoubt = wanted.map((name) => {
        const [usual, other] = name === "sine" ? [sine, cosine] : [cosine, sine];
        const { value, inDoubt } = rounded(pick(odd, other, usual));
        k.store(name, value.negated(name === "sine" ? second : odd.xor(second)));
        return inDoubt.or(outside);
      });
      k.where(
        inDoubt.reduce((a, b) => a.or(b)),
        () => wanted.forEach((name, i) => k.note(`${name} in doubt`, inDoubt[i])),
      );
    },
  );
const both = evaluate("sine", "cosine");
const cosineOnly = evaluate("cosine");

/** The high part of a value and its correction. */
interface Parts {
  readonly start: Pair;
  readonly correction: Pair;
}

const pick = (mask: Pair, a: Parts, b: Parts): Parts => ({
  start: mask.select(a.start, b.start),
  correction: mask.select(a.correction, b.correction),
});

/** Adds a slightly larger and a slightly smaller correction: if the sums differ, rounding is in doubt (Ziv, 1991). */
function rounded({ start, correction }: Parts): { value: Pair; inDoubt: Pair } {
  const value = start.add(correction.mul(larger));
  return { value, inDoubt: value.ne(start.add(correction.mul(smaller))) };
}

/** Sine and cosine of an angle of at most π/4, and its low part. */
function nearby(k: Rows, angle: Pair, rest: Pair): { sine: Parts; cosine: Parts } {
  const size = angle.abs();
  const negative = angle.lt(0);
  // Angles that could not be reduced are in doubt anyway, and must stay within the table.
  const index = size.mul(128).nearest().min(lastRow);
  const x = size.sub(index.mul(1 / 128)).add(rest.negated(negative));
  const z = x.mul(x);
  const s = x.add(x.mul(z).mul(z.mul(sn5).add(sn3)));
  const c = z.mul(z.mul(z.mul(cs6).add(cs4)).add(cs2));
  const [sin, sinRest, cos, cosRest] = k.loadFrom("table", index);
  const cosine = { start: cos, correction: cosRest.sub(s.mul(sinRest)).sub(cos.mul(c)).sub(sin.mul(s)) };

  const correction = sinRest.add(s.mul(cosRest)).sub(sin.mul(c)).add(cos.mul(s)).negated(negative);
  const z0 = angle.mul(angle);
  const series = z0.mul(z0.mul(z0.mul(z0.mul(S5).add(S4)).add(S3)).add(S2)).add(S1);
  const small = series
    .mul(angle)
    .mul(z0)
    .add(rest.sub(rest.mul(0.5).mul(z0)));
  const isSmall = size.lt(nearZero);
  const sine = pick(
    isSmall,
    { start: angle, correction: small },
    { start: sin.negated(negative), correction },
  );
  return { sine, cosine };
}

let table: Column<Float64Array> | undefined;
function sharedTable(): Column<Float64Array> {
  if (!table) {
    table = column(Float64Array, sineTable.length);
    table.data.set(sineTable);
  }
  return table;
}

/** Sines and cosines of angles, as `sinOf` and `cosOf` compute them. */
export class Sines {
  readonly sines: Column<Float64Array>;
  readonly cosines: Column<Float64Array>;
  private readonly near: Column<Float64Array>;
  private readonly rest: Column<Float64Array>;
  private readonly quadrant: Column<Float64Array>;
  private readonly sinesInDoubt: Column<Int32Array>;
  private readonly cosinesInDoubt: Column<Int32Array>;
  private readonly table = sharedTable();

  constructor(rows: number) {
    const doubles = () => column(Float64Array, rows);
    [this.sines, this.cosines] = [doubles(), doubles()];
    [this.near, this.rest, this.quadrant] = [doubles(), doubles(), doubles()];
    [this.sinesInDoubt, this.cosinesInDoubt] = [column(Int32Array, rows + 2), column(Int32Array, rows + 2)];
  }

  /** Both, of the rows from `from`, an even number, up to but excluding `to`. */
  of(angles: Column<Float64Array>, from: number, to: number): void {
    const { near, rest, quadrant, sines, cosines, sinesInDoubt, cosinesInDoubt } = this;
    const at = from * 8;
    reduce()(to - from, angles.at + at, near.at, rest.at, quadrant.at);
    both()(
      to - from,
      angles.at + at,
      near.at,
      rest.at,
      quadrant.at,
      this.table.at,
      sines.at + at,
      cosines.at + at,
      sinesInDoubt.at,
      cosinesInDoubt.at,
    );
    redo(sinesInDoubt.data, angles.data, sines.data, from, to, 0);
    redo(cosinesInDoubt.data, angles.data, cosines.data, from, to, 1);
  }

  /** Cosines only. */
  cosinesOf(angles: Column<Float64Array>, from: number, to: number): void {
    const { near, rest, quadrant, cosines, cosinesInDoubt } = this;
    const at = from * 8;
    reduce()(to - from, angles.at + at, near.at, rest.at, quadrant.at);
    cosineOnly()(
      to - from,
      angles.at + at,
      near.at,
      rest.at,
      quadrant.at,
      this.table.at,
      cosines.at + at,
      cosinesInDoubt.at,
    );
    redo(cosinesInDoubt.data, angles.data, cosines.data, from, to, 1);
  }
}

/** Recomputes doubtful rows from `from` exactly. */
function redo(
  list: Int32Array,
  angles: Float64Array,
  out: Float64Array,
  from: number,
  to: number,
  quarters: 0 | 1,
): void {
  for (let k = 1; k <= list[0]; k++) {
    const row = from + list[k];
    // The extra row beyond an odd number of them is ignored.
    if (row >= to) continue;
    out[row] = angles[row];
    exact(out, row, row, quarters);
  }
}
