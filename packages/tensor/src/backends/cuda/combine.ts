import type { Compute } from "../../dtype.ts";
import { laneCount, type Stmt } from "../../kernel/kernel.ts";
import { scalarType } from "../native/names.ts";
import { letter } from "../native/operations.ts";

/** The threads of a group within its warp. */
export const maskOf = (width: number) => (width === 32 ? "0xffffffffu" : "0xffffu << (threadIdx.x & 16)");

type Combine = Extract<Stmt, { kind: "combine" }>;

const foldOf = ({ op, accumulator: { type } }: Combine) => {
  const extreme = type === "f32" && (op === "min" ? "low_f" : op === "max" && "high_f");
  return extreme || `${op}_${letter[type as Compute]}`;
};

/** Reduces the lanes of an accumulator by halves, into a variable of the first thread. */
function halvesText(s: Combine, width: number): string[] {
  const t = scalarType[s.accumulator.type];
  const c = `c${s.result.id}`;
  return [
    `${t} ${c} = v${s.accumulator.id};`,
    `for (i32 half = ${width / 2}; half > 0; half /= 2) { const ${t} other = __shfl_xor_sync(${maskOf(width)}, ${c}, half); ${c} = ${foldOf(s)}(${c}, other); }`,
  ];
}

/** The result of an accumulator, for all threads of a group. Warps of a wide group are combined in order. */
export function combineText(s: Combine, width: number): string[] {
  const t = scalarType[s.accumulator.type];
  const inWarp = Math.min(width, 32);
  const [to, c, all] = ["v", "c", "all"].map((name) => `${name}${s.result.id}`);
  const halves = halvesText(s, inWarp);
  if (width === inWarp)
    return [...halves, `const ${t} ${to} = __shfl_sync(${maskOf(inWarp)}, ${c}, 0, ${inWarp});`];
  // The first thread of each warp has the warp's result.
  return [
    ...halves,
    `__shared__ ${t} ${all}[${width / 32}];`,
    `if ((threadIdx.x & 31) == 0) ${all}[threadIdx.x / 32] = ${c};`,
    "__syncthreads();",
    `${c} = ${all}[0];`,
    `for (i32 warp = 1; warp < ${width / 32}; warp++) ${c} = ${foldOf(s)}(${c}, ${all}[warp]);`,
    `const ${t} ${to} = ${c};`,
    "__syncthreads();",
  ];
}

/** The result of an accumulator whose lanes the first threads of a block have. */
export function combineStaged(s: Combine): string[] {
  const t = scalarType[s.accumulator.type];
  const [to, c, all] = ["v", "c", "all"].map((name) => `${name}${s.result.id}`);
  return [
    `__shared__ ${t} ${all};`,
    `if (lane < ${laneCount}) {`,
    ...halvesText(s, laneCount),
    `if (lane == 0) ${all} = ${c};`,
    "}",
    "__syncthreads();",
    `const ${t} ${to} = ${all};`,
    "__syncthreads();",
  ];
}
