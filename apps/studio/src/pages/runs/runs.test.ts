import type { FieldNames, RunLine } from "@reins/studio/wire";
import { describe, expect, it } from "vitest";
import { runLine } from "../testing-lines.ts";
import { resolveQuery } from "./fields.ts";
import { checkValues, matches } from "./filter.ts";
import { groupName, groupsOf, intervalIn, seedsOf } from "./groups.ts";
import { numberIn, parseQuery } from "./query.ts";
import { byField } from "./sort.ts";
import { queryOf, viewIn } from "./view.ts";

const names: FieldNames = {
  settings: [{ name: "learningRate", values: 2 }],
  metrics: ["policy/kl", "loss/value"],
};
const queryIn = (text: string) => checkValues(resolveQuery(parseQuery(text), names));
const finds = (run: RunLine, text: string) => matches(run, queryIn(text).terms);

describe("the filter of runs", () => {
  const run = runLine({
    fresh: 120,
    steps: 150_000,
    note: "two words",
    fields: { learningRate: 3e-4, "policy/kl": 0.011 },
  });

  it("compares settings and metrics", () => {
    for (const text of [
      "learningRate=3e-4",
      "learning-rate=0.0003",
      "learningRate!=1",
      "return>10",
      "return>=120",
      "policy/kl<0.02",
      "steps>=100k steps<1M",
      "env=CartPole-v1",
      "env:cart",
      "state:fin",
      "seed:3",
      "tag:best",
      "tag=best",
      "-tag:old",
      'note:"two words"',
      '"two words"',
      "created>2026-01-31",
      "learning-rate 3e-4",
      "PPO cart",
      "",
    ])
      expect([finds(run, text), queryIn(text).errors], text).toEqual([true, []]);
    for (const text of [
      "learningRate=1e-3",
      "return>120",
      "policy/kl>0.02",
      "loss/value<9",
      "env=CartPole",
      "-env:cart",
      "-tag:best",
      "seed:30",
      "state:running",
      "-best",
      "lunar",
      "created<2026-01-31",
    ])
      expect([finds(run, text), queryIn(text).errors], text).toEqual([false, []]);
  });

  it("reports invalid terms, and applies the others", () => {
    for (const [text, error] of [
      ["return>", "return> has no value. Add one: return>10."],
      ["return>high", 'return>high: "high" is not a number, such as return>10.'],
      ["=3", "=3 has no field. Name one: return=3."],
      ['env="Cart', 'Unclosed quote: "Cart'],
      ["-", "A dash excludes what follows it: -tag:old."],
      ["created>soon", 'created>soon: "soon" is not a date.'],
      ["lerningRate=1", 'No run has a setting or metric "lerningRate".'],
    ]) {
      const query = queryIn(`ppo ${text}`);
      expect(query.errors.join(" "), text).toContain(error);
      expect(matches(run, query.terms), text).toBe(true);
    }
    expect(["3e-4", "-2", "100k", "1.5M", ".5", "abc", "", "1e", "0x1"].map(numberIn)).toEqual([
      ...[3e-4, -2, 1e5, 1.5e6, 0.5],
      ...[undefined, undefined, undefined, undefined],
    ]);
  });
});

describe("seeds in one row", () => {
  const runs = [
    runLine({ name: "slow-1", seed: 1, fresh: 100, group: "s" }),
    runLine({ name: "slow-2", seed: 2, fresh: 140, group: "s" }),
    runLine({ name: "slow-3", seed: 3, fresh: 120, group: "s" }),
    runLine({ name: "fast", seed: 1, fresh: 490, group: "f" }),
  ];

  it("have a mean with its 95% interval", () => {
    const [slow, fast] = groupsOf(runs, true);
    expect([slow.runs.length, fast.runs.length, groupName(slow)]).toEqual([3, 1, "slow"]);
    // 4.3027 standard errors of 20 / sqrt(3).
    expect(intervalIn(slow, "return")).toEqual({
      n: 3,
      mean: 120,
      low: expect.closeTo(70.317, 2),
      high: expect.closeTo(169.683, 2),
    });
    expect(groupsOf(runs, false).length).toBe(4);
    const nameOf = (...all: string[]) => groupName({ key: "", runs: all.map((name) => runLine({ name })) });
    expect([nameOf("rate-0.001-1", "rate-0.001-2"), nameOf("run-10", "run-11"), nameOf("a", "b")]).toEqual([
      ...["rate-0.001", "run", "ppo on CartPole-v1"],
    ]);
  });

  it("count repeated runs once", () => {
    const [group] = groupsOf([...runs.slice(0, 2), runLine({ ...runs[1], name: "slow-2b" })], true);
    expect([group.runs.length, seedsOf(group).length, intervalIn(group, "return")?.n]).toEqual([3, 2, 2]);
  });

  it("have an interval within the bounds of the return", () => {
    const range = { returnBounds: [0, 500] as const, group: "r" };
    const [group] = groupsOf(
      [runLine({ seed: 1, fresh: 500, ...range }), runLine({ seed: 2, fresh: 440, ...range })],
      true,
    );
    expect(intervalIn(group, "return")).toMatchObject({ mean: 470, high: 500 });
  });
});

describe("the order of runs", () => {
  it("puts rows without a value last, and sorts names numerically", () => {
    const runs = [
      runLine({ name: "a", return: 1 }),
      runLine({ name: "b" }),
      runLine({ name: "c", return: 0, fresh: 5 }),
    ];
    const by = (key: string, down: boolean, all = runs) =>
      groupsOf(all, false)
        .sort(byField(key, down))
        .map(({ key: name }) => name);
    expect([by("return", true), by("return", false)]).toEqual([
      ["c", "a", "b"],
      ["a", "c", "b"],
    ]);
    expect(
      by(
        "name",
        false,
        ["run-10", "run-9"].map((name) => runLine({ name })),
      ),
    ).toEqual(["run-9", "run-10"]);
    const kl = [0.2, 0.1].map((x, i) => runLine({ name: `${i}`, fields: { "policy/kl": x } }));
    expect(by("policy/kl", false, kl)).toEqual(["1", "0"]);
  });
});

it("the URL stores a view", () => {
  const view = {
    find: 'return>10 note:"a & b"',
    columns: ["state", "policy/kl", "a,b"],
    grouped: false,
    sort: { key: "policy/kl", down: true },
  };
  expect(viewIn(new URLSearchParams(queryOf(view)))).toEqual(view);
  expect(queryOf(viewIn(new URLSearchParams()))).toEqual({});
  expect(viewIn(new URLSearchParams()).sort).toEqual({ key: "created", down: true });
});
