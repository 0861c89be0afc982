import { add, broadcastTo, clamp, mul, slice, type Tensor, type Tree, tensor, zeros } from "@reins/tensor";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";
import type { Box, Space } from "../space.ts";

type Distribution = nn.Distribution<Tree>;

/** How a network's outputs become a distribution over actions, for one action space. */
export interface Head {
  /** Numbers that the network must give. */
  readonly outputs: number;
  /** Parameters beside the network's: a spread that does not depend on the state. */
  init(): Tree;
  /** The distribution of *raw* actions. */
  distribution(params: Tree, outputs: Tensor, mask?: Tree): Distribution;
  /** What the environment is given for a raw action: clipped and scaled to its bounds. */
  execute(raw: Tree): Tree;
  /** Whether what is executed differs from the raw action, which must then be kept. */
  readonly maps: boolean;
}

/** Settings of {@link headFor}. */
export interface HeadOptions {
  /** For continuous actions: "normal" is clipped to the bounds, "tanh" is squashed into them, "beta" lives within them. */
  continuous?: "normal" | "tanh" | "beta";
  /** First logarithm of the spread of normal actions, in units of half the range; lower explores less (-2 to 0). */
  logStd?: number;
}

/** The head that fits an action space. */
export function headFor(space: Space, options: HeadOptions = {}): Head {
  switch (space.kind) {
    case "discrete":
      return {
        outputs: space.n,
        init: () => ({}),
        distribution: (_, logits, mask) =>
          nn.distributions.categorical({ logits, mask: mask as Tensor }) as never,
        execute: (raw) => (space.start === 0 ? raw : add(raw as Tensor, space.start)),
        maps: space.start !== 0,
      };
    case "multiDiscrete":
      return {
        outputs: space.sizes.reduce((a, b) => a + b, 0),
        init: () => ({}),
        distribution: (_, logits, mask) =>
          nn.distributions.multiCategorical({
            logits,
            sizes: space.sizes as number[],
            mask: mask as Tensor,
          }) as never,
        execute: (raw) => raw,
        maps: false,
      };
    case "multiBinary":
      return {
        outputs: space.n,
        init: () => ({}),
        distribution: (_, logits) => nn.distributions.bernoulli({ logits }) as never,
        execute: (raw) => raw,
        maps: false,
      };
    case "box":
      return continuousHead(space, options);
    case "dict":
      return jointHead(Object.entries(space.spaces), options, (parts) => Object.fromEntries(parts));
    case "tuple":
      return jointHead(
        space.spaces.map((s, i) => [String(i), s]),
        options,
        (parts) => parts.map(([, x]) => x),
      );
    case "simplex":
      return {
        outputs: space.n,
        init: () => ({}),
        distribution: (_, x) =>
          nn.distributions.dirichlet({ concentration: add(clamp(x, -10, 10).exp(), 1e-3) }) as never,
        execute: (raw) => raw,
        maps: false,
      };
    default:
      return fail(
        "policy",
        `no distribution fits ${space.kind} actions. Write a Policy of your own for them.`,
      );
  }
}

/** The middle and half the width of a bounded box, as rows. */
export function rangeOf(space: Box): { middle: Tensor; half: Tensor } {
  const n = space.shape.reduce((a, b) => a * b, 1);
  const bound = (b: number | readonly number[], i: number) => (typeof b === "number" ? b : b[i]);
  const ends = Array.from({ length: n }, (_, i) => [bound(space.low, i), bound(space.high, i)]);
  const bounded = ends.every((e) => e.every(Number.isFinite));
  return {
    middle: tensor(ends.map(([l, h]) => (bounded ? (l + h) / 2 : 0))),
    half: tensor(ends.map(([l, h]) => (bounded ? (h - l) / 2 : 1))),
  };
}

function continuousHead(space: Box, { continuous = "normal", logStd = 0 }: HeadOptions): Head {
  const n = space.shape.reduce((a, b) => a * b, 1);
  if (space.shape.length !== 1)
    fail("policy", `box actions of shape [${space.shape}] must be flat. Use shape [${n}].`);
  const { middle, half } = rangeOf(space);
  const bounded = Number.isFinite(typeof space.low === "number" ? space.low : space.low[0]);
  const scale = (x: Tensor) => add(mul(x, half), middle);
  if (continuous === "beta")
    return {
      outputs: 2 * n,
      init: () => ({}),
      distribution: (_, x) =>
        nn.distributions.beta({
          alpha: add(nn.activation("softplus")(slice(x, lastAxis(x, 0, n))), 1),
          beta: add(nn.activation("softplus")(slice(x, lastAxis(x, n, 2 * n))), 1),
          low: -1,
          high: 1,
        }) as never,
      execute: (raw) => scale(raw as Tensor),
      maps: true,
    };
  const spread = (params: Tree, mean: Tensor) =>
    broadcastTo((params as { logStd: Tensor }).logStd, mean.shape);
  return {
    outputs: n,
    init: () => ({ logStd: zeros([n]).set(logStd) }),
    distribution: (params, mean) =>
      (continuous === "tanh"
        ? nn.distributions.tanhNormal({ mean, logStd: spread(params, mean) })
        : nn.distributions.normal({ mean, logStd: spread(params, mean) })) as never,
    execute: (raw) => scale(bounded ? clamp(raw as Tensor, -1, 1) : (raw as Tensor)),
    maps: true,
  };
}

/** Slices of the last axis only. */
function lastAxis(x: Tensor, from: number, to: number): [number, number][] {
  return x.shape.map((size, axis) => (axis === x.shape.length - 1 ? [from, to] : [0, size]));
}

function jointHead(
  spaces: [string, Space][],
  options: HeadOptions,
  collect: (parts: [string, Tree][]) => Tree,
): Head {
  const heads = spaces.map(([name, s]) => [name, headFor(s, options)] as const);
  const part = (x: Tree | undefined, name: string) => (x as Record<string, Tree> | undefined)?.[name];
  return {
    outputs: heads.reduce((sum, [, h]) => sum + h.outputs, 0),
    init: () => Object.fromEntries(heads.map(([n, h]) => [n, h.init()])),
    distribution(params, outputs, mask) {
      let at = 0;
      const parts = heads.map(([name, h]): [string, Distribution] => {
        const own = slice(outputs, lastAxis(outputs, at, at + h.outputs));
        at += h.outputs;
        return [name, h.distribution(part(params, name)!, own, part(mask, name))];
      });
      return nn.distributions.joint(collect(parts as never) as never) as never;
    },
    execute: (raw) => collect(heads.map(([name, h]) => [name, h.execute(part(raw, name)!)])),
    maps: heads.some(([, h]) => h.maps),
  };
}
