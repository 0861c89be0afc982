import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./testing-wording.ts";

const text = (file: string) => readFileSync(join(root, file), "utf8");
const readme = text("README.md");

describe("README", () => {
  it("has at most 90 lines, the test command and an animated image", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
    expect(readme).toContain("npm test");
    expect(readme).toMatch(/src="docs\/pictures\/[\w-]+\.gif"/);
  });

  it("takes its six numbers from measured pages, each with its command", () => {
    const section = /^## Six numbers\n(.*?)^## /ms.exec(readme)![1];
    const rows = [...section.matchAll(/^\| .*\[([\d.,]+)[^\]]*\]\(([^)]+)\).* \| `([^`]+)` \|$/gm)];
    expect(rows.length).toBe(6);
    for (const [, number, page] of rows) expect(text(page), page).toMatch(new RegExp(`\\b${number}`));
    for (const [, , , command] of rows) expect(command).toMatch(/^(npm run bench|npx|reins) /);
  });

  it("counts the claims of recipes as the book does", () => {
    const [, systems, claims, shown, held] =
      /\[(\d+)\]\(recipes\/README\.md\), with (\d+) claims \| (\d+) claims hold, (\d+) of them headline claims/.exec(
        readme,
      )!;
    const book = text("recipes/README.md").replace(/\s+/g, " ");
    expect(book).toContain(`${systems} are measured`);
    expect(book).toContain(`of ${claims} claims ${shown} are shown`);
    expect(book).toContain(`${held} of ${systems} headline claims hold`);
  });
});

it("docs/commands.md lists every command", () => {
  const page = text("docs/commands.md");
  const commands = readdirSync(join(root, "packages/reins/src/commands"))
    .filter((file) => file.endsWith(".ts") && !/test/.test(file))
    .map((file) => file.slice(0, -3));
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter((name) => !new RegExp(`\\| .reins ${name}\\b`).test(page))).toEqual([]);
});
