import { expect, it } from "vitest";
import { entries, exportsOf } from "./testing-exports.ts";

it("reads comments", () => {
  const all = exportsOf("packages/core/src/index.ts");
  const commentOf = (name: string) => all.find((e) => e.name === name)?.comment;
  expect(commentOf("discrete")).toBe("`n` choices, counted from `start`.");
  expect(commentOf("Space")).toMatch(/^The set of valid observations or actions\..*\n\| dict, tuple \|/s);
  const reins = exportsOf("packages/reins/src/index.ts");
  expect(reins.find((e) => e.name === "signals.linear")?.comment).toBeDefined();
});

it("every exported name has a comment", () => {
  const bare = entries.flatMap(({ source }) => exportsOf(source)).filter((e) => !e.comment);
  expect([...new Set(bare.map((e) => `${e.file}:${e.line} ${e.name} has no comment`))]).toEqual([]);
});
