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

/** What `trigonometry.ts` does, for both functions at once and without branches. */
const compiled = kernel(
  {
    columns: { angles: 8, sines: 8, cosines: 8, table: 0 },
    lists: ["sinesInDoubt", "cosinesInDoubt"],
  },
  (k) => {
    const given = k.load("angles");
    // The library's own limits, between which its errors are others: the angle as it is, from one right angle, from the nearest.
    const far = given.abs();
    const one = k.constant(1).negated(given.lt(0)).and(far.lt(asItIs).not());
    const n = far.lt(fromRight).select(one, given.mul(perRight).nearest());
    const y = given.sub(n.mul(part1)).sub(n.mul(part2));
    const y3 = y.sub(n.mul(part3));
    const angle = y3.sub(n.mul(part4));
    const rest = y
      .sub(y3)
      .sub(n.mul(part3))
      .add(y3.sub(angle).sub(n.mul(part4)));
    const { sine, cosine } = nearby(k, angle, rest);

    const odd = n.bit(0);
    const second = n.bit(1);
    const outside = far
      .gt(2 ** -26)
      .and(far.lt(reducible))
      .not();
    const finish = (name: string, { value, inDoubt }: Rounded, negative: Pair) => {
      k.store(`${name}s`, value.negated(negative));
      return inDoubt.or(outside);
    };
    const sineInDoubt = finish("sine", pick(odd, cosine, sine), second);
    const cosineInDoubt = finish("cosine", pick(odd, sine, cosine), odd.xor(second));
    k.where(sineInDoubt.or(cosineInDoubt), () => {
      k.note("sinesInDoubt", sineInDoubt);
      k.note("cosinesInDoubt", cosineInDoubt);
    });
  },
);

interface Rounded {
  readonly value: Pair;
  readonly inDoubt: Pair;
}

const pick = (mask: Pair, a: Rounded, b: Rounded): Rounded => ({
  value: mask.select(a.value, b.value),
  inDoubt: mask.select(a.inDoubt, b.inDoubt),
});

/** A large part and a correction, which is taken a little larger and a little smaller: if the sums differ, rounding is in doubt (Ziv, 1991). */
function rounded(start: Pair, correction: Pair): Rounded {
  const value = start.add(correction.mul(larger));
  return { value, inDoubt: value.ne(start.add(correction.mul(smaller))) };
}

/** Sine and cosine of an angle of at most an eighth of a turn, and its rest. */
function nearby(k: Rows, angle: Pair, rest: Pair): { sine: Rounded; cosine: Rounded } {
  const size = angle.abs();
  const negative = angle.lt(0);
  // Angles that could not be reduced are in doubt anyway, and must not lead out of the table.
  const index = size.mul(128).nearest().min(lastRow);
  const x = size.sub(index.mul(1 / 128)).add(rest.negated(negative));
  const z = x.mul(x);
  const s = x.add(x.mul(z).mul(z.mul(sn5).add(sn3)));
  const c = z.mul(z.mul(z.mul(cs6).add(cs4)).add(cs2));
  const [sin, sinRest, cos, cosRest] = k.loadFrom("table", index);
  const cosine = rounded(cos, cosRest.sub(s.mul(sinRest)).sub(cos.mul(c)).sub(sin.mul(s)));

  const correction = sinRest.add(s.mul(cosRest)).sub(sin.mul(c)).add(cos.mul(s)).negated(negative);
  const z0 = angle.mul(angle);
  const series = z0.mul(z0.mul(z0.mul(z0.mul(S5).add(S4)).add(S3)).add(S2)).add(S1);
  const small = series
    .mul(angle)
    .mul(z0)
    .add(rest.sub(rest.mul(0.5).mul(z0)));
  const isSmall = size.lt(nearZero);
  const sine = rounded(isSmall.select(angle, sin.negated(negative)), isSmall.select(small, correction));
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

/** Sines and cosines of angles, as `sinOf` and `cosOf` give them. */
export class Sines {
  readonly sines: Column<Float64Array>;
  readonly cosines: Column<Float64Array>;
  private readonly inDoubt: readonly [Column<Int32Array>, Column<Int32Array>];
  private readonly table = sharedTable();
  private readonly run = compiled();

  constructor(rows: number) {
    this.sines = column(Float64Array, rows);
    this.cosines = column(Float64Array, rows);
    this.inDoubt = [column(Int32Array, rows + 2), column(Int32Array, rows + 2)];
  }

  /** Of the first `rows` angles. Sines only matter in the first `withSine` rows, if that is said: of others none is done again. */
  of(angles: Column<Float64Array>, rows: number, withSine = rows): void {
    const { sines, cosines, inDoubt, table } = this;
    this.run(rows, angles.at, sines.at, cosines.at, table.at, inDoubt[0].at, inDoubt[1].at);
    redo(inDoubt[0].data, angles.data, sines.data, withSine, 0);
    redo(inDoubt[1].data, angles.data, cosines.data, rows, 1);
  }
}

function redo(list: Int32Array, angles: Float64Array, out: Float64Array, rows: number, quarters: 0 | 1) {
  for (let k = 1; k <= list[0]; k++) {
    const row = list[k];
    // The row beyond an odd number of them is nobody's.
    if (row >= rows) continue;
    out[row] = angles[row];
    exact(out, row, row, quarters);
  }
}
