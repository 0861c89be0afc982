import { expect, it } from "vitest";
import { outcome } from "../shared/testing-tools.ts";
import { formatGated } from "./tapo.parts.ts";

it("TAPO rewards an answer that is not a name, or none at all, with −1", () => {
  expect(formatGated(outcome({ right: true }))).toBe(1);
  expect(formatGated(outcome())).toBe(0);
  expect(formatGated(outcome({ wellFormed: false }))).toBe(-1);
  expect(formatGated(outcome({ right: true, finished: false }))).toBe(-1);
});
