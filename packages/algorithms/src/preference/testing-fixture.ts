import { readFileSync } from "node:fs";
import type { LossTerm } from "@reins/core";
import { mul, random, sum, type Tensor, tensor, valueAndGradient, where } from "@reins/tensor";

/** The inputs of the reference losses, chosen rows first: numbers per row and token, padded with 0. */
export const fixture = JSON.parse(
  readFileSync(new URL("../../../../fixtures/rl/preferences.json", import.meta.url), "utf8"),
) as {
  rows: number;
  tokens: number;
  lengths: number[];
  logProb: number[];
  reference: number[];
  cases: unknown[];
};
const { rows, tokens, lengths } = fixture;
const half = rows / 2;

/** Chosen and rejected rows alternate, as in pairs. */
export const inPairs = Array.from({ length: half }, (_, i) => [i, half + i]).flat();
/** Rows in the fixture's order, as in lists. */
export const inOrder = Array.from({ length: rows }, (_, i) => i);

/** How a loss is evaluated. */
interface Evaluating {
  /** The fixture's row of each row. */
  readonly order?: readonly number[];
  /** Rows of padding. */
  readonly padded?: number;
  /** Further columns: a number for each row or for each token of it. */
  readonly columns?: { readonly [name: string]: (row: number, token: number) => number };
}

/** Value and gradient per token of a loss, rows in the fixture's order. */
export function evaluated(
  term: LossTerm,
  { order = inPairs, padded = 0, columns = {} }: Evaluating = {},
): { readonly value: number; readonly gradient: number[] } {
  const wide = rows + padded;
  const column = (of: (row: number, token: number) => number) => {
    const out = new Float32Array(tokens * wide);
    order.forEach((row, r) => {
      for (let t = 0; t < tokens; t++) out[t * wide + r] = of(row, t);
    });
    return tensor(out, { shape: [tokens, wide] });
  };
  const at = (numbers: readonly number[]) => column((row, t) => numbers[row * tokens + t]);
  const alive = column((row, t) => Number(t < lengths[row])).gt(0.5);
  const { value, gradient } = valueAndGradient((logProb: Tensor) => {
    const each = term.value({
      scored: { logProb, entropy: logProb },
      columns: {
        alive,
        reference: at(fixture.reference),
        ...Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, column(of)])),
      },
      key: random.key(0),
      report() {},
    });
    const counts = where(alive, 1, 0);
    return sum(mul(each, counts)).div(sum(counts));
  })(at(fixture.logProb));
  const found = new Array<number>(rows * tokens);
  order.forEach((row, r) => {
    for (let t = 0; t < tokens; t++) found[row * tokens + t] = gradient.data[t * wide + r];
  });
  return { value: value.item(), gradient: found };
}
