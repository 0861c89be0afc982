import { all, Builder, ref, type Value } from "../builder.ts";
import type { Tensor } from "../internals.ts";
import * as o from "../internals.ts";
import { type Arg, type Block, refsOf } from "../program.ts";
import type { Maker } from "./maker.ts";

/** Adds random operations to a builder; passed in by the generator, which has all of them. */
export type Grow = (b: Builder, steps: number) => void;

/** A parameter of a function under construction: a new value with a sample. */
function parameter(b: Builder, tensor: Tensor): Value {
  const value = { id: b.shared.nextId++, tensor, op: "parameter" };
  b.shared.env.set(value.id, tensor);
  return value;
}

/** A builder for a function with these parameters; it may capture a few outer values. */
function inside(b: Builder, params: readonly Value[]): Builder {
  const outer = b.pool.filter(() => b.r.chance(0.25)).slice(-3);
  return new Builder(b.shared, [...outer, ...params]);
}

const made = (b: Builder): Value[] => {
  const ids = new Set(b.nodes.flatMap((n) => n.outs.map((out) => out.id)));
  return b.pool.filter((v) => ids.has(v.id));
};

/** A scalar of a function's results that depends on its parameters. */
function loss(b: Builder, params: readonly Value[]): Value | undefined {
  const floats = made(b).filter((v) => v.tensor.dtype === "f32");
  const some = b.r.shuffled(floats).slice(0, 2);
  if (!some.length || b.r.chance(0.3)) some.push(params[0]);
  const sums = some
    .map((v) => b.emit(b.r.chance(0.8) ? "sum" : "mean", [ref(v)])?.[0])
    .filter((v) => v !== undefined);
  if (sums.length < 2) return sums[0];
  return b.emit(b.r.chance(0.7) ? "add" : "mul", [ref(sums[0]), ref(sums[1])])?.[0];
}

function differentiated(grow: Grow, aux: boolean): Maker {
  return (b) => {
    const xs = Array.from({ length: b.r.whole(1, 2) }, () => b.float(0, 4, (t) => t.size < 2000));
    const rest = b.r.chance(0.3) ? [b.any()] : [];
    const params = xs.map((v) => parameter(b, v.tensor));
    const others = rest.map((v) => parameter(b, v.tensor));
    const body = inside(b, [...params, ...others]);
    body.must = params[0];
    grow(body, b.r.whole(1, b.shared.inner));
    const y = loss(body, params);
    if (!y) return undefined;
    const result: Arg = aux ? [ref(y), b.r.shuffled(made(body)).slice(0, 2).map(ref)] : ref(y);
    const block: Block = { params: [params.map(ref), ...others.map(ref)], nodes: body.nodes, result };
    return { args: [xs.map(ref), ...rest.map(ref)], blocks: [block] };
  };
}

/** The slice of one member. */
const member = (t: Tensor, axis: number) =>
  o.reshape(
    o.slice(t, t.shape.map((_, i) => (i === axis ? [0, 1] : null)) as [number, number][]),
    t.shape.filter((_, i) => i !== axis),
  );

const mapped =
  (grow: Grow): Maker =>
  (b) => {
    const x = b.any(all, 1, 4, (t) => t.size > 0);
    const axis = b.r.chance(0.5) ? 0 : b.r.whole(0, x.tensor.rank - 1);
    const count = x.tensor.shape[axis];
    const list: { v: Value; axis: number | null }[] = [{ v: x, axis }];
    if (b.r.chance(0.6)) {
      const y =
        b.find((t) => t.size > 0 && t.shape.includes(count)) ?? b.source([count, b.r.pick([1, 2, 3])], "f32");
      list.push({ v: y, axis: y.tensor.shape.indexOf(count) });
    }
    if (b.r.chance(0.3)) list.push({ v: b.any(all, 0, 3), axis: null });
    const params = list.map(({ v, axis: a }) => parameter(b, a === null ? v.tensor : member(v.tensor, a)));
    const body = inside(b, params);
    body.must = params[0];
    grow(body, b.r.whole(1, b.shared.inner));
    const results = b.r.shuffled(made(body)).slice(0, 3);
    if (!results.length) return undefined;
    const options: Record<string, Arg> = {};
    if (list.some((l) => l.axis !== 0) || b.r.chance(0.5)) options.in = list.map((l) => l.axis);
    return {
      args: [...list.map(({ v }) => ref(v)), options],
      blocks: [{ params: params.map(ref), nodes: body.nodes, result: results.map(ref) }],
    };
  };

/** A value like `v` from those of a loop's body: its next carry. */
function successor(b: Builder, v: Value): Value | undefined {
  const same = made(b).filter(
    (w) => w.tensor.dtype === v.tensor.dtype && String(w.tensor.shape) === String(v.tensor.shape),
  );
  if (same.length && b.r.chance(0.8)) return b.r.pick(same);
  if (b.r.chance(0.15)) return v;
  const { dtype, shape } = v.tensor;
  const other = b.find(
    (t) =>
      t.dtype === dtype &&
      t.rank <= shape.length &&
      t.shape.every((d, i) => d === 1 || d === shape[shape.length - t.rank + i]),
  );
  if (dtype === "bool") return b.emit("xor", [ref(v), ref(other ?? v)])?.[0];
  const next = b.emit(b.r.pick(["add", "sub", "maximum", "minimum"]), [ref(v), other ? ref(other) : 1])?.[0];
  return next && String(next.tensor.shape) === String(shape) ? next : undefined;
}

const looped =
  (grow: Grow): Maker =>
  (b) => {
    const small = (t: Tensor) => t.size < 600;
    const carries = Array.from({ length: b.r.whole(1, 2) }, () => b.any(all, 0, 3, small));
    const first = b.r.chance(0.8) ? b.any(all, 1, 4, (t) => t.size > 0 && t.shape[0] <= 40) : undefined;
    const length = first ? first.tensor.shape[0] : b.r.whole(1, 4);
    const xs = first ? [first] : [];
    if (first && b.r.chance(0.3)) xs.push(b.source([length, ...b.shape(0, 1, 10)], "f32"));
    const carried = carries.map((v) => parameter(b, v.tensor));
    const seen = xs.map((v) => parameter(b, member(v.tensor, 0)));
    const body = inside(b, [...carried, ...seen]);
    body.must = seen[0] ?? carried[0];
    grow(body, b.r.whole(1, b.shared.inner));
    const next = carried.map((v) => successor(body, v));
    if (next.some((v) => !v)) return undefined;
    const ys = b.r.shuffled([...made(body), ...carried, ...seen]).slice(0, b.r.whole(0, 2));
    const options: Record<string, Arg> = first && b.r.chance(0.8) ? {} : { length };
    if (b.r.chance(0.3)) options.reverse = true;
    if (b.r.chance(0.2)) options.count = b.r.chance(0.5) ? b.r.whole(0, length) : b.indices([], length + 1);
    return {
      args: [carries.map(ref), xs.length ? xs.map(ref) : null, options],
      blocks: [
        {
          params: [carried.map(ref), xs.length ? seen.map(ref) : null],
          nodes: body.nodes,
          result: [next.map((v) => ref(v!)), ys.map(ref)],
        },
      ],
    };
  };

/** A function with a custom gradient. It has an effect only when differentiated, so its result often goes into a loss. */
const custom =
  (grow: Grow): Maker =>
  (b) => {
    const xs = Array.from({ length: b.r.whole(1, 2) }, () => b.float(0, 3));
    const params = xs.map((v) => parameter(b, v.tensor));
    const body = inside(b, params);
    body.must = params[0];
    grow(body, b.r.whole(1, 2));
    const y = made(body).find((v) => v.tensor.dtype === "f32");
    if (!y) return undefined;
    const [g, result] = [parameter(b, o.ones(y.tensor.shape)), parameter(b, y.tensor)];
    const inputs = xs.map((v) => parameter(b, v.tensor));
    const rule = new Builder(b.shared, [g, result, ...inputs]);
    const out = inputs.map((x): Arg => {
      if (b.r.chance(0.15)) return null;
      const total = rule.emit("sum", [ref(g)]);
      const d =
        total && rule.emit("mul", [ref(b.r.chance(0.5) ? x : total[0]), ref(b.r.chance(0.5) ? x : total[0])]);
      const wide = d && rule.emit("broadcastTo", [ref(d[0]), x.tensor.shape]);
      return wide
        ? ref(wide[0])
        : d && String(d[0].tensor.shape) === String(x.tensor.shape)
          ? ref(d[0])
          : null;
    });
    return {
      args: xs.map(ref),
      blocks: [
        { params: params.map(ref), nodes: body.nodes, result: ref(y) },
        { params: [g, result, ...inputs].map(ref), nodes: rule.nodes, result: out },
      ],
    };
  };

const inner =
  (grow: Grow): Maker =>
  (b) => {
    const xs = Array.from({ length: b.r.whole(1, 2) }, () => b.any(all, 0, 4));
    const params = xs.map((v) => parameter(b, v.tensor));
    // A compiled function keeps outer tensors as captures, so it accepts no traced ones: parameters only.
    const body = new Builder(b.shared, params);
    body.must = params[0];
    grow(body, b.r.whole(1, 3));
    const results = b.r.shuffled(made(body)).slice(0, 2);
    if (!results.length || usesOthers(body, params)) return undefined;
    return {
      args: xs.map(ref),
      blocks: [{ params: params.map(ref), nodes: body.nodes, result: results.map(ref) }],
    };
  };

function usesOthers(body: Builder, params: readonly Value[]): boolean {
  const own = new Set([
    ...params.map((p) => p.id),
    ...body.nodes.flatMap((n) => n.outs.map((out) => out.id)),
  ]);
  const inputs = new Set(body.shared.inputs.map((i) => i.id));
  return body.nodes.some((n) => refsOf(n.args as Arg).some((id) => !own.has(id) && !inputs.has(id)));
}

export const transforms = (grow: Grow): Readonly<Record<string, Maker>> => ({
  grad: differentiated(grow, false),
  valueAndGradient: differentiated(grow, true),
  gradient: (b) => {
    const found = differentiated(grow, false)(b);
    // Only the list of variables: `gradient` has no further arguments.
    return found && found.args.length === 1 ? found : undefined;
  },
  vmap: mapped(grow),
  scan: looped(grow),
  customGradient: custom(grow),
  treeMap: (b) => {
    const xs = [b.float(), b.float()];
    const p = parameter(b, xs[0].tensor);
    const body = new Builder(b.shared, [p]);
    const y = body.emit(b.r.pick(["neg", "square", "abs", "relu"]), [ref(p)]);
    return y
      ? { args: [xs.map(ref)], blocks: [{ params: [ref(p)], nodes: body.nodes, result: ref(y[0]) }] }
      : undefined;
  },
  compile: inner(grow),
});
