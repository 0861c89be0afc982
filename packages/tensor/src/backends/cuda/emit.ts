import { type Compute, computeType } from "../../dtype.ts";
import { type Index, type Kernel, laneCount, type Stmt } from "../../kernel/kernel.ts";
import { Hazards } from "../grid/hazards.ts";
import { tripCount } from "../native/analysis.ts";
import { memoryType, scalarType } from "../native/names.ts";
import { letter } from "../native/operations.ts";
import { adjacentOf, adjacentText, alignedText, together } from "./adjacent.ts";
import { aheadLoop, aheadOf } from "./ahead.ts";
import { type ColumnLoop, columnLoop, storesLast } from "./columns.ts";
import { launchHeader } from "./prelude.ts";
import { nameOf, scalarText } from "./scalar.ts";
import { flatten, groupsOf, type Joined, type Shape, threadsOf } from "./shape.ts";
import { isStageable, stageBytes, stagedLoop, stagedThreads } from "./staged-sum.ts";

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
  /** Whether it has enough items for each thread to have several. */
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

class KernelWriter {
  readonly lines: string[] = [];
  /** Lets the threads of a group see each other's stores. */
  readonly barrier: string;
  readonly params: Kernel["params"];
  readonly indexText = indexText;
  readonly nameOf = nameOf;
  /** Whether each thread has its own columns, so that none waits for another. */
  private readonly columns: boolean;
  private readonly shape: Shape;
  private readonly staged: boolean;
  private readonly hazards: Hazards;
  /** Whether a loop over columns surrounds the statements being written. */
  private inside = false;
  /** Whether a thread alone executes the statements being written: in a vector loop, or if it is its own group. */
  private alone: boolean;

  /** Whether terms of sums may be added in any order. */
  private readonly anyOrder: boolean;

  constructor(kernel: Kernel, shape: Shape, anyOrder: boolean) {
    this.params = kernel.params;
    this.anyOrder = anyOrder;
    this.columns = kernel.columns ?? false;
    this.shape = shape;
    this.staged = shape.kind === "groups" && shape.staged === true;
    this.hazards = new Hazards(kernel);
    this.alone = shape.kind === "threads";
    this.barrier =
      shape.kind !== "groups"
        ? ""
        : shape.width <= 32
          ? `__syncwarp(${maskOf(shape.width)});`
          : "__syncthreads();";
  }

  statements(list: readonly Stmt[]): void {
    for (const s of list) this.statement(s);
  }

  /** A loop over columns, whose scratch memory is variables. */
  columnsOf({ before, each, loop }: ColumnLoop): void {
    const { lines } = this;
    this.alone = true;
    this.inside = true;
    this.statements(before);
    const { from, to } = boundsOf(loop);
    lines.push(`for (i32 column = ${from} + lane; column < ${to}; column += ${widthOf(this.shape)}) {`);
    this.params.forEach((p, i) => {
      if (p.scratch) lines.push(`${scalarType[computeType(p.storage)]} s${i};`);
    });
    this.statements(each);
    lines.push("}");
  }

  /** The text of an element in memory, or of the variable in its place. */
  private elementOf({ param, index }: Extract<Stmt, { kind: "load" | "store" }>): string {
    return this.inside && this.params[param].scratch ? `s${param}` : `p${param}[${indexText(index)}]`;
  }

  private statement(s: Stmt): void {
    const { lines } = this;
    if (!this.alone && (s.kind === "load" || s.kind === "store" || (s.kind === "for" && s.vector)))
      this.waitFor(s);
    switch (s.kind) {
      case "let": {
        const type = s.op === "select" ? s.args[1].type : s.args[0].type;
        const last = s.args[s.args.length - 1];
        const constant = "constant" in last ? last.constant : undefined;
        const value = scalarText(s, type, constant);
        lines.push(`const ${scalarType[s.result.type]} v${s.result.id} = ${value};`);
        return;
      }
      case "load": {
        const { storage, half } = this.params[s.param];
        const element = this.elementOf(s);
        const variable = this.inside && this.params[s.param].scratch;
        const value = half
          ? `widened(${element})`
          : storage === "bool" && !variable
            ? `${element} != 0`
            : element;
        lines.push(`const ${scalarType[computeType(storage)]} v${s.result.id} = ${value};`);
        return;
      }
      case "store": {
        const value = this.params[s.param].half ? `halved(${nameOf(s.value)})` : nameOf(s.value);
        const store = `${this.elementOf(s)} = ${value};`;
        lines.push(this.alone ? store : `if (lane == 0) ${store}`);
        return;
      }
      case "declare":
        lines.push(`${scalarType[s.variable.type]} v${s.variable.id} = ${nameOf(s.init)};`);
        return;
      case "assign":
        lines.push(`v${s.variable.id} = ${nameOf(s.value)};`);
        return;
      case "combine":
        if (this.staged) lines.push(...combineStaged(s));
        else lines.push(...combineText(s, this.shape.kind === "groups" ? this.shape.width : laneCount));
        return;
      case "for":
        this.loop(s);
        return;
      case "if":
        this.branch(s);
        return;
      case "while":
        this.repeat(s);
        return;
    }
  }

  private waitFor(s: Stmt): void {
    if (this.shape.kind === "groups" && !this.columns && this.hazards.touch(s)) this.lines.push(this.barrier);
  }

  private loop(s: Extract<Stmt, { kind: "for" }>): void {
    const { lines, alone } = this;
    const v = `v${s.variable.id}`;
    const { from, to } = boundsOf(s);
    if (this.inside && s.vector) {
      lines.push(`{ const i32 ${v} = column;`);
      this.statements(storesLast(s.body));
      lines.push("}");
      return;
    }
    const staged = this.staged && s.vector && stagedLoop(s, from, to, (list) => this.write(list));
    if (staged) {
      lines.push(...staged);
      return;
    }
    if (s.vector && !alone) {
      const step = this.shape.kind === "groups" ? this.shape.width : "(i32)(gridDim.x * blockDim.x)";
      const adjacent = this.isLong(s) && !s.from ? adjacentOf(s.body, s.variable, this.anyOrder) : undefined;
      if (adjacent) {
        lines.push(
          `{ const i32 full = ${alignedText(adjacent, this)} ? ${to} / ${together} * ${together} : 0;`,
          `for (i32 ${v} = lane * ${together}; ${v} < full; ${v} += ${step} * ${together}) {`,
          ...adjacentText(adjacent, this),
          "}",
          `for (i32 ${v} = full + lane; ${v} < ${to}; ${v} += ${step}) {`,
          ...this.write(s.body),
          "}}",
        );
        return;
      }
      const ahead = this.isLong(s) ? aheadOf(s.body) : undefined;
      if (ahead) {
        const range = { first: `${from} + lane`, end: to, step: `${step}` };
        const item = { name: v, type: "i32", before: [] };
        lines.push(...aheadLoop(ahead, item, range, (list) => this.write(list)));
        return;
      }
      lines.push(`for (i32 ${v} = ${from} + lane; ${v} < ${to}; ${v} += ${step}) {`);
      this.alone = true;
      this.statements(s.body);
      this.alone = alone;
      lines.push("}");
      return;
    }
    lines.push(`for (i32 ${v} = ${from}; ${v} < ${to}; ${v}++) {`);
    this.again(s.body, () => this.statements(s.body));
    lines.push("}");
  }

  /** Whether each thread of a group has many iterations of a loop. */
  private isLong(loop: Extract<Stmt, { kind: "for" }>): boolean {
    const trips = tripCount(loop);
    return this.shape.kind === "groups" && trips !== undefined && trips >= longIterations * this.shape.width;
  }

  /** The text of statements that each thread executes alone. */
  write(list: readonly Stmt[]): readonly string[] {
    const { lines, alone } = this;
    const start = lines.length;
    this.alone = true;
    this.statements(list);
    this.alone = alone;
    return lines.splice(start);
  }

  private repeat(s: Extract<Stmt, { kind: "while" }>): void {
    const { lines } = this;
    lines.push("for (;;) {");
    this.again([...s.test, ...s.body], () => {
      this.statements(s.test);
      lines.push(`if (!(${nameOf(s.condition)})) break;`);
      this.statements(s.body);
    });
    lines.push("}");
  }

  /** A body that runs any number of times. */
  private again(body: readonly Stmt[], write: () => void): void {
    if (this.alone) return write();
    const before = this.hazards.now();
    this.hazards.enter(body);
    const all = this.hazards.now();
    write();
    // It may have ended at any statement, or never have begun.
    this.hazards.merge(before);
    this.hazards.merge(all);
  }

  private branch(s: Extract<Stmt, { kind: "if" }>): void {
    const { lines, hazards } = this;
    const before = hazards.now();
    lines.push(`if (${nameOf(s.condition)}) {`);
    this.statements(s.then);
    const after = hazards.now();
    hazards.restore(before);
    if (s.else) {
      lines.push("} else {");
      this.statements(s.else);
    }
    hazards.merge(after);
    lines.push("}");
  }
}

/** The threads of a group within its warp. */
const maskOf = (width: number) => (width === 32 ? "0xffffffffu" : "0xffffu << (threadIdx.x & 16)");

const boundsOf = (loop: Extract<Stmt, { kind: "for" }>) => ({
  from: loop.from ? nameOf(loop.from) : "0",
  to: typeof loop.extent === "number" ? `${loop.extent}` : nameOf(loop.extent),
});

/** Iterations of a thread from which loads of several wait together. */
const longIterations = 4;

const widthOf = (shape: Shape) => (shape.kind === "groups" ? shape.width : 1);

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
function combineText(s: Combine, width: number): string[] {
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
function combineStaged(s: Combine): string[] {
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

/** An element's index. Tensors have fewer than 2³¹ elements. */
function indexText(index: Index): string {
  const parts: string[] = [];
  const add = (text: string, coefficient: number) => {
    if (coefficient === 1) parts.push(text);
    else if (coefficient !== 0) parts.push(`${text} * ${coefficient < 0 ? `(${coefficient})` : coefficient}`);
  };
  for (const { variable, coefficient } of index.terms) add(`v${variable.id}`, coefficient);
  for (const { value, coefficient } of index.dynamic ?? []) {
    if ("id" in value) add(`v${value.id}`, coefficient);
    else parts.push(`${value.constant * coefficient}`);
  }
  if (index.constant !== 0 || parts.length === 0) parts.push(`${index.constant}`);
  return parts.join(" + ");
}
