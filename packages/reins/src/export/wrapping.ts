import { type Box, type EnvSpec, fail, type Space } from "@reins/core";
import { flatten } from "@reins/core/spaces";
import { add, clamp, maximum, minimum, mul, reshape, sub, Tensor, type Tree, tensor } from "@reins/tensor";
import type { AgentContent } from "../agents/agent-file.ts";
import { still } from "../agents/pilot.ts";
import { kindOf, type WrapperState, Wrapping } from "../places/wrappers.ts";

/** The wrappers of an agent as tensor operations on observations and actions. */
export interface TracedWrappers {
  observe(observation: Tree): Tree;
  execute(action: Tree): Tree;
}

/** Traces one wrapper; `inner` is the spec of the wrapped environment. */
type Traced = (wrapper: WrapperState, inner: EnvSpec) => Partial<TracedWrappers>;

/** Default clip and epsilon of `normaliseObservation`. */
const [cut, epsilon] = [10, 1e-8];

const traced: { readonly [name: string]: Traced } = {
  clipReward: () => ({}),
  normaliseReward: () => ({}),
  counts: () => ({}),
  disagreement: () => ({}),
  icm: () => ({}),
  rnd: () => ({}),
  clipAction: (_, { action }) => {
    const [low, high] = boundsOf(action).map(row);
    return { execute: (a) => minimum(maximum(leaf(a), low), high) };
  },
  rescaleAction: (_, { action }) => {
    const [low, high] = boundsOf(action);
    const half = low.map((l, i) => (high[i] - l) / 2);
    const [slope, middle] = [row(half), row(half.map((s, i) => low[i] + s))];
    return { execute: (a) => add(mul(leaf(a), slope), middle) };
  },
  rescaleObservation: (_, { observation }) => {
    const [low, high] = boundsOf(observation);
    const slope = row(low.map((l, i) => (high[i] > l ? 2 / (high[i] - l) : 0)));
    const above = less(low);
    return { observe: (x) => sub(mul(above(leaf(x)), slope), 1) };
  },
  flattenObservation: (_, { observation }) => ({ observe: (x) => flatten(observation, x) }),
  normaliseObservation: ({ name, statistics }) => {
    if (!statistics)
      return fail(name, "the agent has no mean and variance. Save it again where it was trained.");
    const centred = less(Array.from(statistics.mean));
    const scale = row(Array.from(statistics.variance, (v) => 1 / Math.sqrt(v + epsilon)));
    return { observe: (x) => clamp(mul(centred(leaf(x)), scale), -cut, cut) };
  },
};

/** Traces the wrappers of an agent. Throws on unsupported ones. */
export function aroundOf(
  { wrappers, spec }: Pick<AgentContent, "wrappers" | "spec">,
  source: string,
): TracedWrappers {
  const names = wrappers.map((w) => w.name);
  const unknown = names.find((name) => !Object.hasOwn(traced, kindOf(name)));
  if (unknown !== undefined)
    fail(
      source,
      `exports do not support the wrapper ${unknown}. Save the agent with agent.save(), which loadAgent reads.`,
    );
  const all = wrappers.map((wrapper, i) => {
    const inner = new Wrapping(names.slice(0, i), wrappers.slice(0, i)).evaluate(still(spec)).spec;
    return shaped(traced[kindOf(wrapper.name)](wrapper, inner), inner);
  });
  return {
    observe: (x) => all.reduce((seen, { observe }) => observe?.(seen) ?? seen, x),
    execute: (a) => all.reduceRight((done, { execute }) => execute?.(done) ?? done, a),
  };
}

/** Flattens boxes for wrappers, which work on rows of numbers. */
function shaped(
  { observe, execute }: Partial<TracedWrappers>,
  { observation, action }: EnvSpec,
): Partial<TracedWrappers> {
  const flatly = (space: Space, f: (x: Tree) => Tree) => (x: Tree) => {
    if (space.kind !== "box" || space.shape.length === 1) return f(x);
    const { shape } = leaf(x);
    const size = space.shape.reduce((n, d) => n * d, 1);
    return reshape(leaf(f(reshape(leaf(x), [shape[0], size]))), shape);
  };
  return {
    ...(observe ? { observe: observation.kind === "box" ? flatly(observation, observe) : observe } : {}),
    ...(execute ? { execute: flatly(action, execute) } : {}),
  };
}

const leaf = (x: Tree): Tensor =>
  x instanceof Tensor ? x : fail("export", "a box must be a single tensor.");
const row = (numbers: readonly number[]): Tensor => tensor(Float32Array.from(numbers));

/** Computes x - y with y in double precision: the difference to a large mean would lose precision in 32 bits. */
function less(y: readonly number[]): (x: Tensor) => Tensor {
  const near = y.map(Math.fround);
  const [high, low] = [row(near), row(y.map((v, i) => v - near[i]))];
  return (x) => sub(sub(x, high), low);
}

/** The bounds of each element of a box. */
function boundsOf(space: Space): [low: number[], high: number[]] {
  const { shape, low, high } = space as Box;
  const size = shape.reduce((n, d) => n * d, 1);
  const all = (bound: Box["low"]) =>
    Array.from({ length: size }, (_, i) => (typeof bound === "number" ? bound : bound[i]));
  return [all(low), all(high)];
}
