import { describe, expect, it } from "vitest";
import type { Claim } from "./claim.ts";
import type { Roles } from "./effects.ts";
import { judge } from "./judge.ts";
import { pooled, type Table } from "./table.ts";

const cast: Roles = {
  system: "new",
  baselines: ["plain"],
  metrics: { score: { about: "score", better: "higher", worst: -100, best: "open" } },
};
const column = (mean: number) => ({ score: [mean - 0.1, mean, mean + 0.1, mean] });
const table = (rivals: Table["rivals"] = {}): Table => ({
  replicates: ["1", "2", "3", "4"],
  values: { new: column(3), plain: { score: [0, 0, 0, 0] } },
  rivals,
});
const claim: Claim = { metric: "score", smallest: 2, because: "it is an example" };

describe("rivals: points that an arm might have been tuned to", () => {
  it("of the baseline move the low end, and worse ones do not", () => {
    const alone = judge(claim, cast, table());
    expect(alone.verdict).toBe("shown");
    const found = judge(claim, cast, table({ plain: [column(2), column(-2)] }));
    expect(found).toMatchObject({ verdict: "towards", estimate: alone.estimate, high: alone.high });
    expect(found.low).toBeCloseTo(1, 9);
    expect(judge(claim, cast, table({ plain: [column(-2)] }))).toEqual(alone);
  });

  it("of the system move the high end", () => {
    const alone = judge(claim, cast, table());
    const found = judge(claim, cast, table({ new: [column(5), column(1)] }));
    expect(found.low).toBe(alone.low);
    expect(found.high).toBeGreaterThan(5);
  });

  it("are swapped if the claimed direction is lower", () => {
    const less = { ...claim, direction: "lower" } as const;
    expect(judge(less, cast, table()).verdict).toBe("reversed");
    expect(judge(less, cast, table({ plain: [column(2)] })).high).toBeGreaterThan(-2);
    expect(judge(less, cast, table({ plain: [column(2)] })).low).toBe(judge(less, cast, table()).low);
  });

  it("move both ends of metrics that arms are not tuned on, for either arm and both at once", () => {
    const metrics = { ...cast.metrics, tuned: cast.metrics.score };
    const other: Roles = { ...cast, metrics, tuned: "tuned" };
    const alone = judge(claim, other, table());
    expect(alone).toEqual(judge(claim, cast, table()));
    const worse = judge(claim, other, table({ new: [column(1)] }));
    expect(worse).toMatchObject({ verdict: "towards", estimate: alone.estimate, high: alone.high });
    const better = judge(claim, other, table({ plain: [column(-2)] }));
    expect(better).toMatchObject({ verdict: "shown", low: alone.low });
    expect(better.high).toBeCloseTo(5, 9);
    const both = judge(claim, other, table({ new: [column(2)], plain: [column(1)] }));
    expect(both.low).toBeCloseTo(1, 9);
    expect(both.verdict).toBe("towards");
    const bound: Claim = { kind: "at-least", metric: "score", value: 2, because: "it is an example" };
    expect(judge(bound, other, table()).verdict).toBe("shown");
    expect(judge(bound, other, table({ new: [column(1)] })).verdict).toBe("undecided");
    expect(judge(bound, cast, table({ new: [column(1)] })).verdict).toBe("shown");
  });

  it("are pooled like arms, and do not affect an arm compared with itself", () => {
    const two = pooled([
      table({ plain: [column(2)] }),
      { ...table({ plain: [column(1)] }), replicates: ["5", "6", "7", "8"] },
    ]);
    expect(two.rivals?.plain[0].score).toEqual([...column(2).score, ...column(1).score]);
    const self: Claim = {
      kind: "no-worse",
      metric: "score",
      contrast: ["plain", "plain"],
      margin: 1,
      because: "it is an example",
    };
    expect(judge(self, cast, table({ plain: [column(9)] }))).toMatchObject({ low: 0, high: 0 });
  });
});
