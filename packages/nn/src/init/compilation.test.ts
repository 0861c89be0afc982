import { compile, leaves, random, reshape, slice, stack, type Tensor, type Tree, vmap } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { conv2d, embedding, gpt, gru, lstm, mlp, transformerEncoder, unstackMember } from "../index.ts";
import { expectClose } from "../testing.ts";

const networks: [string, { init(key: Tensor): Tree }][] = [
  ["mlp", mlp({ inputs: 3, hidden: [6, 5], outputs: 2 })],
  ["conv2d", conv2d({ inputs: 2, outputs: 3, kernel: 3 })],
  ["embedding", embedding({ count: 5, width: 3 })],
  ["gru", gru({ inputs: 2, units: 3 })],
  ["lstm", lstm({ inputs: 2, units: 3, forgetBias: 1 })],
  ["transformerEncoder", transformerEncoder({ inputs: 2, width: 4, heads: 2, context: 3, layers: 1 })],
  ["gpt", gpt({ layers: 1, width: 4, heads: 2, context: 3, vocabulary: 7 })],
];

describe.each(networks)("initial parameters of %s", (_, network) => {
  it("are the same eagerly and compiled, and differ by key", () => {
    const eager = leaves(network.init(random.key(1)));
    const compiled = leaves(compile((k: Tensor) => network.init(k))(random.key(1)));
    eager.forEach((t, i) => {
      expect(compiled[i].shape).toEqual(t.shape);
      expectClose(compiled[i], t, 1e-5);
    });
    expect(leaves(network.init(random.key(2)))[0].toArray()).not.toEqual(eager[0].toArray());
  });
});

it("networks of many seeds are initialised at once", () => {
  const network = mlp({ inputs: 3, hidden: [4], outputs: 2 });
  const keys = stack(random.splitKey(random.key(5), 3));
  const many = vmap((k: Tensor) => network.init(k))(keys);
  const second = network.init(reshape(slice(keys, [[1, 2]]), [2]));
  leaves(unstackMember(many, 1)).forEach((t, i) => void expectClose(t, leaves(second)[i], 1e-5));
});
