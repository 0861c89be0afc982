import { nn, numpy as np } from "@jax-js/jax";
import type { GptSize, MlpSize } from "../benchmarks.ts";
import type { Gpt, Linear, Norm } from "../parameters.ts";

// In jax-js a function takes ownership of its arguments: `.ref` keeps one for a later use.

const linear = ({ weight, bias }: Linear<np.Array>, x: np.Array) => np.matmul(x, weight).add(bias);

export function mlp(
  layers: readonly Linear<np.Array>[],
  x: np.Array,
  activation: MlpSize["activation"],
): np.Array {
  const f = activation === "tanh" ? np.tanh : nn.relu;
  return layers.reduce((h, layer, i) => (i + 1 < layers.length ? f(linear(layer, h)) : linear(layer, h)), x);
}

export function mlpLoss(
  layers: readonly Linear<np.Array>[],
  x: np.Array,
  y: np.Array,
  activation: MlpSize["activation"],
): np.Array {
  return np.mean(np.square(mlp(layers, x, activation).sub(y)));
}

/** The GPT of `../models.ts`. Attention is written out: the library's own needs iterator helpers, which Node 20 lacks. */
export function gptLoss(
  p: Gpt<np.Array>,
  ids: np.Array,
  targets: np.Array,
  { heads, width, vocabulary }: GptSize,
): np.Array {
  const [batch, tokens] = ids.shape;
  const normed = ({ scale, shift }: Norm<np.Array>, x: np.Array) =>
    nn.standardize(x, -1).mul(scale).add(shift);
  const byHead = (x: np.Array) => x.reshape([batch, tokens, heads, width / heads]).transpose([0, 2, 1, 3]);
  let x = p.embedding.slice(ids).add(p.positions);
  for (const block of p.blocks) {
    const [q, k, v] = np.split(linear(block.qkv, normed(block.norm1, x.ref)), 3, -1).map(byHead);
    const scores = np.matmul(q, k.transpose([0, 1, 3, 2])).mul(1 / Math.sqrt(width / heads));
    const seen = np.where(np.tri(tokens, tokens, 0, { dtype: np.bool }), scores, -1e30);
    const mixed = np.matmul(nn.softmax(seen, -1), v).transpose([0, 2, 1, 3]).reshape([batch, tokens, width]);
    x = x.add(linear(block.out, mixed));
    x = x.ref.add(linear(block.down, nn.gelu(linear(block.up, normed(block.norm2, x)))));
  }
  const logits = np.matmul(normed(p.norm, x), p.head);
  return nn
    .logSoftmax(logits, -1)
    .mul(nn.oneHot(targets, vocabulary))
    .sum()
    .mul(-1 / (batch * tokens));
}
