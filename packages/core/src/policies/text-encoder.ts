import {
  add,
  cast,
  lengthMask,
  max,
  permute,
  random,
  reshape,
  slice,
  sub,
  type Tensor,
  type Tree,
  where,
} from "@reins/tensor";
import type { Body } from "../body.ts";
import { nn } from "../nn.ts";
import type { List, Text } from "../space.ts";

/** Embedding size of a character or token. */
const width = 32;
/** Characters or tokens per window. */
const window = 5;
const features = 64;

/**
 * Encodes a text: one embedding per character, the sum of the embeddings of its two bytes, then {@link reading}. Two tables of 256 rows
 * cover any alphabet.
 */
export function letterEncoder({ maxLength }: Text): Body {
  const table = nn.embedding({ count: 256, width });
  const byte = (pairs: Tensor, i: number) => reshape(slice(pairs, [null, null, [i, i + 1]]), [-1, maxLength]);
  return reading(maxLength, {
    init(key) {
      const [low, high] = random.splitKey(key).map((k) => table.init(k));
      return { low, high };
    },
    vectors(params, columns) {
      const tables = params as { readonly low: nn.EmbeddingParams; readonly high: nn.EmbeddingParams };
      const { letters } = columns as { readonly letters: Tensor };
      const pairs = cast(reshape(letters, [-1, maxLength, 2]), "i32");
      return add(table.apply(tables.low, byte(pairs, 0)), table.apply(tables.high, byte(pairs, 1)));
    },
  });
}

/** Encodes a list of `kinds` different tokens, counted from `start`: one embedding each, then {@link reading}. */
export function tokenEncoder({ max: longest }: List, kinds: number, start: number): Body {
  const table = nn.embedding({ count: kinds, width });
  return reading(longest, {
    init: (key) => table.init(key),
    vectors(params, columns) {
      const tokens = reshape((columns as { readonly items: Tensor }).items, [-1, longest]);
      return table.apply(params as nn.EmbeddingParams, start === 0 ? tokens : sub(tokens, start));
    },
  });
}

/** Maps a text to embeddings, [rows, length, width]. */
interface Spelling {
  init(key: Tensor): Tree;
  vectors(params: Tree, columns: Tree): Tensor;
}

/**
 * Features of a sequence of embeddings: convolutions over windows of five and max-pooling over time (Kim, "Convolutional Neural Networks
 * for Sentence Classification", 2014). An empty text has zeros.
 */
function reading(longest: number, spelling: Spelling): Body {
  const windows = nn.conv1d({
    inputs: width,
    outputs: features,
    kernel: window,
    padding: (window - 1) / 2,
    weightInit: nn.init.orthogonal(Math.SQRT2),
    biasInit: nn.init.zeros,
  });
  return {
    features,
    init(key) {
      const [a, b] = random.splitKey(key);
      return { spelling: spelling.init(a), windows: windows.init(b) };
    },
    apply(params, columns, _leading) {
      const own = params as { readonly spelling: Tree; readonly windows: nn.ConvParams };
      const { count } = columns as { readonly count: Tensor };
      const there = lengthMask(reshape(count, [-1]), longest);
      const vectors = where(reshape(there, [-1, longest, 1]), spelling.vectors(own.spelling, columns), 0);
      const found = windows.apply(own.windows, permute(vectors, [0, 2, 1])).relu();
      const strongest = max(where(reshape(there, [-1, 1, longest]), found, 0), -1);
      return reshape(strongest, [...count.shape, features]);
    },
  };
}
