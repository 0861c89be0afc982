import { expect, it } from "vitest";
import { type Cluster, clusterSides, comparedSides, type Measured, ownArms } from "./cluster.ts";
import { clusterPage } from "./pages/cluster-page.ts";
import type { Block } from "./record.ts";
import type { Result } from "./result.ts";
import { score } from "./testing.ts";

const cluster: Cluster = {
  name: "pair",
  title: "Two of a kind",
  task: "One task.",
  metrics: ["score"],
  members: ["one", "two"],
};

const block = (firstSeed: number, values: { [side: string]: number[] }): Block => ({
  firstSeed,
  replicates: Object.values(values)[0].map((_, i) => `${firstSeed + i}`),
  values: Object.fromEntries(Object.entries(values).map(([side, score]) => [side, { score }])),
  used: {},
  early: {},
  seconds: 1,
  backend: "native",
});

const measured = (id: string, own: number[], shared: number[]): Measured => ({
  id,
  system: id,
  baselines: ["plain"],
  metrics: { score },
  blocks: [
    block(100, { [id]: own, plain: shared }),
    block(1100, { [id]: own, plain: shared }),
    // A check, which does not count.
    block(2100, { [id]: [99, 99], plain: [99, 99] }),
  ],
});

it("orders arms by their paired difference from the baseline that most members share", () => {
  const sides = comparedSides(cluster, [measured("one", [1, 2], [3, 4]), measured("two", [5, 7], [3, 4])]);
  expect(sides.map((s) => [s.name, s.differences, s.of.map((o) => o.id)])).toEqual([
    ["two", [2, 3, 2, 3], ["two"]],
    ["plain", undefined, ["one", "two"]],
    ["one", [-2, -2, -2, -2], ["one"]],
  ]);
});

it("joins a baseline over members with different numbers of seeds", () => {
  const sides = clusterSides(cluster, [measured("one", [1, 2], [3, 4]), measured("two", [5], [3])]);
  expect(sides.map((s) => [s.name, s.replicates.length])).toEqual([
    ["one", 4],
    ["plain", 4],
    ["two", 2],
  ]);
});

it("compares over common seeds only", () => {
  const sides = comparedSides(cluster, [measured("one", [1, 2], [3, 4]), measured("two", [9], [3])]);
  expect(sides.find((s) => s.name === "two")?.differences).toEqual([6, 6]);
});

it("separates baselines of one name with different values", () => {
  const sides = clusterSides(cluster, [measured("one", [1, 2], [3, 4]), measured("two", [5, 6], [3, 5])]);
  expect(sides.filter((s) => s.name === "plain")).toHaveLength(2);
});

it("marks the systems of a member that has several", () => {
  const several = { ...cluster, systems: ["one", "plain"] };
  const sides = clusterSides(several, [measured("one", [1, 2], [3, 4]), measured("two", [5, 6], [7, 8])]);
  const systems = sides.filter((s) => s.of.some((o) => o.system));
  expect(systems.map((s) => s.name)).toEqual(["one", "plain", "plain"]);
});

it("rejects a member that lacks the value", () => {
  const without = { ...cluster, metrics: ["regret"] };
  expect(() => clusterSides(without, [measured("one", [1, 2], [3, 4])])).toThrow("one of one has no regret");
});

it("shows recipes with other tasks separately", () => {
  const result = measured("one", [1, 2], [3, 4]);
  expect(ownArms(result).map(({ name, values }) => [name, values.score])).toEqual([
    ["plain", [3, 4, 3, 4]],
    ["one", [1, 2, 1, 2]],
  ]);
  const row = { system: { id: "one", title: "One", kind: "algorithm", family: ["toy"] }, history: [] };
  const page = clusterPage({ ...cluster, members: [], others: ["one", "three"] }, [
    { ...row, result: { ...result, claims: [], judged: [] } as unknown as Result },
  ]);
  expect(page).toContain("## Other tasks");
  expect(page).toContain("| **one** | one | 4 | −2.00 (−2.00 to −2.00) | 1.5 |");
  expect(page).toContain("Not measured yet: three.");
  expect(page).not.toContain("pair.svg");
});
