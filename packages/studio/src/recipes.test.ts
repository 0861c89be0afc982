import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { studioApp } from "./app.ts";
import type { StudioParts } from "./parts.ts";
import { writeSite } from "./site.ts";
import { madeUpBook } from "./testing-recipes.ts";

const root = mkdtempSync(join(tmpdir(), "reins-studio-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function ask(path: string, parts: StudioParts): Promise<[number, unknown]> {
  const app = studioApp(root, parts, { hosts: new Set(["localhost"]), token: "secret" });
  const response = await app.request(`http://localhost${path}`, {
    headers: { host: "localhost", authorization: "Bearer secret" },
  });
  return [response.status, await response.json()];
}

it("lists recipes, and returns the details of one", async () => {
  const parts = { recipes: madeUpBook };
  expect(await ask("/api/recipes", parts)).toEqual([200, await madeUpBook.list()]);
  expect(await ask("/api/recipes/one", parts)).toEqual([200, await madeUpBook.one("one")]);
  expect(await ask("/api/recipes/three", parts)).toEqual([
    404,
    { error: "the recipe book has no system three" },
  ]);
});

it("reports a missing book", async () => {
  const [status, answer] = await ask("/api/recipes", {});
  expect([status, answer]).toEqual([200, { recipes: [], missing: expect.stringContaining("without") }]);
  expect((await ask("/api/recipes/one", {}))[0]).toBe(404);
});

it("writes a static site: the page with its mark, the list, and a file per recipe", async () => {
  const [page, site] = [mkdtempSync(join(root, "page-")), mkdtempSync(join(root, "site-"))];
  writeFileSync(join(page, "index.html"), "<html><head></head></html>");
  await writeSite(site, { recipes: madeUpBook }, page);
  expect(readFileSync(join(site, "index.html"), "utf8")).toContain('<meta name="reins-book"');
  const read = (path: string) => JSON.parse(readFileSync(join(site, "data", path), "utf8"));
  expect(read("recipes.json")).toEqual(await madeUpBook.list());
  expect(readdirSync(join(site, "data/recipes"))).toEqual(["one.json"]);
  expect(read("recipes/one.json")).toEqual(await madeUpBook.one("one"));
});
