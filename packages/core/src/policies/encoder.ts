import { concat, lengthMask, random, reshape, type Tensor, type Tree, where } from "@reins/tensor";
import type { Body } from "../body.ts";
import type { List, Space } from "../space.ts";
import { flatSize, flatten, share } from "../spaces/flatten.ts";
import { imageEncoder } from "./image-encoder.ts";
import { letterEncoder, tokenEncoder } from "./text-encoder.ts";

/** Vocabulary size from which a list is encoded with embeddings instead of one-hot items. */
const alphabet = 32;

/**
 * The default encoder of an observation space: convolutions for images, text encoders for texts, and one encoder per part of a dict or
 * tuple, concatenated; everything else is flattened, without parameters.
 */
export function encoderFor(space: Space): Body {
  if (!learns(space))
    return { features: flatSize(space), apply: (_, x, leading) => flatten(space, x, { leading }) };
  switch (space.kind) {
    case "image":
      return imageEncoder(space);
    case "text":
      return letterEncoder(space);
    case "list":
      return isTokens(space) ? tokenEncoder(space, space.item.n, space.item.start) : itemEncoder(space);
    default:
      return partsEncoder(space);
  }
}

/** Whether encoding a space needs parameters. */
const learns = (space: Space): boolean =>
  space.kind === "image" ||
  space.kind === "text" ||
  (space.kind === "list" && (isTokens(space) || learns(space.item))) ||
  partsOf(space).some(([, part]) => learns(part));

const isTokens = (space: List): space is List & { readonly item: { kind: "discrete" } } =>
  space.ordered && space.item.kind === "discrete" && space.item.n >= alphabet;

/** Encodes each part separately and concatenates. */
function partsEncoder(space: Space): Body {
  const encoders = partsOf(space).map(([name, part]) => [name, encoderFor(part)] as const);
  const part = (tree: Tree, name: string) => (tree as Record<string, Tree>)[name];
  return {
    features: encoders.reduce((n, [, e]) => n + e.features, 0),
    init(key) {
      const keys = random.splitKey(key, encoders.length);
      return Object.fromEntries(encoders.map(([name, e], i) => [name, e.init?.(keys[i]) ?? {}]));
    },
    apply: (params, x, leading) =>
      concat(
        encoders.map(([name, e]) => e.apply(part(params, name), part(x, name), leading)),
        -1,
      ),
  };
}

/** Encodes all items with one encoder, concatenated, plus their count. */
function itemEncoder(space: List): Body {
  const encoder = encoderFor(space.item);
  const size = space.max * encoder.features;
  return {
    features: size + 1,
    init: encoder.init,
    apply(params, tree, leading) {
      const { items, count } = tree as { readonly items: Tree; readonly count: Tensor };
      const seen = encoder.apply(params, items, leading + 1);
      const there = reshape(lengthMask(count, space.max), [...count.shape, space.max, 1]);
      return concat([reshape(where(there, seen, 0), [...count.shape, size]), share(count, space.max)], -1);
    },
  };
}

function partsOf(space: Space): [string, Space][] {
  if (space.kind === "dict") return Object.entries(space.spaces);
  if (space.kind === "tuple") return space.spaces.map((part, i) => [String(i), part]);
  return [];
}
