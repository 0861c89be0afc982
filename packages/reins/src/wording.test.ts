import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type Counts,
  countOffences,
  fileNameOffences,
  longLineOffences,
  longLines,
  type Offence,
  phraseOffences,
  refusedPhrases,
  root,
  typeNameOffences,
} from "./testing-wording.ts";

const file = new URL("../../../fixtures/wording.json", import.meta.url);
const command = "REINS_WORDING=write npx vitest run packages/reins/src/wording.test.ts";

const found: { readonly [rule: string]: readonly Offence[] } = {
  phrases: phraseOffences(),
  fileNames: fileNameOffences(),
  typeNames: typeNameOffences(),
  longLines: longLineOffences(),
};

if (process.env.REINS_WORDING === "write") {
  const counts = Object.fromEntries(Object.entries(found).map(([rule, all]) => [rule, countOffences(all)]));
  writeFileSync(file, `${JSON.stringify(counts, null, 2)}\n`);
}
const budgets: { readonly [rule: string]: Counts } = JSON.parse(readFileSync(file, "utf8"));

/** When a line last changed, in seconds; Infinity for a line that is not committed. */
function changed({ file, line }: Offence): number {
  try {
    const blame = execFileSync("git", ["blame", "-p", `-L${line},${line}`, "--", file], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return /^0{40}/.test(blame) ? Infinity : Number(/^committer-time (\d+)/m.exec(blame)?.[1]);
  } catch {
    return Infinity;
  }
}

/** Differences between the offences and their budget, as messages. */
function differences(offences: readonly Offence[], budget: Counts): string[] {
  const counts = countOffences(offences);
  return [...new Set([...Object.keys(counts), ...Object.keys(budget)])].flatMap((group) => {
    const [count, allowed] = [counts[group] ?? 0, budget[group] ?? 0];
    if (count === allowed) return [];
    if (count < allowed) return [`${group}: lower the budget from ${allowed} to ${count} (${command})`];
    const newest = offences
      .filter((o) => o.group === group)
      .map((offence) => ({ offence, time: changed(offence) }))
      .sort((a, b) => b.time - a.time)
      .slice(0, count - allowed);
    return newest.map(({ offence: o }) => `${o.file}:${o.line} ${o.message} (${count} > ${allowed})`);
  });
}

describe("counts are equal to their budgets, which only fall", () => {
  it.each(Object.keys(found))("%s", (rule) => {
    expect(differences(found[rule], budgets[rule] ?? {})).toEqual([]);
  });
});

describe("differences", () => {
  const offence = (line: number) => ({ group: "docs", file: "docs/none.md", line, message: "write it" });

  it("name the offences above a budget", () => {
    expect(differences([offence(1), offence(2)], { docs: 1 })).toEqual(["docs/none.md:1 write it (2 > 1)"]);
  });

  it("ask for a lower budget", () => {
    expect(differences([offence(1)], { docs: 3 })[0]).toContain("docs: lower the budget from 3 to 1");
    expect(differences([], { docs: 1 })[0]).toContain("from 1 to 0");
  });

  it("are absent at the budget", () => {
    expect(differences([offence(1)], { docs: 1 })).toEqual([]);
  });
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
