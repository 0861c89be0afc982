import { expect, it } from "vitest";
import { byName } from "./by-name.ts";

it("makes a record of named numbers", () => {
  const levels = [3, 5];
  expect(
    byName(
      levels,
      (level) => `solved/${level}`,
      (level, i) => level * i,
    ),
  ).toEqual({ "solved/3": 0, "solved/5": 5 });
});
