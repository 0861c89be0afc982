import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { pageFolder } from "./assets.ts";

/** The path of Chromium, from the system or an environment variable; undefined if not installed. */
export const program = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((file) => file && existsSync(file));

/** Launches a browser. The caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** Opens a page that records its errors. */
export async function openPage(
  browser: Browser,
  address: string,
  options: { dark?: boolean; narrow?: boolean } = {},
): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({
    viewport: options.narrow ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    colorScheme: options.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (said) => said.type() === "error" && faults.push(said.text()));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, faults };
}

/** The themes and widths of accessibility checks: `npm test` uses the first, `npm run test:all` both. */
export const looks: readonly { name: string; tags: string[]; dark?: boolean; narrow?: boolean }[] = [
  { name: "dark and narrow", tags: [], dark: true, narrow: true },
  { name: "light and wide", tags: ["slow"] },
];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Accessibility violations of a page, as text. */
async function barriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      }
    ).axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((n) => `${id}: ${n.html.slice(0, 160)} ${n.failureSummary}`),
    );
  });
}

/** Shows another route of an open page, and waits until the document has not changed for 200 ms. */
export async function showRoute(page: Page, route: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, route);
  await page.locator("h1").waitFor();
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const settled = () => {
          observer.disconnect();
          resolve();
        };
        let timer = setTimeout(settled, 200);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(settled, 200);
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );
}

/** Accessibility violations of the current route, and whether it is too wide. A page that is still loading gets ten seconds. */
export async function routeProblems(page: Page): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const problems = await barriers(page);
    if (!(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)))
      problems.push("wider than the window");
    if (problems.length === 0 || attempt === 20) return problems;
    await page.waitForTimeout(500);
  }
}

/** Visits routes of an open page. Each must be accessible and fit the window's width. Returns the violations. */
export async function problemsAt(page: Page, routes: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const route of routes) {
    await showRoute(page, route);
    problems.push(...(await routeProblems(page)).map((problem) => `${route}: ${problem}`));
  }
  return problems;
}

const pictures = fileURLToPath(new URL("../../../docs/pictures", import.meta.url));

/** Takes a screenshot for the docs if `REINS_PICTURES` is set. */
export async function pictureOf(page: Page, name: string): Promise<void> {
  if (!process.env.REINS_PICTURES) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Serves the files of a folder (default: the page) without the studio. Resolves to the address. */
export async function servePlainly(folder = pageFolder, under = "/"): Promise<string> {
  const types: Readonly<Record<string, string>> = {
    ...{ html: "text/html", js: "text/javascript", css: "text/css" },
    ...{ svg: "image/svg+xml", json: "application/json" },
  };
  const server = createServer(({ url = "/" }, response) => {
    const name = new URL(url, "http://x").pathname.slice(under.length) || "index.html";
    const file = join(folder, name);
    const found = file.startsWith(folder) && existsSync(file);
    response.writeHead(found ? 200 : 404, {
      "content-type": types[name.split(".").at(-1)!] ?? "application/octet-stream",
    });
    response.end(found ? readFileSync(file) : "Not found.");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${under}`;
}
