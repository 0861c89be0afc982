import { kernel } from "./kernel.ts";
import { type Column, column } from "./memory.ts";
import { Sines } from "./sines.ts";

/** Taylor coefficients of the sine: for such small angles the next term is below the last bit. */
const [S1, S2, S3, S4, S5] = [-1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800];
/** fdlibm's coefficients of the cosine (k_cos.c, Sun Microsystems, 1993). */
const C1 = 4.16666666666666019037e-2;
const C2 = -1.38888888888741095749e-3;
const C3 = 2.48015872894767294178e-5;
const C4 = -2.75573143513906633035e-7;
const C5 = 2.0875723212981748279e-9;
/**
 * Maximum difference between the correction to the angle here and in the library: a few units in its last place,
 * and the start of the table.
 */
const [sineShare, tableBegins, sineTable] = [2 ** -52.5, 0.1259, 2 ** -59.3];
/**
 * The corresponding bound for what is subtracted from 1: the relative error of this cosine, and that of the
 * library's.
 */
const [cosineShare, cosineRest] = [2 ** -51.9, 2 ** -62];

const compiled = kernel({ columns: { angles: 8, sines: 8, cosines: 8 }, lists: ["inDoubt"] }, (k) => {
  const x = k.load("angles");
  const z = x.mul(x);
  const size = x.abs();
  const more = x.mul(z).mul(z.split(S1, S2, S3, S4, S5));
  const apart = size
    .mul(z)
    .mul(sineShare)
    .add(k.constant(sineTable).and(size.gt(tableBegins)));
  const s = x.add(more.add(apart));
  k.store("sines", s);
  const less = z
    .mul(z)
    .mul(z.split(C1, C2, C3, C4, C5))
    .sub(z.mul(0.5));
  const wide = less.mul(cosineShare).sub(cosineRest);
  const c = less.sub(wide).add(1);
  k.store("cosines", c);
  const apartHere = s.ne(x.add(more.sub(apart))).or(c.ne(less.add(wide).add(1)));
  const inDoubt = apartHere.or(size.lt(2 ** -26));
  k.where(inDoubt, () => k.note("inDoubt", inDoubt));
});

/**
 * Sines and cosines of angles below 12°, as `sinOf` and `cosOf` compute them. A polynomial is right except where
 * rounding is in doubt (1 in 20); those rows are recorded and recomputed.
 */
export class SmallSines {
  readonly sines: Column<Float64Array>;
  readonly cosines: Column<Float64Array>;
  private readonly inDoubt: Column<Int32Array>;
  private readonly angles: Column<Float64Array>;
  private readonly again: Sines;
  private readonly run = compiled();

  constructor(rows: number) {
    this.sines = column(Float64Array, rows);
    this.cosines = column(Float64Array, rows);
    this.inDoubt = column(Int32Array, rows + 2);
    this.angles = column(Float64Array, rows + 1);
    this.again = new Sines(rows + 1);
  }

  of(angles: Column<Float64Array>, rows: number): void {
    const { sines, cosines, inDoubt } = this;
    this.run(rows, angles.at, sines.at, cosines.at, inDoubt.at);
    const list = inDoubt.data;
    // The extra row beyond an odd number of them is ignored, and would be the last.
    const count = list[list[0]] >= rows && list[0] > 0 ? list[0] - 1 : list[0];
    if (count > 0) this.redo(list, count, angles.data);
  }

  private redo(list: Int32Array, count: number, angles: Float64Array): void {
    const some = this.angles.data;
    for (let k = 0; k < count; k++) some[k] = angles[list[k + 1]];
    this.again.of(this.angles, 0, count);
    const { sines, cosines } = this.again;
    for (let k = 0; k < count; k++) {
      this.sines.data[list[k + 1]] = sines.data[k];
      this.cosines.data[list[k + 1]] = cosines.data[k];
    }
  }
}
