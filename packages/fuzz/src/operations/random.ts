import { type Builder, ref } from "../builder.ts";
import type { Arg } from "../program.ts";
import { args, type Maker } from "./maker.ts";

/** A key: an input, one derived from another, or a constant. */
function key(b: Builder): Arg {
  const found = b.find((t) => t.dtype === "u32" && t.rank === 1 && t.shape[0] === 2);
  if (found) return ref(found);
  return ref(b.input([2], "u32", () => [b.r.whole(0, 9), b.r.whole(0, 1000000)]));
}
const shape = (b: Builder) => b.shape(0, 3, 300);
const sampler: Maker = (b) => args(key(b), shape(b));
const positive = (b: Builder) => {
  const x = b.float(1, 2, (t) => t.size < 300);
  const y = b.emit("abs", [ref(x)]);
  const z = y && b.emit("add", [ref(y[0]), 0.5]);
  return ref(z?.[0] ?? x);
};

export const randoms: Readonly<Record<string, Maker>> = {
  "random.key": (b) => args(b.r.whole(0, 2 ** 40)),
  "random.splitKey": (b) => args(key(b), b.r.whole(1, 4)),
  "random.foldKey": (b) =>
    args(key(b), b.r.chance(0.5) ? b.r.whole(0, 99) : ref(b.any(["i32", "u32"], 0, 0))),
  "random.bits": sampler,
  "random.normal": sampler,
  "random.exponential": sampler,
  "random.gumbel": sampler,
  "random.uniform": (b) =>
    b.r.chance(0.5)
      ? args(key(b), shape(b))
      : args(key(b), shape(b), -1, b.r.chance(0.5) ? 3 : ref(b.any(["f32"], 0, 0))),
  "random.randint": (b) => args(key(b), shape(b), b.r.whole(-3, 0), b.r.whole(1, 9)),
  "random.bernoulli": (b) =>
    b.r.chance(0.4) ? args(key(b), 0.3, shape(b)) : args(key(b), ref(b.float(0, 3))),
  "random.categorical": (b) => {
    const x = b.float(1, 3, (t) => t.size > 0);
    return args(key(b), ref(x), b.axis(x.tensor));
  },
  "random.permutation": (b) => args(key(b), b.r.pick([1, 2, 7, 17, 33])),
  "random.truncatedNormal": (b) => args(key(b), shape(b), -b.r.whole(1, 3), b.r.whole(0, 2)),
  "random.gamma": (b) => args(key(b), positive(b)),
  "random.beta": (b) => {
    const a = b.float(1, 2, (t) => t.size < 200);
    const [p, q] = [b.emit("exp", [ref(a)]), b.emit("softplus", [ref(a)])];
    return p && q ? args(key(b), ref(p[0]), ref(q[0])) : undefined;
  },
  "random.dirichlet": (b) => args(key(b), positive(b)),
};
