import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, chromium as playwright } from "playwright-core";
import { onTestFinished } from "vitest";
import { pageFolder } from "./assets.ts";

/** The Chromium of this machine, or the one that the variable names; absent where there is none. */
const browserFile = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((file) => file && existsSync(file));

/** Whether there are a browser and a page to test. */
export const testable = browserFile !== undefined && existsSync(join(pageFolder, "index.html"));

/** An empty folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "reins-studio-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A page of a browser that is gone after the test, and what it complains of. */
export async function openPage(): Promise<{ page: Page; errors: string[] }> {
  const browser = await playwright.launch({
    executablePath: browserFile,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
  return { page, errors };
}

/** The files of the page at some server that knows nothing else. Resolves to its address. */
export async function servePlainly(): Promise<string> {
  const types: Readonly<Record<string, string>> = {
    html: "text/html",
    js: "text/javascript",
    css: "text/css",
  };
  const server = createServer(({ url = "/" }, response) => {
    const file = join(pageFolder, url === "/" ? "index.html" : url.replace(/\?.*/, ""));
    const found = file.startsWith(pageFolder) && existsSync(file);
    response.writeHead(found ? 200 : 404, {
      "content-type": types[file.split(".").at(-1)!] ?? "application/octet-stream",
    });
    response.end(found ? readFileSync(file) : "Not found.");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
