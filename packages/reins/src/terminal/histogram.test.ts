import { expect, it } from "vitest";
import { histogram } from "./histogram.ts";
import { plainInk } from "./ink.ts";

it("labels an edge at 0 without the rounding error of the bins", () => {
  const lines = histogram([-0.85, 0.85], plainInk);
  expect(lines[4]).toContain("-0.17 to 0 ");
  expect(lines[5]).toContain("0 to 0.17");
});
