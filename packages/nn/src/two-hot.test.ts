import { setBackend, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { symexp, symexpBins, symlog, twoHot, twoHotLoss, twoHotMean } from "./two-hot.ts";

setBackend("wasm");

describe("symlog", () => {
  it("is inverted by symexp, at all magnitudes and signs", () => {
    const numbers = [0, 1e-6, -1e-3, 0.5, -1, 3, -100, 1e5, -1e7];
    const [there, back] = [symlog(tensor(numbers)), symexp(symlog(tensor(numbers)))];
    numbers.forEach((x, i) => {
      expect(Math.abs(back.data[i] - x)).toBeLessThanOrEqual(3e-6 * Math.abs(x));
      expect(there.data[i]).toBeCloseTo(Math.sign(x) * Math.log1p(Math.abs(x)), 5);
    });
  });
});

describe("two-hot encoding", () => {
  it("splits a number between its two neighbouring bins", () => {
    const bins = [-3, -1, 0, 1, 3];
    expect(twoHot(tensor([0, 0.25, 2, -1.5, 9]), bins).toArray()).toEqual([
      [0, 0, 1, 0, 0],
      [0, 0, 0.75, 0.25, 0],
      [0, 0, 0, 0.5, 0.5],
      [0.25, 0.75, 0, 0, 0],
      [0, 0, 0, 0, 1],
    ]);
  });

  it("decodes to the encoded number, over the range of the bins", () => {
    const bins = symexpBins(65);
    expect(bins[32]).toBe(0);
    expect(bins[64]).toBeCloseTo(Math.exp(10) - 1, 6);
    for (const x of [-20_000, -16.3, -0.01, 0.4, 7, 512]) {
      const shares = twoHot(tensor([x]), bins);
      const meant = [...shares.data].reduce((sum, share, i) => sum + share * bins[i], 0);
      expect(Math.abs(meant - x)).toBeLessThan(1e-4 * Math.max(1, Math.abs(x)));
      expect([...shares.data].filter((share) => share > 0).length).toBeLessThanOrEqual(2);
    }
    // The cross-entropy of a uniform prediction is the logarithm of the number of bins.
    expect(twoHotLoss(zeros([1, 65]), tensor([3]), bins).item()).toBeCloseTo(Math.log(65), 4);
  });

  it("has an exact mean between bins", () => {
    const bins = symexpBins(31, 12);
    const numbers = [-100_000, -37.5, -0.2, 0, 0.1, 1.5, 999, 150_000];
    const logits = tensor(
      numbers.map((x) =>
        [...twoHot(tensor([x]), bins).data].map((share) => Math.log(Math.max(share, 1e-30))),
      ),
    );
    twoHotMean(logits, bins).data.forEach((mean, i) => {
      expect(Math.abs(mean - numbers[i])).toBeLessThan(1e-5 * Math.max(1, Math.abs(numbers[i])));
    });
  });
});
