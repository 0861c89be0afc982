import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { apiPages } from "./api-pages.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

it("docs/api is up to date with the sources: npm run bench -- pages regenerates it", () => {
  const pages = apiPages(root);
  expect(readdirSync(join(root, "docs/api")).sort()).toEqual([...pages.keys()].sort());
  for (const [name, text] of pages)
    expect(
      readFileSync(join(root, "docs/api", name), "utf8") === text,
      `docs/api/${name} is not up to date`,
    ).toBe(true);
});

it("declarations are shown without private members", () => {
  const pages = apiPages(root);
  expect(pages.get("reins-core-policies.md")).toContain("function actorCritic(");
  const core = pages.get("reins-core.md")!;
  expect(core).toMatch(/^class Run /m);
  expect(core).not.toMatch(/^ +private /m);
});
