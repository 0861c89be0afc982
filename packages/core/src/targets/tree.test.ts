import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import type { Batch } from "../batch.ts";
import { groupRelative, spread } from "./group.ts";
import { expectClose } from "./testing.ts";
import { treeAdvantages } from "./tree.ts";

const played = (paths: number[][], groups: number[]): Batch => ({
  columns: { node: tensor(Int32Array.from(paths.flat()), { dtype: "i32" }) },
  index: {
    kind: "episodes",
    starts: [0, ...paths.map((_, i) => paths.slice(0, i + 1).reduce((n, p) => n + p.length, 0))],
    groups,
  },
});

it("by hand: three samples share a prefix, two of them a longer one, one is separate", () => {
  //        ┌ 3 ── reward 1
  //    ┌ 2 ┴ 4 ── reward 0
  // 1 ─┴ 5 ────── reward 0      6 ── reward 1
  const batch = played(
    [
      [0, 1, 1, 2, 3, 3],
      [0, 1, 1, 2, 4],
      [0, 1, 1, 5],
      [0, 6],
    ],
    [7, 7, 7, 7],
  );
  const [root, one, two] = [1 / 2, 1 / 3, 1 / 2];
  const first = (one - root + (one - root)) / Math.sqrt(3);
  const second = (two - root + (two - one)) / Math.SQRT2;
  const end = (worth: number, before: number) => worth - root + (worth - before);
  expectClose(treeAdvantages([1, 0, 0, 1], batch), [
    ...[0, first, first, second, end(1, two), end(1, two)],
    ...[0, first, first, second, end(0, two)],
    ...[0, first, first, end(0, one)],
    ...[0, end(1, root)],
  ]);
});

it("without forks it is twice the distance from the group mean, and groups are separate", () => {
  const paths = [[0, 1, 1], [0, 2], [1, 1, 1], [2]];
  const batch = played(paths, [0, 0, 1, 1]);
  const rewards = [1, 0, 0.25, 0.75];
  const plain = spread(groupRelative(rewards, [0, 0, 1, 1], { scale: "none" }), batch);
  const expected = Array.from(plain, (a, i) => (paths.flat()[i] === 0 ? 0 : 2 * a));
  expectClose(treeAdvantages(rewards, batch), expected);
});

it("a tree with equal rewards has advantage 0", () => {
  const batch = played(
    [
      [0, 1, 2],
      [0, 1, 3],
    ],
    [0, 0],
  );
  expectClose(treeAdvantages([1, 1], batch), [0, 0, 0, 0, 0, 0]);
});

it("names the missing column", () => {
  const batch: Batch = { columns: {}, index: { kind: "episodes", starts: [0, 1], groups: [0] } };
  expect(() => treeAdvantages([1], batch)).toThrow("needs a column `node`");
});
