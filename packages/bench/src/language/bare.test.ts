import { newModel } from "@reins/language";
import { random, type Tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { bareWork } from "./bare.ts";

const size = { layers: 2, width: 12, heads: 2, vocabulary: 20 };
const { params } = newModel({ ...size, context: 128, style: "llama" }, random.key(0));
const { products, prompts, caches } = bareWork(params, size);
const shapes = (results: Tensor[]) => results.map((t) => t.shape.join("×"));

test("a step has all products, a prefill only those that fill the caches", () => {
  const layer = (rows: number) => [`${rows}×36`, `${rows}×12`, `${rows}×64`, `${rows}×12`];
  expect(shapes(products.result)).toEqual([...layer(256), ...layer(256), "256×20"]);
  expect(shapes(prompts.result)).toEqual([...layer(3840), "3840×36"]);
});

test("caches get one new position, and are read completely", () => {
  const { caches: kept, read } = caches.result;
  caches.run();
  expect(kept.map((c) => c.keys.shape)).toEqual([
    [256, 2, 72, 6],
    [256, 2, 72, 6],
  ]);
  const row = [...kept[1].values.data.subarray(0, 72 * 6)];
  expect(row).toEqual(row.map((_, i) => (i < 71 * 6 ? 0 : 1)));
  for (const sums of read.flat()) expect(new Set(sums.data)).toEqual(new Set([6]));
});
