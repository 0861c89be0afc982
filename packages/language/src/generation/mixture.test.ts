import { gpt } from "@reins/nn";
import { logSoftmax, random, setBackend, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { TextGenerator } from "./generator.ts";
import { geometricMixture, mixed } from "./mixture.ts";

setBackend("wasm");

const vocabulary = 12;
const model = gpt({
  layers: 2,
  width: 16,
  heads: 2,
  context: 64,
  vocabulary,
  style: "llama",
  deviation: 0.5,
});
const [policy, reference] = [1, 2].map((seed) => model.init(random.key(seed)));
const requests = Array.from({ length: 9 }, (_, i) => ({
  prompt: Array.from({ length: 1 + (i % 5) }, (_, k) => 2 + ((i + 3 * k) % 10)),
  seed: 100 + i,
  limit: 8,
}));
const written = (own: Pick<ConstructorParameters<typeof TextGenerator>[0], "model" | "params">) =>
  new TextGenerator({ ...own, vocabulary, context: 64, end: 1, rows: 4 }).generate(requests);
const mixture = (share: number) =>
  written({ model: geometricMixture(model, share), params: mixed(policy, reference) });

it("samples tokens with the normalised product of the powers of both probabilities", () => {
  mixture(0.3).forEach(({ tokens, logProb }, i) => {
    const { prompt } = requests[i];
    const all = tensor([[...prompt, ...tokens.slice(0, -1)]], { dtype: "i32" });
    const [p, q] = [policy, reference].map((params) => logSoftmax(model.apply(params, all)).data);
    tokens.forEach((token, t) => {
      const at = (prompt.length - 1 + t) * vocabulary;
      const weights = Array.from({ length: vocabulary }, (_, v) =>
        Math.exp(0.7 * p[at + v] + 0.3 * q[at + v]),
      );
      const total = weights.reduce((a, b) => a + b, 0);
      expect(logProb[t]).toBeCloseTo(Math.log(weights[token] / total), 4);
    });
  });
});

it("is the policy with weight 0, and the reference with weight 1", () => {
  const tokens = (texts: ReturnType<typeof written>) => texts.map((text) => text.tokens);
  expect(tokens(mixture(0))).toEqual(tokens(written({ model, params: policy })));
  expect(tokens(mixture(1))).toEqual(tokens(written({ model, params: reference })));
  expect(tokens(mixture(0.5))).not.toEqual(tokens(mixture(0)));
});

it("refuses weights that are no share", () => {
  expect(() => geometricMixture(model, 1.5)).toThrow(
    "mixture: the weight is 1.5. Choose a number from 0 to 1.",
  );
});
