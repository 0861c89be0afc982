import type { Node, NodeOf } from "../graph.ts";
import type { Fusion } from "./fuse.ts";
import { collapse, Emitter, independently, nest, shareOf, shares } from "./loops.ts";
import type { Lowered } from "./lowered-kernel.ts";
import { addressOf, stridedView, whole } from "./strided-view.ts";

/** Columns per work item. */
const block = 64;

/** Adds (or writes) a source into the result at positions read from memory, in the source's order along the axis. */
export function scatterKernel(
  node: NodeOf<"scatter" | "scatterAdd">,
  indices: Node,
  source: Node,
  fusion: Fusion,
  adds: boolean,
): Lowered {
  const { axis } = node.attributes;
  const [from, at] = [stridedView(source, fusion), stridedView(indices, fusion)];
  const out = whole(node);
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const shape = source.shape;
  const target = { constant: 0, coefficients: out.strides.map((s, i) => (i === axis ? 0 : s)) };
  const accesses = [addressOf(from), addressOf(at), target];
  const pick = (f: (i: number) => boolean) =>
    collapse(
      shape,
      shape.flatMap((d, i) => (d !== 1 && f(i) ? [i] : [])),
      accesses,
    );
  const [outer, along, inner] = [pick((i) => i < axis), pick((i) => i === axis), pick((i) => i > axis)];
  const parallel = b.parallel();
  const blocked = outer.length === 0 && inner.length === 1 && inner[0].extent > block;
  if (outer[0]) e.variables.set(outer[0].dim, parallel);
  const visit = () => {
    const raw = e.load(at.base, addressOf(at));
    const position = b.op(
      "i32",
      "min",
      b.op("i32", "max", raw, b.constant("i32", 0)),
      b.constant("i32", node.shape[axis] - 1),
    );
    const v = e.load(from.base, addressOf(from));
    const index = e.index(target, { value: position, coefficient: out.strides[axis] });
    const p = e.param(node);
    b.store(p, index, adds ? b.fresh(v.type, "add", b.freshLoad(p, index), v) : v);
  };
  independently(e, outer.slice(1), false, () => {
    nest(e, along, false, () => {
      if (!blocked) return nest(e, inner, true, visit);
      shareOf(e, inner[0], block, parallel, visit);
    });
  });
  const extent = blocked ? shares(inner[0], block) : (outer[0]?.extent ?? 1);
  const kernel = { ...b.kernel(parallel, node.op), columns: true };
  return { kernel, args: e.args, extent, scratchBytes: e.scratchBytes };
}

/** Adds sliding windows back into the axis they were taken from: for each position in the window, all windows at once. */
export function overlapKernel(node: NodeOf<"overlapAdd">, fusion: Fusion): Lowered {
  const { axis, stride, dilation } = node.attributes;
  const from = stridedView(node.inputs[0], fusion);
  const out = whole(node);
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const s = out.strides;
  const target = {
    constant: 0,
    coefficients: [...s.slice(0, axis), s[axis] * stride, s[axis] * dilation, ...s.slice(axis + 1)],
  };
  const shape = from.shape;
  const pick = (f: (i: number) => boolean) =>
    collapse(
      shape,
      shape.flatMap((d, i) => (d !== 1 && f(i) ? [i] : [])),
      [addressOf(from), target],
    );
  const [outer, tap, rest] = [
    pick((i) => i < axis),
    pick((i) => i === axis + 1),
    pick((i) => i === axis || i > axis + 1),
  ];
  const parallel = b.parallel();
  if (outer[0]) e.variables.set(outer[0].dim, parallel);
  nest(e, [...outer.slice(1), ...tap], false, () => {
    nest(e, rest, true, () => {
      const v = e.load(from.base, addressOf(from));
      const p = e.param(node);
      b.store(p, e.index(target), b.fresh(v.type, "add", b.freshLoad(p, e.index(target)), v));
    });
  });
  return {
    kernel: b.kernel(parallel, "overlapAdd"),
    args: e.args,
    extent: outer[0]?.extent ?? 1,
    scratchBytes: 0,
  };
}

/** Running sums or products along an axis. */
export function cumulativeKernel(node: NodeOf<"cumsum" | "cumprod">, fusion: Fusion): Lowered {
  const { axis, reverse } = node.attributes;
  const from = stridedView(node.inputs[0], fusion);
  const n = node.shape[axis];
  const turn = (a: { constant: number; coefficients: readonly number[] }, shift: number) => {
    const c = a.coefficients[axis];
    const base = reverse
      ? {
          constant: a.constant + c * (n - 1),
          coefficients: a.coefficients.map((v, i) => (i === axis ? -v : v)),
        }
      : a;
    return { ...base, constant: base.constant + shift * base.coefficients[axis] };
  };
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const [x, y] = [addressOf(from), addressOf(whole(node))];
  const shape = node.shape;
  const pick = (f: (i: number) => boolean) =>
    collapse(
      shape,
      shape.flatMap((d, i) => (d !== 1 && f(i) ? [i] : [])),
      [x, y],
    );
  const [outer, inner] = [pick((i) => i < axis), pick((i) => i > axis)];
  const parallel = b.parallel();
  if (outer[0]) e.variables.set(outer[0].dim, parallel);
  const op = node.op === "cumsum" ? "add" : "mul";
  independently(e, outer.slice(1), false, () => {
    nest(e, inner, true, () => {
      const first = e.load(from.base, turn(x, 0));
      // A sum starts at 0 everywhere: the sum of negative zeros is zero.
      const sums = op === "add" && node.dtype === "f32";
      b.store(
        e.param(node),
        e.index(turn(y, 0)),
        sums ? b.fresh("f32", "add", first, b.constant("f32", 0)) : first,
      );
    });
    b.loop(n - 1, false, (t) => {
      e.variables.set(axis, t);
      nest(e, inner, true, () => {
        const previous = b.freshLoad(e.param(node), e.index(turn(y, 0)));
        b.store(
          e.param(node),
          e.index(turn(y, 1)),
          b.fresh(previous.type, op, previous, e.load(from.base, turn(x, 1))),
        );
      });
      e.variables.delete(axis);
    });
  });
  return {
    kernel: b.kernel(parallel, node.op),
    args: e.args,
    extent: outer[0]?.extent ?? 1,
    scratchBytes: 0,
  };
}

/** The position of the largest or smallest element along an axis, one line at a time. */
export function argumentKernel(node: NodeOf<"argmax" | "argmin">, fusion: Fusion): Lowered {
  const { axis } = node.attributes;
  const from = stridedView(node.inputs[0], fusion);
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const shape = from.shape;
  const x = addressOf(from);
  const kept = whole(node).strides;
  const y = { constant: 0, coefficients: [...kept.slice(0, axis), 0, ...kept.slice(axis)] };
  const loops = collapse(
    shape,
    shape.flatMap((d, i) => (d !== 1 && i !== axis ? [i] : [])),
    [x, y],
  );
  const parallel = b.parallel();
  if (loops[0]) e.variables.set(loops[0].dim, parallel);
  independently(e, loops.slice(1), false, () => {
    const best = b.variable(b.freshLoad(e.param(from.base), e.index(x)));
    const where = b.variable(b.constant("i32", 0));
    b.loop(shape[axis], false, (i) => {
      e.variables.set(axis, i);
      const v = b.load(e.param(from.base), e.index(x));
      const better = b.fresh(v.type, node.op === "argmax" ? "gt" : "lt", v, best);
      b.assign(where, b.fresh("i32", "select", better, i, where));
      b.assign(best, b.fresh(v.type, "select", better, v, best));
      e.variables.delete(axis);
    });
    b.store(e.param(node), e.index(y), where);
  });
  return {
    kernel: b.kernel(parallel, node.op),
    args: e.args,
    extent: loops[0]?.extent ?? 1,
    scratchBytes: 0,
  };
}
