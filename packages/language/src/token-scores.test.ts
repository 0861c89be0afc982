import {
  add,
  compile,
  matmul,
  mul,
  random,
  sum,
  type Tensor,
  tensor,
  transpose,
  valueAndGradient,
  where,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type LogitsOf, scoresInBlocks, scoresOf, type TokenRows, type TokenScores } from "./token-scores.ts";

const [rows, width, vocabulary] = [37, 6, 11];
const draw = (seed: number, shape: number[]) => random.normal(random.key(seed), shape);
const hidden = draw(1, [rows, width]);
const weight = draw(2, [vocabulary, width]);
const chosen = tensor(Int32Array.from({ length: rows }, (_, i) => (i * 7) % vocabulary));
const beside = tensor(
  Int32Array.from({ length: rows }, (_, i) => i % 3),
  { shape: [rows, 1] },
);
const needed = tensor(
  Uint8Array.from({ length: rows }, (_, i) => (i % 4 === 1 || i > 30 ? 1 : 0)),
  { dtype: "bool" },
);
const weights = [draw(3, [rows]), draw(4, [rows])];

/** Requested scores, and the gradients of a weighted sum of them. */
function measured(of: (h: Tensor, w: Tensor) => TokenScores, counts?: Tensor) {
  return compile((h: Tensor, w: Tensor) => {
    const only = (t: Tensor) => (counts ? where(counts, t, 0) : t);
    const found = valueAndGradient(
      (v: { h: Tensor; w: Tensor }): readonly [Tensor, { p: Tensor; e: Tensor }] => {
        const { logProb, entropy } = of(v.h, v.w);
        const [p, e] = [only(logProb), only(entropy)];
        return [add(sum(mul(p, weights[0])), sum(mul(e, weights[1]))), { p, e }];
      },
    )({ h, w });
    return { ...found.aux, ...found.gradient };
  })(hidden, weight);
}

describe("scores in blocks of tokens", () => {
  const logits: LogitsOf = (h, more, w) => {
    const plain = matmul(h, transpose(w ?? weight));
    return more
      ? add(
          plain,
          mul(more.cast("f32"), 0.5).mul(tensor(Array.from({ length: vocabulary }, (_, i) => i / 9))),
        )
      : plain;
  };
  it.each<[string, Partial<TokenRows>, number]>([
    ["all rows", {}, 8],
    ["those that are needed", { needed }, 8],
    ["with more about each row", { needed, beside }, 16],
    ["in one block", { needed }, 64],
  ])("are those of all logits at once, with their gradients: %s", (_, more, block) => {
    const whole = measured((h, w) => scoresOf(logits(h, more.beside, w), chosen), more.needed);
    const apart = measured(
      (h, w) => scoresInBlocks({ hidden: h, chosen, weight: w, ...more }, logits, block),
      more.needed,
    );
    for (const name of ["p", "e", "h", "w"] as const)
      whole[name].data.forEach((x: number, i: number) =>
        expect(apart[name].data[i], `${name} ${i}`).toBeCloseTo(x, 5),
      );
  });

  it("have the most likely token's log-probability on request", () => {
    const whole = scoresOf(logits(hidden, undefined, undefined), chosen, true).top!;
    const apart = scoresInBlocks({ hidden, chosen, needed, top: true }, logits, 8).top!;
    needed.data.forEach((is: number, i: number) =>
      expect(apart.data[i]).toBeCloseTo(is ? whole.data[i] : 0, 5),
    );
    expect(scoresInBlocks({ hidden, chosen }, logits, 8).top).toBeUndefined();
  });

  it("give no gradient to a frozen weight", () => {
    const whole = measured((h) => scoresOf(logits(h, undefined, undefined), chosen));
    const apart = measured((h) => scoresInBlocks({ hidden: h, chosen }, logits, 8));
    for (const name of ["p", "e", "h", "w"] as const)
      whole[name].data.forEach((x: number, i: number) => expect(apart[name].data[i]).toBeCloseTo(x, 5));
    expect(apart.w.data.every((x: number) => x === 0)).toBe(true);
  });
});
