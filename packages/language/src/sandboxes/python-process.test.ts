import { expect, it } from "vitest";
import { pythonProcess, withoutNonFinite } from "./python-process.ts";

it("reads Python's NaN and infinities as null, and leaves them in strings", () => {
  expect(withoutNonFinite("[-Infinity, Infinity, NaN, 1]")).toBe("[null, null, null, 1]");
  expect(withoutNonFinite("-Infinity")).toBe("null");
  for (const text of ['"Infinity War"', '{"NaN": "\\\\", "b": "\\" -Infinity"}'])
    expect(withoutNonFinite(text)).toBe(text);
  const limits = { url: "x", megabytes: 1, characters: 1, steps: 1 };
  // The program of the process contains the function as text.
  expect(pythonProcess(limits)).toContain("NaN|Infinity");
});
