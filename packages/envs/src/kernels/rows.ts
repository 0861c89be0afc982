import type { Code } from "@reins/tensor/assembler";
import { Pair } from "./pair.ts";

/** Reads and writes the columns of two rows, in a kernel under construction. */
export class Rows {
  private readonly code: Code;
  private readonly pointers: { readonly [column: string]: number };
  private readonly row: number;

  constructor(code: Code, pointers: { readonly [column: string]: number }, row: number) {
    this.code = code;
    this.pointers = pointers;
    this.row = row;
  }

  constant(value: number): Pair {
    return Pair.constant(this.code, value);
  }

  load(column: string): Pair {
    return new Pair(this.code.get(this.pointers[column]).memory("v128.load"));
  }

  loadSingles(column: string): Pair {
    this.code.get(this.pointers[column]).memory("v128.load64_zero");
    return new Pair(this.code.simd("f64x2.promote_low_f32x4"));
  }

  loadIntegers(column: string): Pair {
    this.code.get(this.pointers[column]).memory("v128.load64_zero");
    return new Pair(this.code.simd("f64x2.convert_low_i32x4_s"));
  }

  /** Bytes as a mask: where they are not 0. */
  loadFlags(column: string): Pair {
    const at = this.pointers[column];
    this.code.get(at).memory("i32.load8_u").simd("i32x4.splat");
    this.code.get(at).memory("i32.load8_u", 1).lane("i32x4.replace_lane", 1);
    return new Pair(this.code.simd("f64x2.convert_low_i32x4_s")).ne(0);
  }

  /** Four numbers from a table of rows of four. */
  loadFrom(table: string, index: Pair): [Pair, Pair, Pair, Pair] {
    const { code } = this;
    const words = new Pair(code.get(index.local).simd("i32x4.trunc_sat_f64x2_s_zero")).local;
    const [first, second] = [0, 1].map((lane) => {
      const at = code.local("i32");
      code.get(words).lane("i32x4.extract_lane", lane).i32(5).op("i32.shl");
      code.get(this.pointers[table]).op("i32.add").set(at);
      return at;
    });
    const nth = (offset: number) => {
      const { local } = new Pair(code.get(first).memory("v128.load64_zero", offset));
      return new Pair(code.get(second).get(local).laneMemory("v128.load64_lane", 1, offset));
    };
    return [nth(0), nth(8), nth(16), nth(24)];
  }

  store(column: string, x: Pair): void {
    this.code.get(this.pointers[column]).get(x.local).memory("v128.store");
  }

  /** The numbers of a row as single precision. */
  storeSingles(column: string, values: readonly Pair[]): void {
    const width = values.length;
    const singles = values.map((x) => new Pair(this.code.get(x.local).simd("f32x4.demote_f64x2_zero")).local);
    for (let k = 0; k < width; k += 2) {
      const together = k + 1 < width;
      const pair = together ? this.zipped(singles[k], singles[k + 1]) : singles[k];
      const store = together ? "v128.store64_lane" : "v128.store32_lane";
      for (const row of [0, 1])
        this.code
          .get(this.pointers[column])
          .get(pair)
          .laneMemory(store, row, (row * width + k) * 4);
    }
  }

  /** A mask as bytes of 1 and 0. */
  storeFlags(column: string, mask: Pair): void {
    const { code } = this;
    const set = code.local("i32");
    code.get(mask.local).simd("i64x2.bitmask").set(set);
    // The second bit goes to the second byte.
    code.get(this.pointers[column]).get(set).get(set).i32(7).op("i32.shl").op("i32.or");
    code.i32(0x101).op("i32.and").memory("i32.store16");
  }

  /** Code that runs where the mask is set for one of the rows. */
  where(mask: Pair, body: () => void): void {
    this.code.get(mask.local).simd("v128.any_true").if();
    body();
    this.code.op("end");
  }

  /** Appends the indices of the rows where the mask is set to a list. */
  note(list: string, mask: Pair): void {
    const { code, row } = this;
    const end = this.pointers[list];
    const set = code.local("i32");
    code.get(mask.local).simd("i64x2.bitmask").set(set);
    code.get(end).get(row).memory("i32.store");
    code.get(end).get(set).i32(1).op("i32.and").i32(2).op("i32.shl").op("i32.add").set(end);
    code.get(end).get(row).i32(1).op("i32.add").memory("i32.store");
    code.get(end).get(set).i32(1).op("i32.shr_u").i32(2).op("i32.shl").op("i32.add").set(end);
  }

  /** The first two single-precision numbers of each, interleaved. */
  private zipped(first: number, second: number): number {
    const bytes = [0, 4, 1, 5].flatMap((word) => [0, 1, 2, 3].map((b) => word * 4 + b));
    return new Pair(this.code.get(first).get(second).shuffle(bytes)).local;
  }
}
