import { random, setBackend, type Tensor, tensor, valueAndGradient, zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import { stepTerm } from "./process-reward.ts";

setBackend("wasm");

it("is the mean cross-entropy of labelled steps, over heads too, and reports their accuracy", () => {
  const [time, rows, heads] = [3, 3, 2];
  // The last row is padding.
  const label = tensor([1, 0, 0, 0, -1, 0, -1, 0, 0], { shape: [time, rows] });
  const alive = tensor([1, 1, 0, 1, 1, 0, 1, 0, 0], { shape: [time, rows] }).gt(0.5);
  const given = tensor(
    Float32Array.from({ length: time * rows * heads }, (_, i) => Math.sin(i + 1)),
    {
      shape: [time, rows, heads],
    },
  );
  const metrics: Record<string, Tensor> = {};
  const logProb = zeros([time, rows]);
  const lossOf = (reward: Tensor) => {
    const each = stepTerm().value({
      scored: { logProb, entropy: logProb, extra: { reward } },
      columns: { alive, label },
      key: random.key(0),
      report: (name, x) => void (metrics[name] = x),
    });
    return each.sum().div(5);
  };
  const { value, gradient } = valueAndGradient(lossOf)(given);
  const places = [0, 4, 6];
  let [direct, right] = [0, 0];
  const expected = new Float64Array(given.size);
  for (const at of places) {
    const sign = label.data[at];
    let margin = 0;
    for (let h = 0; h < heads; h++) {
      const m = sign * given.data[at * heads + h];
      direct += Math.log1p(Math.exp(-m)) / (heads * places.length);
      expected[at * heads + h] = -sign / (1 + Math.exp(m)) / (heads * places.length);
      margin += m;
    }
    if (margin > 0) right++;
  }
  expect(value.item()).toBeCloseTo(direct, 5);
  expected.forEach((g, i) => expect(gradient.data[i], `${i}`).toBeCloseTo(g, 5));
  lossOf(given);
  const means = (name: string) => [...metrics[name].data].reduce((a, b) => a + b, 0) / 5;
  expect(means("preference/accuracy")).toBeCloseTo(right / 3, 5);
});
