import {
  add,
  attention,
  crossEntropy,
  gelu,
  layerNorm,
  matmul,
  mseLoss,
  permute,
  relu,
  reshape,
  split,
  type Tensor,
  take,
  tanh,
  transpose,
} from "@reins/tensor";
import type { GptSize, MlpSize } from "./benchmarks.ts";
import type { Gpt, Linear, Norm } from "./parameters.ts";

const linear = ({ weight, bias }: Linear<Tensor>, x: Tensor) => add(matmul(x, weight), bias);

/** A plain network; no activation after its last layer. */
export function mlp(layers: readonly Linear<Tensor>[], x: Tensor, activation: MlpSize["activation"]): Tensor {
  const f = activation === "tanh" ? tanh : relu;
  return layers.reduce((h, layer, i) => (i + 1 < layers.length ? f(linear(layer, h)) : linear(layer, h)), x);
}

export function mlpLoss(
  layers: readonly Linear<Tensor>[],
  x: Tensor,
  y: Tensor,
  activation: MlpSize["activation"],
): Tensor {
  return mseLoss(mlp(layers, x, activation), y);
}

/** The mean cross-entropy of a GPT: pre-norm, learned positions, tanh-GELU, an untied head without bias. */
export function gptLoss(p: Gpt<Tensor>, ids: Tensor, targets: Tensor, { heads, width }: GptSize): Tensor {
  const [batch, tokens] = ids.shape;
  const normed = ({ scale, shift }: Norm<Tensor>, x: Tensor) => layerNorm(x, scale, shift);
  const byHead = (x: Tensor) => transpose(reshape(x, [batch, tokens, heads, width / heads]), 1, 2);
  let x = add(take(p.embedding, ids), p.positions);
  for (const block of p.blocks) {
    const [q, k, v] = split(linear(block.qkv, normed(block.norm1, x)), [width, width, width], -1).map(byHead);
    const mixed = attention(q, k, v, { causal: true });
    x = add(x, linear(block.out, reshape(permute(mixed, [0, 2, 1, 3]), [batch, tokens, width])));
    x = add(x, linear(block.down, gelu(linear(block.up, normed(block.norm2, x)))));
  }
  return crossEntropy(matmul(normed(p.norm, x), p.head), targets);
}
