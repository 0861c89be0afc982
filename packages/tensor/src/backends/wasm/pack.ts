import type { Code } from "./assembler.ts";

/**
 * Copies a strided matrix into panels for the tiles: for each k, `4·vectors` adjacent elements ("lines": columns of b or rows of
 * a); missing lines are zero.
 */
export interface Pack {
  readonly vectors: number;
  /** Lines that exist in a panel. */
  readonly lines: number;
  readonly k: number;
  readonly kStride: number;
  readonly lineStride: number;
}

/** Parameters: source, destination, panels. */
export const packSignature = ["i32", "i32", "i32"] as const;

const low = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
const high = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
const firstHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const secondHalves = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];

/** The locals of a packing loop. */
interface Walk extends Pack {
  readonly code: Code;
  /** Parameters. */
  readonly source: number;
  readonly target: number;
  readonly panels: number;
  /** The source pointer, and the remaining iterations of the innermost loop. */
  readonly from: number;
  readonly left: number;
  /** Bytes of one k in a panel. */
  readonly width: number;
}

export function emitPack(code: Code, pack: Pack): void {
  const [source, target, panels] = [0, 1, 2];
  const [from, left] = [code.local("i32"), code.local("i32")];
  const walk: Walk = { ...pack, code, source, target, panels, from, left, width: 16 * pack.vectors };
  const whole = pack.lines === 4 * pack.vectors;
  if (adjacent(pack) && whole && pack.kStride >= 0) acrossPanels(walk);
  else panelByPanel(walk, whole);
}

const adjacent = ({ lineStride, lines }: Pack) => lineStride === 1 && lines >= 4;

/** Ends a loop that runs until the local `count` has fallen to zero. */
function untilZero(code: Code, count: number): void {
  code.get(count).i32(1).op("i32.sub").tee(count).brIf(0).op("end");
}

/** Adjacent lines: a few k at a time across all panels, so that reads follow the lines instead of jumping between pages. */
function acrossPanels({ code, source, target, panels, from, left, width, ...pack }: Walk): void {
  const { k, vectors, kStride } = pack;
  const to = code.local("i32");
  const rows = (n: number) => {
    code.get(source).set(from).get(target).set(to).get(panels).set(left).loop();
    for (let step = 0; step < n; step++) {
      for (let v = 0; v < vectors; v++) {
        code
          .get(to)
          .get(from)
          .memory("v128.load", 4 * step * kStride + 16 * v)
          .memory("v128.store", step * width + 16 * v);
      }
    }
    code.increase(from, width).increase(to, k * width);
    untilZero(code, left);
  };
  const count = code.local("i32");
  if (k >= 8) {
    code
      .i32(k >> 3)
      .set(count)
      .loop();
    rows(8);
    code.increase(source, 32 * kStride).increase(target, 8 * width);
    untilZero(code, count);
  }
  if (k % 8 > 0) rows(k % 8);
}

function panelByPanel(walk: Walk, whole: boolean): void {
  const { code, source, target, panels, from, left, k, kStride, lineStride, lines, width } = walk;
  code.loop().get(source).set(from);
  const repeat = (count: number, step: number, body: (walk: Walk) => void) => {
    if (count === 0) return;
    code.i32(count).set(left).loop();
    body(walk);
    code.increase(from, 4 * step * kStride).increase(target, step * width);
    untilZero(code, left);
  };
  if (kStride === 1 && whole && k >= 4) {
    repeat(k >> 2, 4, transposeFour);
    repeat(k & 3, 1, copyOne);
  } else repeat(k, 1, copyOne);
  code.increase(source, 4 * lines * lineStride);
  untilZero(code, panels);
}

/** One k: vectors if lines are adjacent, otherwise element by element. */
function copyOne({ code, target, from, ...pack }: Walk): void {
  const { vectors, lines, kStride, lineStride } = pack;
  for (let v = 0; v < vectors; v++) {
    const lanes = Math.min(4, lines - 4 * v);
    if (adjacent(pack) && lanes === 4 && kStride >= 0) {
      code
        .get(target)
        .get(from)
        .memory("v128.load", 16 * v)
        .memory("v128.store", 16 * v);
      continue;
    }
    for (let lane = 0; lane < 4; lane++) {
      code.get(target);
      if (lane < lanes)
        code
          .get(from)
          .i32(4 * (4 * v + lane) * lineStride)
          .op("i32.add")
          .memory("f32.load");
      else code.f32(0);
      code.memory("f32.store", 16 * v + 4 * lane);
    }
  }
}

/** Four k of four lines at a time: load along k, transpose, store along the lines. */
function transposeFour({ code, target, from, vectors, lineStride, width }: Walk): void {
  const rows = [0, 1, 2, 3].map(() => code.local("v128"));
  const mixed = [0, 1, 2, 3].map(() => code.local("v128"));
  for (let v = 0; v < vectors; v++) {
    rows.forEach((row, i) => {
      const bytes = 4 * (4 * v + i) * lineStride;
      if (bytes >= 0) code.get(from).memory("v128.load", bytes).set(row);
      else code.get(from).i32(bytes).op("i32.add").memory("v128.load").set(row);
    });
    const mix = (a: number, b: number, lanes: readonly number[], into: number) =>
      code.get(a).get(b).shuffle(lanes).set(into);
    mix(rows[0], rows[1], low, mixed[0]);
    mix(rows[2], rows[3], low, mixed[1]);
    mix(rows[0], rows[1], high, mixed[2]);
    mix(rows[2], rows[3], high, mixed[3]);
    [0, 1, 2, 3].forEach((i) => {
      const pair = i < 2 ? 0 : 2;
      code
        .get(target)
        .get(mixed[pair])
        .get(mixed[pair + 1])
        .shuffle(i % 2 === 0 ? firstHalves : secondHalves);
      code.memory("v128.store", i * width + 16 * v);
    });
  }
  for (const local of [...rows, ...mixed]) code.free(local);
}
