import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeSite } from "@reins/studio";
import { expect, it } from "vitest";
import { madeUpBook } from "../../../studio/dist/testing-recipes.js";
import { folder, reins } from "../cli/testing.ts";
import { exportSite } from "./export-site.ts";

/** Collects output. */
function notes() {
  let said = "";
  const to = { write: (text: string) => (said += text) };
  return { io: { out: to, err: to }, said: () => said };
}

it("writes the page and the recipes as static files, and overwrites its own", async () => {
  const site = join(folder(), "site");
  const { io, said } = notes();
  for (let i = 0; i < 2; i++) await exportSite(site, madeUpBook, writeSite, io);
  expect(readFileSync(join(site, "index.html"), "utf8")).toContain("reins-book");
  expect(JSON.parse(readFileSync(join(site, "data", "recipes.json"), "utf8")).recipes).toHaveLength(2);
  expect(existsSync(join(site, "data", "recipes", "one.json"))).toBe(true);
  expect(said()).toContain("the recipes (2 in the book) and the page that trains");
});

it("is a flag of reins studio, which skips missing recipes", async () => {
  const empty = folder();
  const site = join(empty, "site");
  const { code, out, err } = await reins("studio", "--export", site, "--recipes", empty);
  expect([code, err]).toEqual([0, expect.stringContaining("recipes are not included: recipes: ")]);
  expect(out).toContain(`npx serve ${site}`);
  expect(existsSync(join(site, "index.html"))).toBe(true);
  expect((await reins("studio", "--help")).out).toContain("--export FOLDER");
});

it("refuses other folders, and accepts no runs", async () => {
  const mine = folder();
  writeFileSync(join(mine, "index.html"), "my page");
  const { code, err } = await reins("studio", "--export", mine);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("was not exported by the studio. Name a new folder"),
  ]);
  expect(readFileSync(join(mine, "index.html"), "utf8")).toBe("my page");
  expect((await reins("studio", "runs", "--export", mine)).err).toContain("unexpected argument");
});
