import { expect, it } from "vitest";
import type { Episode } from "../episode.ts";
import type { Judge } from "../judge.ts";
import { allOrNothing } from "./all-or-nothing.ts";

it("gives 1 or 0, and keeps the other fields", async () => {
  const rewards = [0, 0.5, 1, [0.25, 0.75], [0.5, 0.25]];
  const inner: Judge = () => rewards.map((reward, i) => ({ reward, info: { i } }));
  const episodes = rewards.map(() => ({}) as Episode);
  const paid = async (least?: number) => allOrNothing(inner, least)(episodes, {} as never);
  expect((await paid()).map((v) => v.reward)).toEqual([0, 0, 1, 1, 0]);
  expect((await paid(0.5)).map((v) => v.reward)).toEqual([0, 1, 1, 1, 1]);
  expect((await paid()).map((v) => v.info?.i)).toEqual([0, 1, 2, 3, 4]);
});
