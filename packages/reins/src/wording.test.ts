import { expect, it } from "vitest";
import {
  fileNameOffences,
  longLineOffences,
  longLines,
  phraseOffences,
  refusedPhrases,
  sources,
  typeNameOffences,
} from "./testing-wording.ts";

it.each([
  ["phrases", phraseOffences],
  ["names of files", fileNameOffences],
  ["names of types", typeNameOffences],
  ["lines of Markdown", longLineOffences],
])("%s follow the rules", (_, find) => {
  expect(find().map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
});

it("reads all sources and pages", () => {
  expect(sources()).toEqual(
    expect.arrayContaining([
      "CHANGELOG.md",
      "SECURITY.md",
      ".github/pull_request_template.md",
      "apps/studio/src/main.tsx",
      "docs/glossary.md",
      "packages/core/README.md",
      "packages/core/src/run.ts",
      "recipes/README.md",
    ]),
  );
});

it("finds refused phrases", () => {
  expect(refusedPhrases("Nobody waits, and this is no number.")).toHaveLength(2);
  expect(refusedPhrases("A task of one's own; 1 unless it says.")).toHaveLength(2);
  expect(
    refusedPhrases("It is no longer open. There is no such file. This is not a number; it has many rows."),
  ).toEqual([]);
});

it("finds names of files that are not nouns", () => {
  const names = (...paths: string[]) => fileNameOffences(paths).map((o) => o.file);
  expect(names("packages/a/src/wary.ts", "packages/a/src/still.test.ts")).toHaveLength(2);
  expect(names("packages/a/src/batched.ts", "packages/a/src/answers-judged.test.ts")).toHaveLength(2);
  expect(names("packages/a/src/searching/text.ts", "packages/a/src/speed.ts")).toEqual([
    "packages/a/src/searching",
  ]);
  expect(names("packages/a/src/elsewhere/a.ts", "packages/a/src/elsewhere/b.ts")).toEqual([
    "packages/a/src/elsewhere",
  ]);
  expect(names("packages/a/src/replay.ts")).toEqual([]);
});

it("finds long lines of Markdown", () => {
  const long = "word ".repeat(30);
  const link = `See [the guide](https://example.org/${"a".repeat(100)}).`;
  const fenced = `\`\`\`ts\n${long}\n\`\`\``;
  expect(longLines(`# Title\n${long}\n`)).toEqual([2]);
  expect(longLines(`- item\n    - ${long}\n`)).toEqual([2]);
  expect(longLines(`| ${long} |\n<img alt="${long}">\n${link}\n${fenced}\n    ${long}\n`)).toEqual([]);
});
