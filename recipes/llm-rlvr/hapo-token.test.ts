import type { JudgedEpisode } from "@reins/core";
import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { clipRanges, redistributed, relativeEntropy, tokenAverage } from "./hapo-token.parts.ts";

const close = (found: ArrayLike<number>, expected: readonly number[]) =>
  expected.forEach((x, i) => expect(found[i]).toBeCloseTo(x, 5));

it("is 0 at the 80% quantile, 1 and −1 at the extremes, on a logarithmic scale", () => {
  // Of 1/8, 1/4, 1/2, 1 and 4 the 80% quantile is 1. The entropy 9 is not part of the loss.
  const entropy = tensor([
    [0.25, 4, 0.5],
    [1, 0.125, 9],
  ]);
  const alive = tensor([
    [true, true, true],
    [true, true, false],
  ]);
  close(relativeEntropy(entropy, alive).data, [-2 / 3, 1, -1 / 3, 0, -1, 0]);
});

const h = tensor([-1, -0.5, 0, 0.5, 1]);

it("widens the lower bound at low entropy and the upper one at high entropy", () => {
  const { low, high } = clipRanges(h, 0.2);
  close(low.data, [0.4, 0.3, 0.2, 0.2, 0.2]);
  close(high.data, [0.2, 0.2, 0.2, 0.3, 0.4]);
});

it("scales advantages down at low entropy within the inner range, up at high entropy beyond it", () => {
  const two = tensor([2, 2, 2, 2, 2]);
  close(redistributed(two, h, tensor([1, 1, 1, 1, 1]), 0.2).data, [0, 1, 2, 2, 2]);
  close(redistributed(two, h, tensor([1.5, 1.5, 1.5, 1.5, 1.5]), 0.2).data, [2, 2, 2, 3, 4]);
  // The inner half reaches from 0.8 for the first and to 1.2 for the last.
  close(redistributed(two, h, tensor([0.79, 1, 1, 1, 1.21]), 0.2).data, [2, 1, 2, 2, 4]);
});

it("averages over the tokens of a group", () => {
  const judged = [1, 3].map(
    (steps): JudgedEpisode => ({
      episode: {
        columns: { by: tensor(new Uint8Array(steps)) },
        segments: [],
        terminated: true,
        truncated: false,
        return: [],
      },
      verdict: { reward: 0 },
      reward: 0,
    }),
  );
  // One token with the reward 1, three with 0: mean 1/4, deviation √3/4.
  close(tokenAverage(judged, [1, 0], [0, 0]), [Math.sqrt(3), -1 / Math.sqrt(3)]);
});
