import {
  add,
  cast,
  cumsum,
  customGradient,
  div,
  exp,
  grad,
  iota,
  logSoftmax,
  max,
  mul,
  neg,
  pad,
  pick,
  reshape,
  scan,
  scatter,
  slice,
  stack,
  sub,
  sum,
  type Tensor,
  type Tree,
  take,
  treeMap,
  where,
  zeros,
  zerosLike,
} from "@reins/tensor";

/** Inputs of token scores, one row per token. */
export interface TokenRows<B extends Tree = Tensor> {
  /** Input of the output layer, [rows, width]. */
  readonly hidden: Tensor;
  /** The chosen tokens, i32 [rows]. */
  readonly chosen: Tensor;
  /** Rows to compute, bool [rows] (default: all). The others get 0 and cost nothing beyond partial blocks. */
  readonly needed?: Tensor;
  /** Further inputs of the logits, one entry per row, [rows, …]. */
  readonly beside?: B;
  /** Whether to compute the log-probability of each row's most likely token. It has no gradient. */
  readonly top?: boolean;
  /** Weight of the output layer, where it is trained. */
  readonly weight?: Tensor;
}

/** Logits [rows, vocabulary] of the sampling distribution. */
export type LogitsOf<B extends Tree = Tensor> = (
  hidden: Tensor,
  beside: B | undefined,
  weight: Tensor | undefined,
) => Tensor;

/**
 * Log-probability of the chosen token, entropy, and on request the most likely token's log-probability, each [rows].
 */
export type TokenScores = { readonly logProb: Tensor; readonly entropy: Tensor; readonly top?: Tensor };

/** Scores of rows from their logits. */
export function scoresOf(logits: Tensor, chosen: Tensor, top = false): TokenScores {
  const p = logSoftmax(logits);
  return {
    logProb: pick(p, chosen),
    entropy: neg(sum(mul(exp(p), p), -1)),
    ...(top ? { top: max(p, -1) } : {}),
  };
}

/**
 * Scores of rows in blocks: logits of a large vocabulary take more memory than the model. Blocks are recomputed in
 * the backward pass. Needed rows come first, so that blocks without any are skipped.
 */
export function scoresInBlocks<B extends Tree = Tensor>(
  rows: TokenRows<B>,
  logitsOf: LogitsOf<B>,
  block: number,
): TokenScores {
  const [count] = rows.chosen.shape;
  const order = rows.needed && neededFirst(rows.needed);
  const blocks = Math.ceil(count / block);
  const cut = (t: Tensor) => {
    const sorted = order ? take(t, order.order) : t;
    const missing = blocks * block - count;
    const full = missing
      ? pad(sorted, [[0, missing], ...t.shape.slice(1).map((): [number, number] => [0, 0])])
      : sorted;
    return reshape(full, [blocks, block, ...t.shape.slice(1)]);
  };
  const whole = cut(rows.chosen);
  const beside = rows.beside && (treeMap(cut, rows.beside) as B);
  const runs = order && { count: div(add(order.count, block - 1), block) };
  /** Log-probabilities, entropies and on request highest log-probabilities of a block, [2 or 3, rows]. */
  const scored = (hidden: Tensor, chosen: Tensor, more: B | undefined, weight: Tensor | undefined) => {
    const { logProb, entropy, top } = scoresOf(logitsOf(hidden, more, weight), chosen, rows.top);
    return stack(top ? [logProb, entropy, top] : [logProb, entropy]);
  };
  const score = customGradient(
    (hidden: Tensor, weight: Tensor) =>
      scan(
        (carry: undefined, x: { hidden: Tensor; chosen: Tensor; beside?: B }) =>
          [carry, scored(x.hidden, x.chosen, x.beside, rows.weight && weight)] as const,
        undefined,
        { hidden, chosen: whole, beside },
        runs,
      ).ys,
    (g, _, hidden, weight) => {
      const back = scan(
        (total: Tensor | undefined, x: { hidden: Tensor; chosen: Tensor; beside?: B; g: Tensor }) => {
          const value = (v: { hidden: Tensor; weight?: Tensor }) =>
            sum(mul(scored(v.hidden, x.chosen, x.beside, v.weight), x.g));
          const own = grad(value)({ hidden: x.hidden, ...(total ? { weight } : {}) });
          return [total && own.weight ? add(total, own.weight) : total, own.hidden] as const;
        },
        rows.weight ? zerosLike(weight) : undefined,
        { hidden, chosen: whole, beside, g },
        runs,
      );
      return [back.ys, back.carry ?? null];
    },
  );
  const found = score(cut(rows.hidden), rows.weight ?? zeros([1]));
  const [logProb, entropy, top] = (rows.top ? [0, 1, 2] : [0, 1]).map((i): Tensor => {
    const flat = reshape(slice(found, [null, [i, i + 1]]), [blocks * block]);
    return order ? take(flat, order.places) : slice(flat, [[0, count]]);
  });
  const { needed } = rows;
  // The last computed block also holds rows that are not needed.
  const asked = (t: Tensor) => (needed ? where(needed, t, 0) : t);
  return { logProb: asked(logProb), entropy: asked(entropy), ...(rows.top ? { top: asked(top) } : {}) };
}

/** The permutation that puts needed rows first, its inverse, and the number of needed rows. */
function neededFirst(needed: Tensor): { order: Tensor; places: Tensor; count: Tensor } {
  const [size] = needed.shape;
  const ones = cast(needed, "i32");
  const count = sum(ones);
  const before = cumsum(ones, 0);
  const others = add(count, sub(iota([size]), before));
  const places = where(needed, sub(before, 1), others);
  return { order: scatter(zeros([size], "i32"), places, iota([size]), 0), places, count };
}
