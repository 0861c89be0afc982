import { beforeEach, describe, expect, it, vi } from "vitest";
import { runDetail } from "../testing-lines.ts";
import { differences, groupsOf, usualGroups } from "./groups.ts";
import { scoreTable } from "./score-table.ts";

const fall = { signal: "linear", from: 0.1, to: 0 };
const runs = [
  runDetail("a", { seed: 1, options: { rate: 0.1, other: 1 } }),
  runDetail("b", { seed: 2, options: { rate: 0.1, other: 1 } }),
  runDetail("c", { seed: 1, options: { rate: fall, other: 1 } }),
];
const groups = (by: string, all = runs) =>
  groupsOf(all, by).map(({ label, runs: members }) => [label, members.map(({ name }) => name).join()]);

describe("groups of runs", () => {
  it("are of the same settings, or by any setting", () => {
    expect(groups("none")).toEqual([
      ["a", "a"],
      ["b", "b"],
      ["c", "c"],
    ]);
    expect(groups("seed")).toEqual([
      ["rate=0.1", "a,b"],
      ["rate=linear(0.1, 0)", "c"],
    ]);
    expect(groups("other")).toEqual([["other=1", "a,b,c"]]);
    expect([usualGroups(runs), usualGroups(runs.slice(0, 1))]).toEqual(["seed", "none"]);
    expect(groups("seed", runs.slice(0, 2))).toEqual([["ppo on CartPole-v1", "a,b"]]);
  });

  it("are named by what the user set, not by the ninety settings that follow from it", () => {
    const many = (x: number) => Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`s${i}`, x]));
    const command = (rest: string) => `reins train ppo e ${rest}`;
    const algorithms = [
      runDetail("p", { algorithm: "ppo", options: many(1), command: "reins train ppo e" }),
      runDetail("d", { algorithm: "dqn", options: many(2), command: "reins train dqn e" }),
    ];
    expect(groups("seed", algorithms).map(([label]) => label)).toEqual(["ppo", "dqn"]);
    const typed = [
      runDetail("x", { options: { rate: 0.1, ...many(1) }, command: command("--rate 0.1") }),
      runDetail("y", { options: { rate: 0.2, ...many(2) }, command: command("--rate 0.2") }),
      runDetail("z", { options: { rate: 0.2, ...many(3) }, command: command("--rate 0.2") }),
    ];
    // Two groups need one more setting.
    expect(groups("seed", typed).map(([label]) => label)).toEqual([
      "rate=0.1, s0=1",
      "rate=0.2, s0=2",
      "rate=0.2, s0=3",
    ]);
  });
});

describe("scores", () => {
  // The theme, which colours depend on.
  beforeEach(() => void vi.stubGlobal("document", { documentElement: { dataset: {} } }));
  const run = (name: string, env: string, fresh: number) => ({ ...runDetail(name, { seed: 1 }), env, fresh });
  const [low, high, other] = [run("low", "A-v0", 1), run("high", "A-v0", 3), run("other", "B-v0", 250)];
  const means = (by: Parameters<typeof scoreTable>[0]) => scoreTable(by).rows.map(({ mean }) => mean);

  it("of groups with a task each are not scaled, because no group is compared over tasks", () => {
    const groups = [low, high, other].map((one) => ({ label: one.name, runs: [one] }));
    expect(means(groups)).toEqual([1, 3, 250]);
    expect(scoreTable(groups)).toMatchObject({ scaled: false, apart: true });
    expect(scoreTable(groups.slice(0, 2))).toMatchObject({ scaled: false, apart: false });
  });

  it("of groups with several tasks are scaled by task", () => {
    const best = run("best", "B-v0", 500);
    const groups = [
      { label: "a", runs: [low, best] },
      { label: "b", runs: [high, other] },
    ];
    expect(means(groups)).toEqual([0.5, 0.5]);
    expect(scoreTable(groups)).toMatchObject({ scaled: true, apart: false });
  });
});

it("settings that differ are those that the user set first", () => {
  const command = "reins train ppo e --rate 0.1";
  const all = [
    runDetail("a", { steps: 2e8, options: { first: 1, rate: 0.1 }, command }),
    runDetail("b", { steps: 2e8, options: { first: 2, rate: 0.3 } }),
  ];
  expect(differences(all)).toEqual([
    { name: "rate", typed: true },
    { name: "first", typed: false },
  ]);
  expect(groups("steps", all)).toEqual([["steps=200M", "a,b"]]);
});
