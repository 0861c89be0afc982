import { zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import { GridWindow } from "./grid-window.ts";
import type { GridColumns } from "./step-rollout.ts";

it("a window holds the latest grids, oldest first, and masks steps that have not been played", () => {
  const grid = {
    observation: zeros([2, 1, 3]),
    action: zeros([2, 1], "i32"),
    reward: zeros([2, 1]),
  } as unknown as GridColumns;
  const window = new GridWindow(grid, 2);
  const play = (first: number) => {
    grid.reward.data.set([first, first + 1]);
    window.push();
  };
  play(1);
  expect([...window.columns.alive.data]).toEqual([0, 0, 1, 1]);
  expect([...window.columns.reward.data]).toEqual([0, 0, 1, 2]);
  play(3);
  const saved = window.save();
  play(5);
  expect([...window.columns.alive.data]).toEqual([1, 1, 1, 1]);
  expect([...window.columns.reward.data]).toEqual([3, 4, 5, 6]);
  expect(window.columns.observation).toMatchObject({ shape: [4, 1, 3] });
  window.restore(saved);
  expect([...window.columns.reward.data]).toEqual([1, 2, 3, 4]);
  window.forget(1);
  expect([...window.columns.alive.data]).toEqual([0, 0, 1, 1]);
});
