import { expect, it } from "vitest";
import { byName } from "./by-name.ts";

it("gives numbers their names", () => {
  const levels = [3, 5];
  expect(
    byName(
      levels,
      (level) => `solved/${level}`,
      (level, i) => level * i,
    ),
  ).toEqual({ "solved/3": 0, "solved/5": 5 });
});
