import { real } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Box, Graph, Space, Value } from "../space.ts";
import { boundAt } from "./bounds.ts";
import { elements } from "./layout.ts";
import { maskSize } from "./mask.ts";
import { show } from "./show.ts";

/** A source of random numbers: NumPy's generator of this package, or a similar one. */
export interface RandomSource {
  /** A number in [0, 1). */
  random(): number;
  /** An integer from `low` to `high`, excluding `high`. */
  integers(low: number, high: number): number;
  normal?(mean?: number, std?: number): number;
  exponential?(scale?: number): number;
}

/**
 * A random value of a space. `mask` marks the allowed actions, one entry (0 or 1) per choice; see `maskSize`. Boxes are sampled as in
 * Gymnasium: uniform between two bounds, exponential from one, normal without bounds.
 */
export function sample(space: Space, rng: RandomSource, mask?: ArrayLike<number | boolean>): Value {
  if (mask && mask.length !== maskSize(space))
    fail("sample", `the mask has ${mask.length} entries; ${show(space)} has ${maskSize(space)}.`);
  switch (space.kind) {
    case "discrete":
      return space.start + choose(rng, space.n, 0, mask);
    case "multiDiscrete": {
      // As in Gymnasium, not with integers().
      if (!mask) return Int32Array.from(space.sizes, (n) => Math.floor(rng.random() * n));
      let at = 0;
      return Int32Array.from(space.sizes, (n) => {
        const k = choose(rng, n, at, mask);
        at += n;
        return k;
      });
    }
    case "multiBinary":
      return Int32Array.from({ length: space.n }, (_, i) => choose(rng, 2, 2 * i, mask));
    case "box":
      return sampleBox(space, rng);
    case "image":
      return Uint8Array.from({ length: elements(space) }, () => rng.integers(0, 256));
    case "simplex": {
      // Exponentials over their sum are uniform on the simplex: Dirichlet(1, …, 1).
      const parts = Array.from({ length: space.n }, () => exponential(rng));
      const sum = parts.reduce((a, b) => a + b, 0);
      return Float32Array.from(parts, (x) => x / sum);
    }
    case "list":
      return Array.from({ length: rng.integers(0, space.max + 1) }, () => sample(space.item, rng));
    case "text":
      return letters(rng, rng.integers(1, Math.min(space.maxLength, 16) + 1));
    case "content":
      return [letters(rng, rng.integers(1, 17)), ...space.parts.map((part) => sample(part, rng))];
    case "graph":
      return sampleGraph(space, rng);
    case "dict":
      return Object.fromEntries(
        Object.entries(space.spaces).map(([name, part]) => [name, sample(part, rng)]),
      );
    case "tuple":
      return space.spaces.map((part) => sample(part, rng));
  }
}

/** One of `n` choices, or of those that the mask allows, starting at its entry `at`. */
function choose(rng: RandomSource, n: number, at: number, mask?: ArrayLike<number | boolean>): number {
  if (!mask) return rng.integers(0, n);
  let allowed = 0;
  for (let i = 0; i < n; i++) if (mask[at + i]) allowed++;
  if (allowed === 0)
    fail("sample", `the mask allows none of the ${n} choices starting at entry ${at}. Allow at least one.`);
  let skip = rng.integers(0, allowed);
  let i = 0;
  while (!mask[at + i] || skip-- > 0) i++;
  return i;
}

function sampleBox(space: Box, rng: RandomSource): number | Float32Array {
  const values = new Float32Array(elements(space));
  // By kind rather than by element: Gymnasium's order, so that the same generator gives the same box.
  for (const kind of ["none", "low", "high", "both"] as const)
    for (let i = 0; i < values.length; i++) {
      const [low, high] = [boundAt(space.low, i), boundAt(space.high, i)];
      if (kind !== boundedBy(low, high)) continue;
      if (kind === "none") values[i] = normal(rng);
      else if (kind === "low") values[i] = low + exponential(rng);
      else if (kind === "high") values[i] = high - exponential(rng);
      else values[i] = low + (high - low) * rng.random();
    }
  return space.shape.length === 0 ? values[0] : values;
}

function boundedBy(low: number, high: number): "none" | "low" | "high" | "both" {
  if (Number.isFinite(low)) return Number.isFinite(high) ? "both" : "low";
  return Number.isFinite(high) ? "high" : "none";
}

function sampleGraph(space: Graph, rng: RandomSource): Value {
  const nodeCount = rng.integers(1, space.maxNodes + 1);
  const edgeCount = rng.integers(0, space.maxEdges + 1);
  const features = (n: number) => Float32Array.from({ length: n }, () => normal(rng));
  return {
    nodes: features(nodeCount * space.nodeFeatures),
    edges: features(edgeCount * space.edgeFeatures),
    links: Int32Array.from({ length: edgeCount * 2 }, () => rng.integers(0, nodeCount)),
    nodeCount,
    edgeCount,
  };
}

function normal(rng: RandomSource): number {
  if (rng.normal) return rng.normal(0, 1);
  // Box and Muller (1958).
  return Math.sqrt(-2 * real.log(1 - rng.random())) * real.cos(2 * Math.PI * rng.random());
}

function exponential(rng: RandomSource): number {
  return rng.exponential ? rng.exponential(1) : -real.log(1 - rng.random());
}

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

function letters(rng: RandomSource, count: number): string {
  return Array.from({ length: count }, () => alphabet[rng.integers(0, alphabet.length)]).join("");
}
