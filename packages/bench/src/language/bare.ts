import type { GptParams, KvCache } from "@reins/nn";
import {
  type Bound,
  compile,
  dynamicUpdate,
  matmul,
  ones,
  scalar,
  sum,
  type Tensor,
  zeros,
} from "@reins/tensor";
import { generation, type ModelSize } from "./benchmarks.ts";

/** The essential parts of generation, each alone; see the suite's help. */
export interface BareWork {
  /** The linear products of one step. */
  readonly products: Bound<Tensor[]>;
  /** Writes one position to every cache and reads all positions. */
  readonly caches: Bound<{ caches: KvCache[]; read: Tensor[][] }>;
  /** The linear products of the prompts. */
  readonly prompts: Bound<Tensor[]>;
}

/** Binds the parts with the model's own weights. */
export function bareWork(params: GptParams, size: ModelSize): BareWork {
  const { rows, prompt } = generation;
  return {
    products: products(params, rows, false),
    caches: caches(size),
    prompts: products(params, rows * (prompt - 1), true),
  };
}

/** The products are independent. The last layer of a prompt only fills its cache. */
function products(params: GptParams, rows: number, prompt: boolean): Bound<Tensor[]> {
  const last = params.blocks.length - 1;
  const all = compile(
    (p: GptParams, x: Tensor, hidden: Tensor) => [
      ...p.blocks.flatMap(({ attention, feedForward }, i) => {
        const qkv = matmul(x, attention.qkv.weight);
        if (prompt && i === last) return [qkv];
        const [output, up] = [attention.output, feedForward.up].map(({ weight }) => matmul(x, weight));
        return [qkv, output, up, matmul(hidden, feedForward.down.weight)];
      }),
      ...(prompt ? [] : [matmul(x, p.head!.weight)]),
    ],
    { name: prompt ? "products of prompts" : "products of a step" },
  );
  const [hidden, width] = params.blocks[0].feedForward.down.weight.shape;
  return all.bind(params, ones([rows, width]), ones([rows, hidden]));
}

/** Caches at their mean length. Sums are the cheapest way to read them. */
function caches({ layers, width, heads }: ModelSize): BareWork["caches"] {
  const { rows, prompt, added } = generation;
  const fill = prompt + added / 2;
  const empty = () => zeros([rows, heads, fill, width / heads]);
  const pass = compile(
    (old: KvCache[], fresh: Tensor, at: Tensor) => {
      const caches = old.map(({ keys, values }) => ({
        keys: dynamicUpdate(keys, fresh, at, 2),
        values: dynamicUpdate(values, fresh, at, 2),
      }));
      return { caches, read: caches.map(({ keys, values }) => [keys, values].map((t) => sum(t, [2, 3]))) };
    },
    { name: "pass over caches", donate: [0] },
  );
  const start = Array.from({ length: layers }, () => ({ keys: empty(), values: empty() }));
  return pass.bind(start, ones([rows, heads, 1, width / heads]), scalar(fill - 1, "i32"));
}
