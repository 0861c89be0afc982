import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStudio, writeSite } from "@reins/studio";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../packages/studio/dist/testing.js";
import { openBrowser, openPage, program, servePlainly } from "../../../packages/studio/dist/testing-page.js";
import { madeUpBook } from "../../../packages/studio/dist/testing-recipes.js";

/** Timeout on a slow machine. */
const within = { timeout: 60_000 };

let browser: Browser | undefined;
beforeAll(async () => {
  if (program) browser = await openBrowser();
});
afterAll(() => browser?.close());

async function visit(address: string, look: (page: Page) => Promise<void>): Promise<void> {
  const { page, faults } = await openPage(browser!, address);
  await look(page);
  expect(faults).toEqual([]);
  await page.close();
}

/** The address of a studio with these parts, for one test. */
async function studioWith(parts: Parameters<typeof openStudio>[0] = {}): Promise<string> {
  const studio = await openStudio({ root: folder(), port: 0, ...parts });
  onTestFinished(() => studio.close());
  return studio.address;
}

/** Checks the table and a recipe, from a studio or a static site. */
async function lookAround(page: Page): Promise<void> {
  const rows = page.locator("table.recipes tbody tr");
  await expect.poll(() => rows.count(), within).toBe(2);
  await expect.poll(() => rows.first().textContent(), within).toContain("<b>markup</b>");
  await page.getByRole("checkbox", { name: "All claims" }).check();
  await page.getByText("new against old: speed").waitFor();
  await page.getByRole("checkbox", { name: "All claims" }).uncheck();
  await page.getByRole("combobox", { name: "Level" }).selectOption("works");
  await expect.poll(() => rows.allTextContents(), within).toEqual([expect.stringContaining("one")]);
  await page.getByRole("combobox", { name: "Level" }).selectOption("measured");
  await page.getByText("No recipes match.").waitFor();
  await page.getByRole("combobox", { name: "Level" }).selectOption("");
  await page.getByRole("button", { name: /^to write/ }).click();
  await expect.poll(() => rows.allTextContents(), within).toEqual([expect.stringContaining("two")]);
  await rows.getByRole("link", { name: "two" }).click();
  await page.getByText("No recipe yet").waitFor();
  await page.goBack();
  await page.getByRole("button", { name: /^all/ }).click();
  await page.getByRole("searchbox").fill("better nothing");
  await page.getByText("No recipes match. Clear the search.").waitFor();
  await page.getByRole("searchbox").fill("one");
  await page.getByRole("link", { name: "one" }).click();
  await page.getByText("It is better by 2.").waitFor();
  // Three seeds and three of a check, each with one value missing.
  const count = (selector: string) => expect.poll(() => page.locator(selector).count(), within);
  await count("svg.points circle").toBe(10);
  await count("svg.points .join").toBe(4);
  await count("svg.points .join.check").toBe(2);
  await page.getByRole("link", { name: "Source" }).click();
  await expect
    .poll(() => page.locator("pre.code").textContent(), within)
    .toBe("export default recipe({});\n");
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("Measured again because it was wrong.").waitFor();
}

describe.skipIf(!program)("the page of recipes", () => {
  it("shows the table, every seed and the source", async () => {
    await visit(`${await studioWith({ parts: { recipes: madeUpBook } })}#/recipes`, lookAround);
  });

  it("explains where to find recipes if there are none", async () => {
    await visit(`${await studioWith()}#/recipes`, (page) => page.getByText("No recipes found").waitFor());
  });

  it("opens from a page on disk, and removes the token from the URL", async () => {
    const address = await studioWith();
    const file = join(folder(), "open.html");
    writeFileSync(file, `<meta http-equiv="refresh" content="0; url=${address}">`);
    const { page } = await openPage(browser!, `file://${file}`);
    await page.getByRole("navigation").waitFor();
    await expect.poll(() => page.url(), within).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(#.*)?$/);
    await page.close();
    const stranger = await openPage(browser!, new URL("/", address).href);
    await stranger.page.getByRole("heading", { name: "This studio needs its token." }).waitFor();
    await stranger.page.close();
  });

  it("works as a static site at any address", async () => {
    const site = join(folder(), "site");
    await writeSite(site, { recipes: madeUpBook });
    await visit(await servePlainly(site, "/under/"), async (page) => {
      await lookAround(page);
      expect(await page.getByRole("link", { name: "Runs" }).count()).toBe(0);
    });
  });
});
