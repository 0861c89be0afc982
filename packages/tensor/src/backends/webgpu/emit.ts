import { byteSize } from "../../dtype.ts";
import { type Kernel, laneCount, type Stmt } from "../../kernel/kernel.ts";
import { type Home, room } from "./access.ts";
import { letter, typeName } from "./operations.ts";
import { alive, bindings, bytes, header, place, prelude, type Slot, word } from "./prelude.ts";
import { type Shape, shapeOf, usualSize } from "./shape.ts";
import { StatementWriter } from "./statements.ts";

/** How a kernel is laid out, whatever regions its parameters lie in. */
export interface Layout {
  readonly shape: Shape;
  /** Invocations of a workgroup. */
  readonly size: number;
  /** Groups of a workgroup; an invocation alone is a group. */
  readonly groups: number;
  /** Words of its arguments. */
  readonly words: number;
  /** Whether its scratch memory belongs to the workgroup; otherwise it is a slice of the device's memory. */
  readonly shared: boolean;
  /** Bytes of scratch memory of a group. */
  readonly scratchBytes: number;
}

export function layoutOf(kernel: Kernel, scratchBytes: number, mostShared: number): Layout {
  const shape = shapeOf(kernel);
  const uses = kernel.params.some((p) => p.scratch);
  const words = header + 2 * kernel.params.length;
  const layout = (size: number, groups: number): Layout => ({
    shape,
    size,
    groups,
    words,
    shared: uses && scratchBytes * groups + 4 * size * 4 <= mostShared,
    scratchBytes,
  });
  if (shape.kind !== "groups") return layout(usualSize, usualSize);
  if (shape.width !== laneCount) return layout(shape.width, 1);
  // Several groups of 16, unless one of them must take its own way.
  const all = kernel.params.map(() => ({ name: "h0", slot: "plain" as const }));
  const trial = new StatementWriter(kernel, shape, all, true);
  trial.statements(kernel.body);
  return trial.joint ? layout(laneCount, 1) : layout(usualSize, usualSize / laneCount);
}

/** The places of a call's regions: for each parameter, and last for scratch memory on the device, the number of its binding. */
export type Slots = readonly number[];

/** Writes a kernel in WGSL. Parameters with equal slots lie in the same region. */
export function emitKernel(kernel: Kernel, layout: Layout, slots: Slots): string {
  const { shape, size, groups, words, shared, scratchBytes } = layout;
  const { params } = kernel;
  const uses = params.some((p) => p.scratch);
  const count = Math.max(-1, ...slots) + 1;
  const slotOf = (i: number) => (params[i].scratch ? (shared ? -1 : slots[params.length]) : slots[i]);
  const kinds = Array.from({ length: count + 1 }, (): Slot => "plain");
  for (const i of narrowStores(kernel)) kinds[slotOf(i) < 0 ? count : slotOf(i)] = "atomic";
  const homes = params.map((_, i): Home => {
    const slot = slotOf(i);
    return slot < 0 ? { name: room, slot: kinds[count] } : { name: `h${slot}`, slot: kinds[slot] };
  });
  const packed = shape.kind === "groups" && groups > 1;
  const writer = new StatementWriter(kernel, shape, homes, packed);
  const { lines } = writer;
  const id = `v${kernel.parallel.id}`;
  lines.push(
    `@compute @workgroup_size(${size}) fn main(@builtin(workgroup_id) block: vec3<u32>, @builtin(num_workgroups) blocks: vec3<u32>, @builtin(local_invocation_index) thread: u32) {`,
    `if (!${alive}) { return; }`,
    `let extent = bitcast<i32>(${word(2)});`,
  );
  if (kernel.length) lines.push(`let v${kernel.length.id} = bitcast<i32>(${word(3)});`);
  const all = `(block.x * ${size}u + thread)`;
  if (shape.kind === "groups")
    lines.push(
      `let group = thread / ${shape.width}u;`,
      `let lane = i32(thread) - i32(group) * ${shape.width};`,
      ...(packed ? [] : ["let live = true;", "let first = lane == 0;"]),
    );
  if (uses) {
    const own = shape.kind === "groups" ? `(block.x * ${groups}u + group)` : all;
    if (shared)
      lines.push(`let scratch = ${shape.kind === "groups" ? "group" : "thread"} * ${scratchBytes}u;`);
    else lines.push(`let scratch = t[0] + ${own} * ${scratchBytes}u;`);
  }
  params.forEach((p, i) => {
    const at = header + 2 * i;
    const start = p.scratch ? `(scratch + ${word(at + 1)})` : place(at);
    lines.push(`let p${i} = ${start}${byteSize(p.storage) === 1 ? "" : " >> 2u"};`);
  });
  if (shape.kind === "threads")
    lines.push(`for (var ${id} = i32${all}; ${id} < extent; ${id} += i32(blocks.x * ${size}u)) {`);
  else if (shape.kind === "spread")
    lines.push(
      `let lane = i32${all};`,
      `let step = i32(blocks.x * ${size}u);`,
      `for (var ${id} = i32(block.y); ${id} < extent; ${id} += i32(blocks.y)) {`,
    );
  else if (packed)
    // All groups of a workgroup run equally often; one without an iteration left repeats the last and stores nothing.
    lines.push(
      `for (var base = i32(block.x) * ${groups}; base < extent; base += i32(blocks.x) * ${groups}) {`,
      "let live = base + i32(group) < extent;",
      "let first = live && lane == 0;",
      `let ${id} = min(base + i32(group), extent - 1);`,
    );
  else lines.push(`for (var ${id} = i32(block.x); ${id} < extent; ${id} += i32(blocks.x)) {`);
  writer.statements(kernel.body);
  // The next iteration uses the same scratch memory.
  if (uses && shape.kind === "groups") lines.push(writer.barrier);
  lines.push("}", "}");
  const own: string[] = [...writer.combined].map(
    (c) => `var<workgroup> lanes_${letter[c]}: array<${typeName[c]}, ${size}>;`,
  );
  if (writer.joint) own.push("var<workgroup> joint: i32;");
  if (shared) {
    const kind = kinds[count] === "atomic" ? "atomic<u32>" : "u32";
    own.push(`var<workgroup> ${room}: array<${kind}, ${Math.max(1, (scratchBytes * groups) / 4)}>;`);
  }
  const narrow = new Map<string, Slot>();
  params.forEach((p, i) => {
    if (byteSize(p.storage) === 1) narrow.set(homes[i].name, homes[i].slot);
  });
  return [
    bindings(words, kinds.slice(0, count)),
    ...own,
    prelude,
    ...[...narrow].map(([name, slot]) => bytes(name, slot)),
    ...lines,
    "",
  ].join("\n");
}

/** Parameters with elements of one byte to which the kernel stores. */
function narrowStores(kernel: Kernel): Set<number> {
  const out = new Set<number>();
  const visit = (s: Stmt): void => {
    if (s.kind === "store" && byteSize(kernel.params[s.param].storage) === 1) out.add(s.param);
    else if (s.kind === "for") s.body.forEach(visit);
    else if (s.kind === "while") [...s.test, ...s.body].forEach(visit);
    else if (s.kind === "if") [...s.then, ...(s.else ?? [])].forEach(visit);
  };
  kernel.body.forEach(visit);
  return out;
}
