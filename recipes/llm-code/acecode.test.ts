import { expect, it } from "vitest";
import { execute, judged } from "../shared/circuits.ts";
import { timed } from "./acecode.parts.ts";

// The second step is not needed.
const reference = "&ab|pc^pd";
const specification = { reference, wanted: execute(reference).output, needed: 2 };
const reward = (text: string, efficiency = true) =>
  timed(efficiency)({ ...specification, ...judged(text, specification) });

it("rewards correct programs by their time relative to an efficient one", () => {
  expect(reward("&ab^pd")).toBe(1);
  expect(reward(reference)).toBeCloseTo(0.5 + 0.5 * (2 / 3), 12);
  expect(reward("&ab^pd&qq|rr")).toBe(0.75);
  expect(reward("&ab|pd")).toBe(0);
  expect(reward("&ab^p")).toBe(0);
  expect(reward(reference, false)).toBe(1);
});
