import { expect, it } from "vitest";
import { bullets, wrapped } from "./markdown.ts";

it("wraps at 100 characters", () => {
  const lines = wrapped("word ".repeat(50).trim()).split("\n");
  expect(lines.map((l) => l.length)).toEqual([99, 99, 49]);
});

it("indents the lines of a list item", () => {
  expect(bullets(["one", "word ".repeat(25).trim()])).toMatch(/^- one\n- word .*\n {2}word/);
});

it("does not begin a line with a mark of a list or a heading", () => {
  const filler = "x".repeat(99);
  const escaped = { "12.": "12\\.", "-": "\\-", "#": "\\#" };
  for (const [mark, text] of Object.entries(escaped))
    expect(wrapped(`${filler} ${mark} end`)).toBe(`${filler}\n${text} end`);
});
