import { add, clamp, slice, sub, type Tensor, type Tree, where } from "@reins/tensor";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";
import type { MultiBinary, Space } from "../space.ts";
import { continuousHead } from "./continuous.ts";
import type { ActionDistribution, Head, HeadOptions } from "./head.ts";
import { lastAxis } from "./last-axis.ts";

/** The default head of an action space. */
export function headFor(space: Space, options: HeadOptions = {}): Head {
  const { noise = "independent" } = options;
  if (noise !== "independent" && space.kind !== "box")
    fail("policy", `${noise} noise needs continuous actions; these are ${space.kind}. Use "independent".`);
  switch (space.kind) {
    case "discrete":
      return {
        ...plain(space.n, (logits, mask) =>
          nn.distributions.categorical({ logits, mask: mask as Tensor | undefined }),
        ),
        execute: (raw) => (space.start === 0 ? raw : add(raw as Tensor, space.start)),
        recover: (action) => sub(action as Tensor, space.start),
        maps: space.start !== 0,
      };
    case "multiDiscrete": {
      const { sizes } = space;
      return plain(
        sizes.reduce((a, b) => a + b, 0),
        (logits, mask) =>
          nn.distributions.multiCategorical({ logits, sizes, mask: mask as Tensor | undefined }),
      );
    }
    case "multiBinary":
      return plain(space.n, (logits, mask) =>
        nn.distributions.bernoulli({ logits: mask ? forced(space, logits, mask as Tensor) : logits }),
      );
    case "box":
      return continuousHead(space, options);
    case "simplex":
      return plain(space.n, (x) =>
        nn.distributions.dirichlet({ concentration: add(clamp(x, -10, 10).exp(), 1e-3) }),
      );
    case "dict":
      return jointHead(Object.entries(space.spaces), options, (parts) => Object.fromEntries(parts));
    case "tuple":
      return jointHead(
        space.spaces.map((s, i) => [String(i), s]),
        options,
        (parts) => parts.map(([, x]) => x),
      );
    default:
      return fail("policy", `there is no distribution for ${space.kind} actions. Write a custom Policy.`);
  }
}

/** A head whose raw actions are executed unchanged. */
export function plain(outputs: number, distribution: (outputs: Tensor, mask?: Tree) => unknown): Head {
  return {
    outputs,
    init: () => ({}),
    distribution: (_, x, { mask } = {}) => distribution(x, mask) as ActionDistribution,
    execute: (raw) => raw,
    maps: false,
  };
}

/** Logits that force a bit if only one of its values is allowed; entries 2i and 2i + 1 of the mask are its 0 and 1. */
export function forced({ n }: MultiBinary, logits: Tensor, mask: Tensor): Tensor {
  const may = (bit: 0 | 1) =>
    slice(
      mask,
      mask.shape.map((_, axis) => (axis === mask.rank - 1 ? { start: bit, stop: 2 * n, step: 2 } : null)),
    );
  return where(may(0), where(may(1), logits, -1e9), 1e9);
}

export function jointHead(
  spaces: [string, Space][],
  options: HeadOptions,
  collect: <T>(parts: [string, T][]) => readonly T[] | Record<string, T>,
): Head {
  const heads = spaces.map(([name, s]) => [name, headFor(s, options)] as const);
  const part = (x: Tree | undefined, name: string) => (x as Record<string, Tree> | undefined)?.[name];
  return {
    outputs: heads.reduce((sum, [, h]) => sum + h.outputs, 0),
    init: (features) => Object.fromEntries(heads.map(([n, h]) => [n, h.init(features)])),
    distribution(params, outputs, circumstances = {}) {
      let at = 0;
      const parts = heads.map(([name, h]): [string, ActionDistribution] => {
        const own = lastAxis(outputs, at, at + h.outputs);
        at += h.outputs;
        const mask = part(circumstances.mask, name);
        return [name, h.distribution(part(params, name)!, own, { ...circumstances, mask })];
      });
      return nn.distributions.joint(collect(parts)) as ActionDistribution;
    },
    execute: (raw) => collect(heads.map(([name, h]) => [name, h.execute(part(raw, name)!)])),
    recover: (action) =>
      collect(heads.map(([name, h]) => [name, h.recover?.(part(action, name)!) ?? part(action, name)!])),
    maps: heads.some(([, h]) => h.maps),
  };
}
