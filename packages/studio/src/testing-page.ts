import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

/** The Chromium of this machine, or the one that the variable names; absent where there is none. */
export const program = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((file) => file && existsSync(file));

/** A browser, to be closed by who opens it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** A page that remembers what went wrong in it. */
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

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is wrong with a page for people who see or move differently, in words. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      }
    ).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((n) => `${id}: ${n.html.slice(0, 160)} ${n.failureSummary}`),
    );
  });
}

const pictures = fileURLToPath(new URL("../../../docs/pictures", import.meta.url));

/** Takes the pictures of the docs anew where `REINS_PICTURES` asks for it. */
export async function pictureOf(page: Page, name: string): Promise<void> {
  if (!process.env.REINS_PICTURES) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
