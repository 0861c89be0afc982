import { describe, expect, it } from "vitest";
import { expected, type Outcome } from "./expectation.ts";
import { judge } from "./judge.ts";
import type { Program } from "./program.ts";

/** The sum of numbers. */
const sumOf = (values: number[]): Program => ({
  seed: 1,
  index: 1,
  inputs: [{ id: 0, shape: [values.length], dtype: "f32", values: [values, values], role: "argument" }],
  nodes: [{ op: "sum", args: [{ $: 0 }], outs: [{ id: 1, path: "" }] }],
  outputs: [1],
});
/** The outcome with every element changed. */
const changed = (outcome: Outcome, f: (v: number) => number): Outcome =>
  outcome.map((call) => call.map((v) => ({ ...v, data: Float32Array.from(v.data, f) })));

describe("judge", () => {
  it("requires equal bits if sums are exact", () => {
    const p = sumOf([1, 2, 3, -4]);
    const want = expected(p);
    expect(judge(p, want, want)).toEqual({ rounded: false });
    expect(
      judge(
        p,
        changed(want, (v) => v + 2 ** -22),
        want,
      ).verdict?.kind,
    ).toBe("value");
  });

  it("accepts rounding errors, and nothing larger", () => {
    const p = sumOf(Array.from({ length: 100 }, (_, i) => Math.fround(Math.sin(i) + 1)));
    const want = expected(p);
    expect(
      judge(
        p,
        changed(want, (v) => v * (1 + 2 ** -23)),
        want,
      ),
    ).toEqual({ rounded: true });
    expect(
      judge(
        p,
        changed(want, (v) => v * 1.001),
        want,
      ).verdict?.kind,
    ).toBe("value");
  });

  it("classifies the sign of a sum of zeros separately", () => {
    const p = sumOf([-0, -0]);
    const want = expected(p);
    expect(
      judge(
        p,
        changed(want, (v) => -v),
        want,
      ).verdict?.kind,
    ).toBe("zero sign");
  });

  it("accepts ties of nearly equal values from a peer", () => {
    const values = Array.from({ length: 10 }, (_, i) => Math.fround(0.7 + i * 2 ** -24));
    const p: Program = {
      ...sumOf(values),
      nodes: [
        { op: "tanh", args: [{ $: 0 }], outs: [{ id: 1, path: "" }] },
        { op: "max", args: [{ $: 1 }], outs: [{ id: 2, path: "" }] },
        { op: "eq", args: [{ $: 1 }, { $: 2 }], outs: [{ id: 3, path: "" }] },
        { op: "where", args: [{ $: 3 }, 1, 0.5], outs: [{ id: 4, path: "" }] },
      ],
      outputs: [4],
    };
    const want = expected(p);
    const all = changed(want, () => 1);
    expect(judge(p, all, want, 2 ** -21)).toEqual({ rounded: true });
    expect(judge(p, all, want).verdict?.kind).toBe("value");
  });
});
