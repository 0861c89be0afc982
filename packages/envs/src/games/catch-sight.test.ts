import { random, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { Catch } from "./catch.ts";
import { catchFeatures } from "./catch-sight.ts";

const field = { width: 5, height: 4, margin: 1 };
const sight = catchFeatures(field);
const env = new Catch({ ...field, colors: "pure", rows: 60 });
env.reset({ seed: 1 });
const seen = (picture: unknown) => {
  const features = sight.encoder().apply(undefined, picture as Tensor, 1);
  return Array.from({ length: 60 }, (_, row) => [...features.data.slice(row * 21, (row + 1) * 21)]);
};

it("finds ball, paddle and one of six colors in every image", () => {
  const rows = seen(env.observation);
  const colors = new Set<number>();
  const columns = new Set<number>();
  rows.forEach((row, i) => {
    expect(
      [row.slice(0, 5), row.slice(5, 8), row.slice(8, 13), row.slice(13)].map(
        (part) => part.filter((x) => x).length,
      ),
    ).toEqual([1, 1, 1, 1]);
    expect(row.indexOf(1)).toBe(env.render(i).split("\n")[0].indexOf("o"));
    expect(row[5] + row[10]).toBe(2);
    columns.add(row.indexOf(1));
    colors.add(row.slice(13).indexOf(1));
  });
  expect([...colors].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(columns.size).toBe(5);
});

it("recolors images", () => {
  const [before, after] = [seen(env.observation), seen(sight.repainted(env.observation, random.key(2)))];
  const [game, color] = [(row: number[]) => row.slice(0, 13), (row: number[]) => row.slice(13)];
  expect(after.map(game)).toEqual(before.map(game));
  const same = after.filter((row, i) => `${color(row)}` === `${color(before[i])}`).length;
  expect(same).toBeLessThan(25);
});
