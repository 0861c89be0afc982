import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageFolder } from "./assets.ts";
import { writeSite } from "./site.ts";
import { openStudio } from "./studio.ts";
import { madeUpBook } from "./testing-recipes.ts";

const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (file) => file && existsSync(file),
);
const root = mkdtempSync(join(tmpdir(), "reins-recipes-page-"));
let browser: Browser;
beforeAll(async () => {
  if (executablePath) browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
});

async function visit(address: string, look: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (e) => wrong.push(e.message));
  page.on("console", (m) => m.type() === "error" && wrong.push(m.text()));
  await page.goto(address);
  await look(page);
  expect(wrong).toEqual([]);
  await page.close();
}

/** The table and a recipe, wherever they come from. */
async function lookAround(page: Page): Promise<void> {
  const rows = page.locator("table.recipes tbody tr");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(2);
  expect(await rows.first().textContent()).toContain("<b>markup</b>");
  await page.getByRole("checkbox", { name: "Every claim" }).check();
  await page.getByText("new against old: speed").waitFor();
  await page.getByRole("checkbox", { name: "Every claim" }).uncheck();
  await page.getByRole("button", { name: /^to write/ }).click();
  expect(await rows.allTextContents()).toEqual([expect.stringContaining("two")]);
  await rows.getByRole("link", { name: "two" }).click();
  await page.getByText("It has no recipe yet").waitFor();
  await page.goBack();
  await page.getByRole("button", { name: /^all/ }).click();
  await page.getByRole("searchbox").fill("better nothing");
  await page.getByText("No system is like that").waitFor();
  await page.getByRole("searchbox").fill("one");
  await page.getByRole("link", { name: "one" }).click();
  await page.getByText("It is better by 2.").waitFor();
  // Three seeds and three of a check: a value is missing in each.
  expect(await page.locator("svg.points circle").count()).toBe(10);
  expect(await page.locator("svg.points .join").count()).toBe(4);
  expect(await page.locator("svg.points .join.check").count()).toBe(2);
  await page.getByRole("link", { name: "Source" }).click();
  expect(await page.locator("pre.code").textContent()).toBe("export default recipe({});\n");
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("Measured again because it was wrong.").waitFor();
}

describe.skipIf(!executablePath || !existsSync(join(pageFolder, "index.html")))("the page of recipes", () => {
  it("shows the table, every seed and the source", async () => {
    const studio = await openStudio({ root, port: 0, parts: { recipes: madeUpBook } });
    try {
      await visit(`${studio.address}#/recipes`, lookAround);
    } finally {
      await studio.close();
    }
  });

  it("says what to do where there is no book", async () => {
    const studio = await openStudio({ root, port: 0 });
    try {
      await visit(`${studio.address}#/recipes`, async (page) => {
        await page.getByText("There is no recipe book here").waitFor();
      });
    } finally {
      await studio.close();
    }
  });

  it("is a site of plain files as well, at any address", async () => {
    const site = join(root, "site");
    await writeSite(site, { recipes: madeUpBook });
    const types: Record<string, string> = {
      ".html": "text/html",
      ".js": "text/javascript",
      ".css": "text/css",
    };
    const server = createServer((request, response) => {
      const name = new URL(request.url!, "http://x").pathname.replace(/^\/under\//, "") || "index.html";
      if (!existsSync(join(site, name))) return response.writeHead(404).end();
      const type = types[extname(name)] ?? (name.endsWith(".svg") ? "image/svg+xml" : "application/json");
      return response.writeHead(200, { "content-type": type }).end(readFileSync(join(site, name)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}/under/`, async (page) => {
        await lookAround(page);
        expect(await page.getByRole("link", { name: "Runs" }).count()).toBe(0);
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
