import { Builder, type Shared, type Value } from "./builder.ts";
import { tableOf, tidy } from "./operations/table.ts";
import { type Arg, type Block, type Input, type Node, type Program, refsOf } from "./program.ts";
import { Random } from "./random.ts";
import type { Flavour } from "./values.ts";

const transformed = new Set(
  "grad valueAndGradient gradient vmap scan customGradient treeMap compile".split(" "),
);
const table = tableOf(grow);
/** Every operation of programs. */
export const operationNames: readonly string[] = Object.keys(table);

/** Adds one operation; returns the values that it computed. */
function step(b: Builder, op: string, must?: Value): Value[] | undefined {
  b.must = must;
  const deep = transformed.has(op);
  if (deep && b.shared.depth >= 2) return undefined;
  if (deep) b.shared.depth++;
  try {
    const made = table[op](b);
    b.must = undefined;
    return made && b.emit(op, made.args, made.blocks);
  } finally {
    if (deep) b.shared.depth--;
  }
}

function name(b: Builder): string {
  if (b.shared.names && b.r.chance(0.95)) return b.r.pick(b.shared.names);
  const op = b.r.chance(b.shared.flavour === "whole" ? 0.9 : 0.3) ? b.r.pick(tidy) : b.r.pick(operationNames);
  // Triple nesting of functions takes long to generate; one in four is enough.
  return transformed.has(op) && b.shared.depth > 0 && b.r.chance(0.75) ? b.r.pick(tidy) : op;
}

/** Random operations, each preferably on the result of the last one. */
function grow(b: Builder, steps: number): void {
  let last = b.must;
  for (let i = 0; i < steps; i++) last = step(b, name(b), last)?.[0] ?? last;
}

/** Pairs of operations that a program is built around, such that all pairs occur in a run before one repeats. */
function* plannedPairs(r: Random, seed: number, index: number, count: number): Generator<[string, string]> {
  const n = operationNames.length;
  const all = n * n;
  // Steps of a fixed size, coprime to the number of pairs, from a start that depends on the seed.
  let stride = Math.floor(all * 0.38196601);
  const common = (a: number, b: number): number => (b ? common(b, a % b) : a);
  while (common(stride, all) !== 1) stride++;
  const start = new Random(seed).whole(0, all - 1);
  for (let i = 0; i < count; i++) {
    const k = (start + (index * count + i) * stride) % all;
    yield r.chance(0.9)
      ? [operationNames[Math.floor(k / n)], operationNames[k % n]]
      : [r.pick(operationNames), r.pick(operationNames)];
  }
}

/** Kinds of programs: around pairs of all operations, or many steps of few operations on compatible values. */
const styles: Readonly<
  Record<string, { share: number; names: string; steps: [number, number]; inner: number }>
> = {
  pairs: { share: 0.5, names: "", steps: [0, 1], inner: 4 },
  /** Long chains of elementwise operations and sums, for fusion, sinking and passes. */
  dense: {
    share: 0.2,
    names:
      "add sub mul mul maximum where gt le abs neg relu square sum sum sum max min mean sub mul softmax cumsum reshape permute broadcastTo cast",
    steps: [6, 16],
    inner: 8,
  },
  /** Views of views, and reads and writes through them. */
  views: {
    share: 0.15,
    names:
      "reshape permute transpose slice slice flip pad concat stack split windows broadcastTo expandDims squeeze gather take scatter scatterAdd dynamicSlice dynamicUpdate full iota zeros ones sum max add mul where cumsum sort oneHot segmentSum matmul",
    steps: [4, 10],
    inner: 6,
  },
  /** Transformations in transformations. */
  functions: {
    share: 0.15,
    names:
      "grad valueAndGradient gradient vmap scan customGradient stopGradient add mul sub sum max cumsum take slice matmul dynamicUpdate dynamicSlice where gt scatter scatterAdd segmentSum stack concat prod tanh sort cumprod",
    steps: [2, 4],
    inner: 6,
  },
};

function styleOf(r: Random): keyof typeof styles {
  let at = r.next();
  for (const [name, { share }] of Object.entries(styles)) if ((at -= share) < 0) return name;
  return "pairs";
}

/** The program of a seed and a number. */
export function generate(seed: number, index: number): { program: Program; failures: readonly string[] } {
  const r = new Random(seed, index);
  const style = styleOf(r);
  const { names, steps, inner } = styles[style];
  const kind = r.next();
  const flavour: Flavour = kind < 0.55 ? "whole" : kind < 0.85 ? "usual" : "special";
  const shared: Shared = {
    r,
    flavour,
    limit: r.chance(0.02) && style !== "functions" ? 40000 : r.chance(0.2) ? 4000 : 700,
    empty: r.chance(0.06),
    env: new Map(),
    inputs: [],
    nextId: 0,
    ...(names ? { names: names.split(" ") } : {}),
    inner,
    failures: [],
    depth: 0,
  };
  const b = new Builder(shared);
  if (style === "pairs") around(b, seed, index);
  else {
    // Compatible shapes: rows, columns and the whole of one matrix.
    const whole = b.shape(1, 3);
    for (let i = r.whole(2, 4); i > 0; i--)
      b.input(
        i === 2
          ? whole
          : whole.slice(r.chance(0.3) ? r.whole(0, whole.length - 1) : 0).map((d) => (r.chance(0.3) ? 1 : d)),
        r.chance(0.85) ? "f32" : r.pick(["i32", "bool"]),
      );
    for (let i = r.whole(...steps); i > 0; i--)
      step(b, name(b), r.chance(0.5) ? b.pool[b.pool.length - 1] : undefined);
  }
  return { program: finish(b, seed, index), failures: shared.failures };
}

function around(b: Builder, seed: number, index: number): void {
  const { r } = b;
  for (let i = r.whole(1, 2); i > 0; i--)
    b.input(b.shape(), r.pick(["f32", "f32", "f32", "i32", "u32", "u8", "bool"]));
  for (const [first, second] of plannedPairs(r, seed, index, 2)) {
    let made: Value[] | undefined;
    for (let tries = 0; tries < 3 && !made; tries++)
      made = step(b, first, r.chance(0.5) ? b.pool[b.pool.length - 1] : undefined);
    if (made) {
      const from = r.pick(made);
      if (!step(b, second, from)) step(b, second, from);
    }
    grow(b, r.whole(0, 1));
  }
}

/** Chooses results and donated arguments, and drops unused nodes. */
function finish(b: Builder, seed: number, index: number): Program {
  const { r, shared } = b;
  if (!b.nodes.length)
    b.emit("add", [{ $: b.pool[0].id }, { $: b.pool[0].id }]) ?? b.emit("zerosLike", [{ $: b.pool[0].id }]);
  const inputs: Input[] = shared.inputs.map((i) => {
    if (i.role !== "argument" || !r.chance(0.35)) return i;
    const next = successor(b, i);
    return next ? { ...i, role: "state", next: next.id } : i;
  });
  const used = new Set(
    b.nodes.flatMap((n) => [...refsOf(n.args as Arg), ...(n.blocks ?? []).flatMap(usedIn)]),
  );
  const made = b.nodes.flatMap((n) => n.outs.map((out) => out.id));
  const outputs = made.filter((id) => !used.has(id) || r.chance(0.25)).slice(-8);
  return prune({ seed, index, inputs, nodes: b.nodes, outputs });
}

function successor(b: Builder, i: Input): Value | undefined {
  const alike = b.pool.filter(
    (v) =>
      v.id !== i.id &&
      v.op !== "input" &&
      v.tensor.dtype === i.dtype &&
      String(v.tensor.shape) === String(i.shape),
  );
  if (alike.length) return b.r.pick(alike);
  const x = { $: i.id };
  if (i.dtype === "bool") return b.emit("not", [x])?.[0];
  return b.emit(b.r.pick(["add", "maximum", "minimum"]), [
    x,
    i.dtype === "f32" ? b.r.pick([1, -1, 0.5]) : 1,
  ])?.[0];
}

export function usedIn(block: Block): number[] {
  return [
    ...refsOf(block.result),
    ...block.nodes.flatMap((n) => [...refsOf(n.args as Arg), ...(n.blocks ?? []).flatMap(usedIn)]),
  ];
}

/** The program without nodes that its results do not need. */
export function prune(p: Program): Program {
  const needed = new Set([...p.outputs, ...p.inputs.flatMap((i) => (i.next === undefined ? [] : [i.next]))]);
  const mark = (nodes: readonly Node[]): Node[] => {
    const kept: Node[] = [];
    for (const n of [...nodes].reverse()) {
      if (!n.outs.some((out) => needed.has(out.id))) continue;
      const blocks = n.blocks?.map((block) => {
        for (const id of refsOf(block.result)) needed.add(id);
        return { ...block, nodes: mark(block.nodes) };
      });
      for (const id of refsOf(n.args as Arg)) needed.add(id);
      kept.unshift(blocks ? { ...n, blocks } : n);
    }
    return kept;
  };
  const nodes = mark(p.nodes);
  return { ...p, nodes, inputs: p.inputs.filter((i) => i.role === "state" || needed.has(i.id)) };
}
