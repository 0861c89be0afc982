import { random, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { pack } from "../batch.ts";
import { type Episode, makers, type Segment } from "../episode.ts";
import { inRows } from "../loop/episode-columns.ts";
import { type Aggregation, aggregated } from "./aggregation.ts";
import { clipped, policyGradient } from "./policy-gradient.ts";
import { geometricRatio, sequenceRatio } from "./ratios.ts";

/** The third step of each episode is a tool's. */
const by = ["policy", "policy", "tool", "policy", "policy", "policy"] as const;
const counted = [0, 1, 3, 4, 5, 6, 7, 9, 10, 11];

const episodeOf = (segments: readonly Segment[]): Episode => ({
  columns: { by: tensor(Uint8Array.from(by, (m) => makers.indexOf(m))) },
  segments,
  terminated: true,
  truncated: false,
  return: [],
});

const one = [{ from: 0, to: 6 }];
const several = [
  { from: 0, to: 2 },
  { from: 2, to: 4, parent: { segment: 0, step: 0 } },
  { from: 4, to: 6, parent: { segment: 1, step: 2 } },
];

const series = (of: (i: number) => number) => Float32Array.from({ length: 12 }, (_, i) => of(i));
const targets = {
  number: series((i) => i + 1),
  advantage: series((i) => (i < 6 ? 0.5 : -1)),
  logProb: series((i) => -1 - Math.cos(i)),
  now: series((i) => -1 - Math.cos(i) + 0.2 * Math.sin(3 * i)),
};

const losses = {
  token: policyGradient({ ratio: clipped(0.1) }),
  sequence: policyGradient({ ratio: sequenceRatio(clipped(0.5)) }),
  geometric: policyGradient({ ratio: geometricRatio(0.1) }),
};

/** Each step's contribution to the loss of two episodes, the first one in these segments, in `parts` parts. */
function contributions(
  segments: readonly Segment[],
  loss: keyof typeof losses,
  how: Aggregation,
  parts = 1,
): number[] {
  const episodes = [episodeOf(segments), episodeOf(one)];
  const { columns } = inRows(pack(episodes), targets, { from: "policy", episodes, parts });
  const whole = columns.alive as Tensor;
  const [time, rows] = whole.shape;
  const out = Array<number>(12).fill(0);
  for (let part = 0; part < parts; part++) {
    const cut = (t: Tensor) => t.slice([null, [(part * rows) / parts, ((part + 1) * rows) / parts]]);
    const own = Object.fromEntries(Object.entries(columns).map(([name, t]) => [name, cut(t as Tensor)]));
    const each = aggregated(how, losses[loss], 20).value({
      scored: { logProb: own.now, entropy: own.now },
      columns: own,
      key: random.key(0),
      report() {},
      ...(parts > 1 ? { whole, wholeEpisodes: columns.episodeNumber as Tensor | undefined } : {}),
    });
    const count = [...whole.data].filter(Boolean).length;
    for (let at = 0; at < (time * rows) / parts; at++)
      if (own.alive.data[at]) out[own.number.data[at] - 1] = each.data[at] / count;
  }
  return out;
}

describe("an episode in several segments is one text", () => {
  const hows: Aggregation[] = ["token", "text", "sum", "constant"];
  it.each(hows.flatMap((how) => Object.keys(losses).map((loss) => [loss, how] as const)))(
    "for the ratio %s and the aggregation %s",
    (loss, how) => {
      const expected = contributions(one, loss as keyof typeof losses, how);
      expect(counted.every((i) => expected[i] !== 0)).toBe(true);
      contributions(several, loss as keyof typeof losses, how).forEach((x, i) =>
        expect(x, `step ${i}`).toBeCloseTo(expected[i], 6),
      );
    },
  );

  it.each(hows)("also where gradient accumulation separates its rows: %s", (how) => {
    const expected = contributions(one, "token", how);
    contributions(several, "token", how, 2).forEach((x, i) =>
      expect(x, `step ${i}`).toBeCloseTo(expected[i], 6),
    );
  });
});
