import { gpt } from "@reins/nn";
import { random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { packedRows } from "./packed-rows.ts";
import { languagePolicy } from "./policy.ts";

describe("packed rows", () => {
  it("separate texts and count positions in each", () => {
    const first = tensor(
      [[1, 0, 1, 0, 0]].map((row) => row.map(Boolean)),
      { dtype: "bool" },
    );
    const { mask, positions } = packedRows(first);
    expect([...positions.data]).toEqual([0, 1, 0, 1, 2]);
    expect(mask.shape).toEqual([1, 1, 5, 5]);
    expect([...mask.data]).toEqual(
      [0, 0, 1, 1, 1].flatMap((row) => [0, 0, 1, 1, 1].map((column) => (row === column ? 1 : 0))),
    );
  });

  it.each(["llama", "gpt2"] as const)("score texts of a %s model as if each had its own row", (style) => {
    const model = gpt({ vocabulary: 11, context: 16, layers: 2, width: 16, heads: 2, style });
    const policy = languagePolicy({ model });
    const params = model.init(random.key(1));
    const texts = [
      [3, 1, 4, 1, 5],
      [9, 2, 6],
      [5, 3, 5, 8],
    ];
    // [time, rows]: the first and the second text share row 0.
    const time = 8;
    const at = [
      { row: 0, from: 0 },
      { row: 0, from: 5 },
      { row: 1, from: 0 },
    ];
    const columns = (rows: number, places: typeof at) => {
      const [seen, next] = [new Int32Array(time * rows), new Int32Array(time * rows)];
      const first = new Uint8Array(time * rows);
      texts.forEach((text, i) => {
        const { row, from } = places[i];
        text.forEach((token, t) => {
          seen[(from + t) * rows + row] = token;
          next[(from + t) * rows + row] = (token * 7) % 11;
        });
        first[from * rows + row] = 1;
      });
      const shape = [time, rows];
      return {
        view: { observation: tensor(seen, { shape }), first: tensor(first, { shape, dtype: "bool" }) },
        action: tensor(next, { shape }),
      };
    };
    const alone = policy.score(
      params,
      columns(
        3,
        texts.map((_, row) => ({ row, from: 0 })),
      ),
    ).logProb;
    const together = policy.packed!.score(params, columns(2, at)).logProb;
    const read = (of: Tensor, rows: number, row: number, from: number, count: number) =>
      Array.from({ length: count }, (_, t) => of.data[(from + t) * rows + row]);
    texts.forEach(({ length }, i) => {
      const [a, b] = [read(alone, 3, i, 0, length), read(together, 2, at[i].row, at[i].from, length)];
      a.forEach((x, t) => expect(b[t]).toBeCloseTo(x, 5));
    });
    // Rows may be longer than the context, which texts never are.
    const short = gpt({ vocabulary: 11, context: 5, layers: 2, width: 16, heads: 2, style });
    const start = short.init(random.key(1));
    const own = languagePolicy({ model: short });
    const apart = own.score(
      start,
      columns(
        3,
        [0, 1, 2].map((row) => ({ row, from: 0 })),
      ),
    ).logProb;
    const packed = own.packed!.score(start, columns(2, at)).logProb;
    texts.forEach(({ length }, i) => {
      const [a, b] = [read(apart, 3, i, 0, length), read(packed, 2, at[i].row, at[i].from, length)];
      a.forEach((x, t) => expect(b[t]).toBeCloseTo(x, 5));
    });
    expect(languagePolicy({ model, repetition: 1.2 }).packed).toBeUndefined();
    // Without the separation the second text would see the first.
    const mixed = policy.score(params, columns(2, at)).logProb;
    expect(Math.abs(read(mixed, 2, 0, 5, 3)[1] - read(alone, 3, 1, 0, 3)[1])).toBeGreaterThan(1e-4);
  });
});
