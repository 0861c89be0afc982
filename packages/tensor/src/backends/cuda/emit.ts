import type { Kernel } from "../../kernel/kernel.ts";
import { memoryType } from "../native/names.ts";
import { adjacentOf, adjacentText, alignedText, together } from "./adjacent.ts";
import { aheadLoop, aheadOf } from "./ahead.ts";
import { columnLoop } from "./columns.ts";
import { KernelWriter } from "./kernel-writer.ts";
import { launchHeader } from "./prelude.ts";
import { flatten, groupsOf, type Joined, type Shape, threadsOf } from "./shape.ts";
import { isStageable, stageBytes, stagedThreads } from "./staged-sum.ts";

/** A kernel in CUDA, and what a launch of it needs to know. */
export interface Emitted {
  readonly name: string;
  readonly text: string;
  readonly shape: Shape;
  /** Items per iteration of the parallel variable. */
  readonly inner: number;
  /** Words of its arguments: the header, a place per parameter, `extent` and `length`, then the steps of the places along the grid's z axis. */
  readonly words: number;
  /** Whether it needs no slice of the device's memory for scratch: it has none, or the memory is shared by the block. */
  readonly shared: boolean;
  /** Whether the grid's z axis has iterations of a loop around it. */
  readonly layers: boolean;
}

/** How a kernel is called. */
export interface EmitOptions {
  /** Maximum threads of a group with accumulators. */
  readonly widest?: number;
  /** Whether a loop calls it whose iterations run together. */
  readonly layers?: boolean;
  /** Whether it has few items, so that each can have a block of its own. */
  readonly few?: boolean;
  /** Whether terms of sums may be added in any order that is the same in every run. */
  readonly anyOrder?: boolean;
  /** Whether each thread has several items. */
  readonly many?: boolean;
}

/** Maximum bytes of shared memory per block for scratch: what every device has without asking for more. */
const mostShared = 32768;

/** Writes a kernel as the CUDA function `name`. A group needs `scratchBytes` of scratch memory; with accumulators it has up to `widest` threads. */
export function emitKernel(
  kernel: Kernel,
  name: string,
  scratchBytes: number,
  { widest, layers = false, few = false, many = false, anyOrder = false }: EmitOptions = {},
): Emitted {
  const { shape: usual, joined, inner, body } = flatten(kernel, widest);
  const staged = few && isStageable(body, kernel.params);
  const shape: Shape = staged ? { kind: "groups", width: stagedThreads, staged } : usual;
  const count = kernel.params.length;
  const steps = launchHeader + count + 2;
  const words = steps + (layers ? count : 0);
  const width = shape.kind === "groups" ? shape.width : 1;
  const inside = shape.kind === "groups" ? columnLoop(body, kernel) : undefined;
  const uses = !inside && kernel.params.some((p) => p.scratch);
  const shared = uses && scratchBytes * groupsOf(shape) <= (staged ? mostShared - stageBytes : mostShared);
  const writer = new KernelWriter(kernel, shape, anyOrder);
  const { lines } = writer;
  const { id } = kernel.parallel;
  lines.push(
    `/* ${kernel.label.replaceAll("*/", "* /")} */`,
    `struct A_${name} { i64 v[${words}]; };`,
    `extern "C" __global__ void __launch_bounds__(${threadsOf(shape)}) ${name}(const A_${name} a) {`,
    "if (!ALIVE) return;",
    `const i32 extent = (i32)a.v[${launchHeader + count}];`,
  );
  if (kernel.length) lines.push(`const i32 v${kernel.length.id} = (i32)a.v[${launchHeader + count + 1}];`);
  const thread = "(i32)(blockIdx.x * blockDim.x + threadIdx.x)";
  const threads = "(i32)(gridDim.x * blockDim.x)";
  if (shape.kind === "groups")
    lines.push(
      `const i32 lane = (i32)threadIdx.x & ${width - 1}, group = ${thread} / ${width}, groups = ${threads} / ${width};`,
    );
  if (staged) lines.push(`__shared__ __align__(16) char stage[${stageBytes}];`);
  if (uses) {
    const [own, all] = shape.kind === "groups" ? ["group", "groups"] : [thread, threads];
    if (shared)
      lines.push(
        `__shared__ __align__(64) char room[${scratchBytes * groupsOf(shape)}];`,
        `char *const S = room + (threadIdx.x / ${width}) * ${scratchBytes};`,
      );
    else
      lines.push(
        `char *const S = (char *)((const u64 *)a.v[0])[0] + ((i64)blockIdx.z * ${all} + ${own}) * ${scratchBytes};`,
      );
  }
  kernel.params.forEach((p, i) => {
    if (inside && p.scratch) return;
    const type = `${p.half ? "u16" : memoryType[p.storage]} *`;
    // A scratch parameter's argument is its offset in the group's memory.
    const from = p.scratch
      ? `S + a.v[${launchHeader + i}]`
      : `PLACE(${launchHeader + i})${layers ? ` + (i64)blockIdx.z * a.v[${steps + i}]` : ""}`;
    lines.push(`${type}const p${i} = (${type})(${from});`);
  });
  const several = many && shape.kind === "threads" && !uses;
  const last = joined[joined.length - 1];
  const adjacent =
    several && last && last.extent % together === 0 ? adjacentOf(body, last.variable) : undefined;
  if (adjacent)
    lines.push(
      `if (${alignedText(adjacent, writer)}) {`,
      `for (u32 item = ${thread}; item < (u32)extent * ${inner / together}u; item += ${threads}) {`,
      ...indices(id, joined, together),
      ...adjacentText(adjacent, writer),
      "}",
      "return;",
      "}",
    );
  const ahead = several ? aheadOf(body) : undefined;
  if (ahead) {
    lines.push(
      ...aheadLoop(
        ahead,
        { name: "item", type: "u32", before: indices(id, joined) },
        { first: thread, end: `(u32)extent * ${inner}u`, step: threads },
        (list) => writer.write(list),
      ),
      "}",
    );
    return { name, text: lines.join("\n"), shape, inner, words, shared: !uses, layers };
  }
  const items = (from: string, step: string) =>
    lines.push(
      `for (u32 item = ${from}; item < (u32)extent * ${inner}u; item += ${step}) {`,
      ...indices(id, joined),
    );
  switch (shape.kind) {
    case "threads":
      items(thread, threads);
      break;
    case "spread":
      lines.push(`const i32 lane = ${thread};`);
      items("blockIdx.y", "gridDim.y");
      break;
    case "groups":
      items("group", "groups");
  }
  if (inside) writer.columnsOf(inside);
  else writer.statements(body);
  // The next iteration uses the same scratch memory.
  if (uses && shape.kind === "groups") lines.push(writer.barrier);
  lines.push("}", "}");
  return { name, text: lines.join("\n"), shape, inner, words, shared: shared || !uses, layers };
}

/** The variables of the parallel loop and of those joined with it, from the number of an item, which stands for `of` adjacent ones. */
function indices(parallel: number, joined: readonly Joined[], of = 1): string[] {
  const lines: string[] = [];
  let stride = 1;
  let step = of;
  for (const { variable, extent } of [...joined].reverse()) {
    const index = `(i32)(item / ${stride}u % ${extent / step}u)`;
    lines.push(`const i32 v${variable.id} = ${step > 1 ? `${index} * ${step}` : index};`);
    stride *= extent / step;
    step = 1;
  }
  return [`const i32 v${parallel} = (i32)(item / ${stride}u);`, ...lines];
}
