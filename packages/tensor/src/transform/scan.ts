import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { currentGraph, Graph, type Node, tracing } from "../graph.ts";
import { add, cast, lt, where } from "../ops/arithmetic.ts";
import { asTensor, type TensorLike } from "../ops/check.ts";
import { full, iota, reshape, slice, stack } from "../ops/movement.ts";
import { sameShape, show } from "../shape.ts";
import { nodeIn, Tensor } from "../tensor.ts";
import { leaves, leavesLike, rebuild, type Tree, treeMap } from "../tree.ts";
import { eagerGradient, pullback } from "./gradient.ts";
import { replay } from "./replay.ts";

/** A traced loop body: which of its graph's nodes are what. */
export interface ScanBody {
  readonly graph: Graph;
  readonly carryIn: readonly Node[];
  readonly xIn: readonly Node[];
  readonly constIn: readonly Node[];
  readonly carryOut: readonly Node[];
  readonly yOut: readonly Node[];
  readonly length: number;
  readonly reverse: boolean;
  /** The scan node's last input is an i32: how many of the `length` iterations are run. */
  readonly counted: boolean;
}

export interface ScanOptions {
  /** Number of iterations; needed when there is no `xs`. */
  length?: number;
  /** From the last element to the first. */
  reverse?: boolean;
  /** How many iterations to run, known only at run time (i32 scalar, at most `length`); the rest of `ys` is zero. */
  count?: TensorLike;
}

/**
 * A loop with carried state: `body(carry, x)` returns `[carry, y]` and is run once per element of the first axis of `xs`. The
 * results `y` are stacked. Differentiable; compiled into one loop, whatever the length.
 */
export function scan<C extends Tree, X extends Tree, Y extends Tree>(
  body: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  options: ScanOptions = {},
): { carry: C; ys: Y } {
  const inputs = leaves(xs);
  const length =
    options.length ?? inputs[0]?.shape[0] ?? fail("scan", "needs xs or a length to know how often to run.");
  for (const x of inputs)
    if (x.shape[0] !== length)
      fail("scan", `xs ${show(x.shape)} do not have ${length} elements on their first axis.`);
  if (options.reverse && options.count !== undefined)
    return maskedScan(body, init, xs, length, options.count);
  if (!currentGraph()) return eagerScan(body, init, xs, length, options);
  const { carry, ys } = tracedScan(body, init, xs, length, options);
  return { carry, ys };
}

/** Backwards from an element known only at run time: all iterations run, and those beyond the count change nothing. */
function maskedScan<C extends Tree, X extends Tree, Y extends Tree>(
  body: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  length: number,
  count: TensorLike,
) {
  const ran = lt(iota([length]), asTensor(count, "scan", "i32"));
  return scan<C, { x: X; ran: Tensor }, Y>(
    (carry, at) => {
      const [next, y] = body(carry, at.x);
      return [
        treeMap((a, b) => where(at.ran, a, b), next, carry),
        treeMap((t) => where(at.ran, t, full(t.shape, 0, t.dtype)), y),
      ];
    },
    init,
    { x: xs, ran },
    { length, reverse: true },
  );
}

const row = (x: Tensor, t: number) => reshape(slice(x, [[t, t + 1]]), x.shape.slice(1));

function eagerScan<C extends Tree, X extends Tree, Y extends Tree>(
  body: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  length: number,
  { reverse, count }: ScanOptions,
) {
  const n = count === undefined ? length : Math.max(0, Math.min(length, countOf(count).item()));
  // Without an iteration only a trace knows the results' shapes.
  if (n === 0) {
    return eagerGradient(() => {
      const { carry, ys } = tracedScan(body, init, xs, length, { reverse, count });
      return { carry, ys };
    });
  }
  let carry = init;
  const results: (Y | undefined)[] = new Array(length).fill(undefined);
  for (let i = 0; i < n; i++) {
    const t = reverse ? n - 1 - i : i;
    const [next, y] = body(
      carry,
      rebuild(
        xs,
        leaves(xs).map((x) => row(x, t)),
      ),
    );
    const carried = carryLike(init, next);
    checkCarry(leaves(carry), carried);
    carry = rebuild(init, carried);
    results[t] = y;
  }
  const sample = results[0] as Y;
  const zero = leaves(sample).map((t) => full(t.shape, 0, t.dtype));
  const columns = results.map((r, t) =>
    t < n ? leavesLike(sample, r, "scan", "what the body returned") : zero,
  );
  return {
    carry,
    ys: rebuild(
      sample,
      leaves(sample).map((_, k) => stack(columns.map((c) => c[k]))),
    ) as Y,
  };
}

function countOf(count: TensorLike): Tensor {
  const t = asTensor(count, "scan", "i32");
  if (t.dtype !== "i32" || t.size !== 1)
    fail("scan", `the count is an i32 scalar, but got ${t.dtype}${show(t.shape)}.`);
  return reshape(t, []);
}

/** What a body returned as its carry, in the order of the first one. */
const carryLike = (init: Tree, next: Tree) =>
  leavesLike(init, next, "scan", "the carry that the body returned");

type Typed = Pick<Tensor, "shape" | "dtype">;
function checkCarry(before: readonly Typed[], after: readonly Typed[]): void {
  after.forEach((n, i) => {
    if (n.dtype !== before[i].dtype || !sameShape(n.shape, before[i].shape)) {
      fail(
        "scan",
        `the body turns a carried ${before[i].dtype}${show(before[i].shape)} into ${n.dtype}${show(n.shape)}: it must stay the same.`,
      );
    }
  });
}

/** @internal Adds a loop to the graph being traced. `starts` are the stacked carries that iterations began with. */
export function tracedScan<C extends Tree, X extends Tree, Y extends Tree>(
  fn: (carry: C, x: X) => readonly [C, Y],
  init: C,
  xs: X,
  length: number,
  options: ScanOptions,
) {
  const parent = currentGraph()!;
  const graph = new Graph(parent);
  const [carries, inputs] = [leaves(init), leaves(xs)];
  const carryIn = carries.map((c) => graph.input(c.shape, c.dtype));
  const xIn = inputs.map((x) => graph.input(x.shape.slice(1), x.dtype));
  const { y, carryOut, yOut } = tracing(graph, () => {
    const wrap = (nodes: Node[]) => nodes.map((n) => new Tensor(n));
    const [carry, y] = fn(rebuild(init, wrap(carryIn)), rebuild(xs, wrap(xIn)));
    const own = (t: Tensor) => nodeIn(graph, t, "scan");
    return { y, carryOut: carryLike(init, carry).map(own), yOut: leaves(y).map(own) };
  });
  checkCarry(carryIn, carryOut);
  const constants = graph.captures.map((c) => c.tensor as Tensor);
  const count = options.count === undefined ? [] : [countOf(options.count)];
  const b: ScanBody = {
    graph,
    carryIn,
    xIn,
    constIn: graph.captures.map((c) => c.node),
    carryOut,
    yOut,
    length,
    reverse: !!options.reverse,
    counted: count.length > 0,
  };
  const outs =
    length === 0 ? noLoop(b, carries) : scanNode(b, [...carries, ...inputs, ...constants, ...count]);
  const nc = carryIn.length;
  return {
    carry: rebuild(init, outs.slice(0, nc)),
    ys: rebuild(y, outs.slice(nc, nc + yOut.length)),
    starts: outs.slice(nc + yOut.length),
  };
}

/** What {@link scanNode} gives where there is no iteration: the carries as they came, and nothing stacked. */
function noLoop({ yOut, carryIn }: ScanBody, carries: readonly Tensor[]): Tensor[] {
  return [
    ...carries.map((c) => apply("identity", [c], {}, c.shape, c.dtype)),
    ...[...yOut, ...carryIn].map((n) => full([0, ...n.shape], 0, n.dtype)),
  ];
}

/** Final carries, stacked results, and (for the gradient; free unless used) the stacked carries that iterations began with. */
function scanNode(body: ScanBody, inputs: readonly Tensor[]): Tensor[] {
  const node = apply("scan", inputs, { body }, [], "f32");
  const at = (n: Node) => [body.length, ...n.shape];
  const shapes = [...body.carryOut.map((n) => n.shape), ...body.yOut.map(at), ...body.carryIn.map(at)];
  const types = [...body.carryOut, ...body.yOut, ...body.carryIn].map((n) => n.dtype);
  return shapes.map((shape, index) => apply("element", [node], { index }, shape, types[index]));
}

/** The gradient of a loop is a loop backwards, which computes each iteration again from the carry it began with. */
export function scanGradient(node: Node, gs: (Tensor | null | undefined)[]): (Tensor | null)[] {
  const body = node.attributes.body as ScanBody;
  const { carryIn, xIn, constIn, carryOut, yOut, length } = body;
  const inputs = node.inputs.map((n) => new Tensor(n));
  const [nc, nx, nk] = [carryIn.length, xIn.length, constIn.length];
  const float = (n: Node) => n.dtype === "f32";
  const starts = carryIn.map((n, i) =>
    apply("element", [new Tensor(node)], { index: nc + yOut.length + i }, [length, ...n.shape], n.dtype),
  );
  const gCarry = carryIn.flatMap((n, i) => (float(n) ? [gs[i] ?? full(n.shape, 0)] : []));
  const gConst = constIn.filter(float).map((n) => full(n.shape, 0));
  // Second derivatives come back through the carries that iterations began with: they join the carry's gradient there.
  const firstStart = nc + yOut.length;
  const joins = carryIn.flatMap((n, i) =>
    float(n) && gs[firstStart + i] ? [carryIn.slice(0, i).filter(float).length] : [],
  );
  const gStart = carryIn.flatMap((n, i) => (float(n) ? (gs[firstStart + i] ?? []) : []));
  const gY = yOut.flatMap((n, i) => (float(n) ? [gs[nc + i] ?? full([length, ...n.shape], 0)] : []));
  // With a run-time count, iterations that were not run pass gradients through unchanged.
  const ran = body.counted ? lt(iota([length]), inputs[inputs.length - 1]) : cast(full([length], 1), "bool");
  type Carry = { carry: Tensor[]; constant: Tensor[] };
  const back = scan<
    Carry,
    { start: Tensor[]; x: Tensor[]; gy: Tensor[]; gStart: Tensor[]; ran: Tensor },
    Tensor[]
  >(
    (g, at) => {
      const own = [...at.start, ...at.x, ...inputs.slice(nc + nx, nc + nx + nk)].map((t, i) =>
        apply("identity", [t], { scan: node.id, i }, t.shape, t.dtype),
      );
      const outs = replay(body.graph, [...carryOut, ...yOut], own);
      const floats = outs.filter((t) => t.dtype === "f32");
      const wanted = own.filter((t) => t.dtype === "f32");
      const ds = pullback(floats, [...g.carry, ...at.gy], wanted).map((d, i) => {
        const zero = full(wanted[i].shape, 0);
        return d ? (body.counted ? where(at.ran, d, zero) : d) : zero;
      });
      const fc = g.carry.length;
      const fx = at.x.filter((t) => t.dtype === "f32").length;
      const carry = ds.slice(0, fc).map((d, i) => {
        const whole = joins.includes(i) ? add(d, at.gStart[joins.indexOf(i)]) : d;
        return body.counted ? where(at.ran, whole, g.carry[i]) : whole;
      });
      const constant = ds.slice(fc + fx).map((d, i) => add(g.constant[i], d));
      return [{ carry, constant }, ds.slice(fc, fc + fx)];
    },
    { carry: gCarry, constant: gConst },
    { start: starts, x: inputs.slice(nc, nc + nx), gy: gY, gStart, ran },
    { length, reverse: !body.reverse },
  );
  const spread = (nodes: readonly Node[], ts: Tensor[]) => {
    let k = 0;
    return nodes.map((n) => (float(n) ? ts[k++] : null));
  };
  return [
    ...spread(carryIn, back.carry.carry),
    ...spread(xIn, back.ys),
    ...spread(constIn, back.carry.constant),
    ...(body.counted ? [null] : []),
  ];
}
