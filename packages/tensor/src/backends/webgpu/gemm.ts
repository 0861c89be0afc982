import { laneCount } from "../../kernel/kernel.ts";
import { productOrder } from "../../kernel/order.ts";
import type { GemmStep } from "../../kernel/program.ts";
import { alive, bindings, header, place, word } from "./prelude.ts";
import { usualSize } from "./shape.ts";

/**
 * Matrix products in WGSL, in the order of `kernel/order.ts`: an invocation, or a group of lanes, adds the terms of each element. Terms past
 * k are skipped: adding zeros would change the sign of a zero.
 */

const mostBatchDims = 6;
const first = header + 8;
/** Words of a product's arguments: places of a, b, c and the bias, sizes and strides, and the batch dimensions. */
export const gemmWords = first + 10 + 4 * mostBatchDims;

/** The table's word of the bias's place in a product without one. */
export const noBias = 0xffffffff;

/** The words after the places. */
export function gemmFields(s: GemmStep): number[] {
  if (s.batch.length > mostBatchDims)
    throw new Error(
      `The WebGPU back end multiplies matrices with at most ${mostBatchDims} batch dimensions that cannot be merged; this product has ${s.batch.length}. Reshape the operands so that leading axes are adjacent.`,
    );
  return [
    ...[s.m, s.n, s.k, ...s.aStrides, ...s.bStrides, s.cRow, members(s), s.batch.length],
    ...s.batch.flatMap((d) => [d.extent, d.a, d.b, d.c]),
  ];
}

const members = (s: GemmStep) => s.batch.reduce((n, d) => n * d.extent, 1);

/** A square of elements per workgroup of 256 invocations, and a smaller one per invocation. */
const tiles = [
  { rows: 64, own: 4 },
  { rows: 32, own: 2 },
  { rows: 16, own: 1 },
] as const;

/** Workgroups that keep a GPU busy: with fewer, smaller tiles are faster. */
const busy = 64;
const mostGroups = 65535;

export type Grid = readonly [number, number, number];

/** The variant of the product's kernel and its grid, or undefined if there is nothing to compute. */
export function gemmDispatch(
  s: GemmStep,
): { readonly variant: number | "lanes"; readonly grid: Grid } | undefined {
  const count = members(s);
  if (s.m === 0 || s.n === 0 || count === 0) return undefined;
  if (productOrder(s) === "lanes")
    return {
      variant: "lanes",
      grid: [Math.min(Math.ceil((s.m * s.n * count) / (usualSize / laneCount)), mostGroups), 1, 1],
    };
  const gridOf = (rows: number): Grid => [
    Math.min(Math.ceil(s.m / rows), mostGroups),
    Math.min(Math.ceil(s.n / rows), mostGroups),
    Math.min(count, mostGroups),
  ];
  const tile = tiles.find((t) => gridOf(t.rows).reduce((a, b) => a * b) >= busy) ?? tiles[tiles.length - 1];
  return { variant: tile.rows, grid: gridOf(tile.rows) };
}

/** The product's kernel; `slots` are the regions of a, b, c and the bias. */
export function gemmText(variant: number | "lanes", slots: readonly number[]): string {
  const count = Math.max(...slots) + 1;
  const tile = tiles.find((t) => t.rows === variant);
  const [size, body] = tile ? [256, tileText(tile, slots)] : [usualSize, lanesText(slots)];
  return `${bindings(gemmWords, new Array(count).fill("plain"))}
${tile ? tileRoom(tile) : `var<workgroup> lanes: array<f32, ${usualSize}>;`}
@compute @workgroup_size(${size}) fn main(@builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
if (!${alive}) { return; }
let m = i32(${word(first)}); let n = i32(${word(first + 1)}); let k = i32(${word(first + 2)});
let ars = bitcast<i32>(${word(first + 3)}); let acs = bitcast<i32>(${word(first + 4)});
let brs = bitcast<i32>(${word(first + 5)}); let bcs = bitcast<i32>(${word(first + 6)});
let crow = bitcast<i32>(${word(first + 7)}); let count = i32(${word(first + 8)}); let dims = i32(${word(first + 9)});
let a0 = i32(${place(header)} >> 2u); let b0 = i32(${place(header + 2)} >> 2u); let c0 = i32(${place(header + 4)} >> 2u);
let biased = ${word(header + 6)} != ${noBias}u;
var bias = 0;
if (biased) { bias = i32(${place(header + 6)} >> 2u); }
${body}}
`;
}

/** Declares the starts of the operands of a member of the batch. */
const move = `
var pa = a0; var pb = b0; var pc = c0; var rest = member;
for (var d = dims - 1; d >= 0; d--) {
  let w = ${first + 10} + 4 * d;
  let extent = bitcast<i32>(a[w >> 2u][w & 3]);
  let at = rest % extent;
  rest /= extent;
  pa += at * bitcast<i32>(a[(w + 1) >> 2u][(w + 1) & 3]);
  pb += at * bitcast<i32>(a[(w + 2) >> 2u][(w + 2) & 3]);
  pc += at * bitcast<i32>(a[(w + 3) >> 2u][(w + 3) & 3]);
}`;

/** Elements of k per step of a tile. */
const depth = 16;

interface Tile {
  readonly rows: number;
  readonly own: number;
}

const tileRoom = ({ rows }: Tile) =>
  `var<workgroup> x: array<f32, ${depth * rows}>;\nvar<workgroup> y: array<f32, ${depth * rows}>;`;

const read = (slot: number, at: string) => `bitcast<f32>(h${slot}[u32(${at})])`;

/** The workgroup copies a strip of both operands to its memory; each invocation multiplies its elements with k rising. */
function tileText({ rows, own }: Tile, slots: readonly number[]): string {
  const each = (f: (i: number, j: number) => string) =>
    Array.from({ length: own * own }, (_, e) => f(Math.floor(e / own), e % own)).join("\n");
  const some = (f: (i: number) => string) => Array.from({ length: own }, (_, i) => f(i)).join(" ");
  const loads = (rows * depth) / 256;
  /** Invocations read along the axis that is adjacent in memory. */
  const strip = (
    to: string,
    slot: number,
    start: string,
    edge: string,
    size: string,
    stride: string,
    along: string,
  ) => `
    for (var i = 0; i < ${loads}; i++) {
      let e = i32(thread) + i * 256;
      let q = select(e / ${rows}, e % ${depth}, ${along} == 1);
      let r = select(e % ${rows}, e / ${depth}, ${along} == 1);
      var value = 0f;
      if (${edge} + r < ${size} && k0 + q < k) { value = ${read(slot, `${start} + (${edge} + r) * ${stride} + (k0 + q) * ${along}`)}; }
      ${to}[q * ${rows} + r] = value;
    }`;
  return `
let tx = i32(thread) % 16; let ty = i32(thread) / 16;
for (var member = i32(block.z); member < count; member += i32(blocks.z)) {
${move}
for (var row = i32(block.x) * ${rows}; row < m; row += i32(blocks.x) * ${rows}) {
for (var column = i32(block.y) * ${rows}; column < n; column += i32(blocks.y) * ${rows}) {
${some((j) => `var s${j} = 0f; if (biased && column + tx * ${own} + ${j} < n) { s${j} = ${read(slots[3], `bias + column + tx * ${own} + ${j}`)}; }`)}
${each((i, j) => `var c${i}_${j} = s${j};`)}
  for (var k0 = 0; k0 < k; k0 += ${depth}) {
${strip("x", slots[0], "pa", "row", "m", "ars", "acs")}
${strip("y", slots[1], "pb", "column", "n", "bcs", "brs")}
    workgroupBarrier();
    for (var q = 0; q < min(${depth}, k - k0); q++) {
      ${some((i) => `let x${i} = x[q * ${rows} + ty * ${own} + ${i}]; let y${i} = y[q * ${rows} + tx * ${own} + ${i}];`)}
      ${each((i, j) => `c${i}_${j} = fma(x${i}, y${j}, c${i}_${j});`)}
    }
    workgroupBarrier();
  }
${each((i, j) => `if (row + ty * ${own} + ${i} < m && column + tx * ${own} + ${j} < n) { h${slots[2]}[u32(pc + (row + ty * ${own} + ${i}) * crow + column + tx * ${own} + ${j})] = bitcast<u32>(c${i}_${j}); }`)}
}}}
`;
}

/** Dot products: a group of lanes per element, reduced by halves. */
function lanesText(slots: readonly number[]): string {
  const groups = usualSize / laneCount;
  const lines: string[] = [];
  let names = Array.from({ length: laneCount }, (_, l) => `lanes[group * ${laneCount}u + ${l}u]`);
  for (let half = laneCount / 2; half >= 1; half /= 2)
    names = names.slice(0, half).map((name, l) => {
      lines.push(`let s${half}_${l} = ${name} + ${names[l + half]};`);
      return `s${half}_${l}`;
    });
  return `
let group = thread / ${laneCount}u; let lane = i32(thread % ${laneCount}u);
let each = m * n; let total = each * count;
for (var start = i32(block.x) * ${groups}; start < total; start += i32(blocks.x) * ${groups}) {
  let at = min(start + i32(group), total - 1);
  let member = at / each;
${move}
  let row = at % each / n; let column = at % each % n;
  var sum = 0f;
  for (var q = lane; q < k; q += ${laneCount}) {
    sum = fma(${read(slots[0], "pa + row * ars + q * acs")}, ${read(slots[1], "pb + q * brs + column * bcs")}, sum);
  }
  lanes[thread] = sum;
  workgroupBarrier();
  ${lines.join("\n  ")}
  if (lane == 0 && start + i32(group) < total) {
    var value = ${names[0]};
    if (biased) { value = value + ${read(slots[3], "bias + column")}; }
    h${slots[2]}[u32(pc + row * crow + column)] = bitcast<u32>(value);
  }
  workgroupBarrier();
}
`;
}
