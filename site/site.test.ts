import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { algorithms } from "@reins/algorithms";
import { chromium, type Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { drawCurves, roundTicks } from "./.vitepress/theme/curve.ts";
import { decodeProgram, encodeProgram, trainingProgram } from "./.vitepress/theme/programs.ts";
import { boundsOf } from "./.vitepress/theme/slider.ts";
import { textOf } from "./.vitepress/theme/value-text.ts";
import { equations } from "./generator/equations.ts";
import { imageAttributes } from "./generator/images.ts";
import { Links } from "./generator/links.ts";
import { filesIn, pageFiles, pageOf, root, slugOf } from "./generator/repository.ts";
import { guides } from "./generator/sidebar.ts";

const dist = join(root, "site/dist");
const program = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((file) => file && existsSync(file));

/** Serves the built site. Resolves to its address. */
async function serveSite(): Promise<string> {
  const types: Readonly<Record<string, string>> = {
    ...{ ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" },
  };
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = join(dist, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    const found = file.startsWith(dist) && existsSync(file);
    response.writeHead(found ? 200 : 404, { "content-type": types[extname(file)] ?? "text/plain" });
    response.end(found ? readFileSync(file) : "");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("every guide is a page, and no two share an address", () => {
  const pages = pageFiles().map(pageOf);
  expect(pages).toContain("index.md");
  expect(pages).toContain("algorithms/ppo.md");
  expect(new Set(pages).size).toBe(pages.length);
});

it("every algorithm has an equation, in lines that fit into the page", () => {
  expect(Object.keys(equations).sort()).toEqual(Object.keys(algorithms).sort());
  const lines = Object.values(equations).flatMap((text) => text.split("\n"));
  expect(lines.filter((line) => line.length > 72)).toEqual([]);
});

it("every guide has a subject; the rest is reference", () => {
  const listed = Object.values(guides).flat();
  const rest = readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/\.md$/, ""));
  expect(rest.filter((name) => !listed.includes(name))).toEqual(["api", "commands", "glossary", "renamed"]);
});

it("images get an address in the site and their size", () => {
  const links = new Links({ origins: new Map([["index.md", "README.md"]]), api: [] });
  const image = "docs/pictures/lunar-lander.gif";
  expect(links.resolve("index.md", image)).toBe(`/images/${image}`);
  expect(imageAttributes(image)).toMatchObject({ width: "480", height: "320" });
  expect(imageAttributes("docs/pictures/studio-run.png", 640)).toMatchObject({ width: "640", height: "450" });
});

it("anchors are those of GitHub", () => {
  expect(slugOf("Without a bundler")).toBe("without-a-bundler");
  expect(slugOf("`reins/core`: types & names")).toBe("reinscore-types--names");
});

describe("curves", () => {
  it("have round numbers on their axes", () => {
    expect(roundTicks(0, 500, 4)).toEqual([0, 200, 400, 600]);
    expect(roundTicks(-1200, -150, 4)).toEqual([-1500, -1000, -500, 0]);
  });

  it("stay inside their frame, also with a single value", () => {
    const frame = { left: 0, right: 100, top: 0, bottom: 50 };
    const rising = [
      { step: 0, value: 0 },
      { step: 10, value: 400 },
    ];
    expect(drawCurves([rising], 10, frame).paths).toEqual(["M0.0 50.0L100.0 0.0"]);
    expect(drawCurves([[{ step: 5, value: 3 }]], 10, frame).paths).toEqual(["M50.0 25.0"]);
    expect(drawCurves([[]], 10, frame).paths).toEqual([""]);
  });
});

it("sliders return the usual value at its own position", () => {
  for (const [name, value] of [
    ["learningRate", 3e-4],
    ["gamma", 0.99],
    ["tau", 1],
    ["batch", 128],
  ] as const) {
    const slider = boundsOf({ name, value, about: "" });
    expect(slider.at(slider.position(value))).toBe(value);
    expect(slider.at(slider.max)).toBeGreaterThan(slider.at(slider.min));
    if (name === "gamma" || name === "tau") expect(slider.at(slider.max)).toBeLessThanOrEqual(1);
  }
});

it("programs survive an address", () => {
  const text = 'console.log("ε = 0.1 → 🎲", 1 < 2);\n';
  expect(decodeProgram(encodeProgram(text))).toBe(text);
  expect(decodeProgram("#sizes")).toBeUndefined();
});

it("an algorithm's page shows the program of its run", () => {
  const run = { algorithm: "ppo", env: "CartPole-v1", steps: 60_000, seed: 3 };
  expect(trainingProgram({ ...run, settings: {} })).not.toContain("settings");
  expect(trainingProgram({ ...run, settings: {} })).not.toContain("enableWebGPU");
  expect(trainingProgram({ ...run, settings: {}, webgpu: true })).toContain(
    'from "reins/tensor/webgpu";\n\nawait enableWebGPU();\nconst agent',
  );
  const program = trainingProgram({ ...run, settings: { learningRate: 0.01, clip: 0.3 } });
  expect(program).toContain("steps: 60_000,\n  seed: 3,\n  settings: { learningRate: 0.01, clip: 0.3 },");
});

it("output shows values as text", () => {
  expect(textOf("a")).toBe("a");
  expect(textOf({ a: [1, 2] })).toBe('{"a":[1,2]}');
  expect(textOf(new Float32Array([1, 2]))).toBe("[1, 2]");
});

describe("the built site", () => {
  it.skipIf(!program)(
    "has titles, finds terms, trains in an algorithm's page and runs programs",
    { tags: ["slow"], timeout: 1_200_000 },
    async () => {
      const vitepress = join(root, "node_modules/vitepress/bin/vitepress.js");
      await promisify(execFile)(process.execPath, [vitepress, "build", "site"], { cwd: root });
      const pages = filesIn("site/dist", ".html").filter((file) => !file.startsWith("site/dist/source/"));
      expect(pages.length).toBeGreaterThan(100);
      const untitled = pages.filter(
        (file) =>
          !/<title>[^<|]+ \| Reins<\/title>|<title>Reins<\/title>/.test(
            readFileSync(join(root, file), "utf8"),
          ),
      );
      expect(untitled).toEqual([]);

      const address = await serveSite();
      const browser = await chromium.launch({
        executablePath: program,
        args: ["--no-sandbox", "--disable-dev-shm-usage"],
      });
      onTestFinished(() => browser.close());
      const faults: string[] = [];
      const open = async (width: number) => {
        const context = await browser.newContext({ viewport: { width, height: 844 } });
        const page = await context.newPage();
        page.setDefaultTimeout(120_000);
        page.on("pageerror", ({ message }) => faults.push(message));
        return page;
      };
      const [phone, desk] = [await open(390), await open(1280)];
      for (const [page, name] of [
        [phone, "ppo"],
        [desk, "ppo"],
        [desk, "sac"],
      ] as const)
        await trainsIn(page, `${address}/algorithms/${name}.html`);
      await runsAndShares(phone, `${address}/playground.html`);
      await finds(desk, `${address}/`);
      expect(faults).toEqual([]);
    },
  );
});

const ended = '[data-phase="finished"], [data-phase="failed"]';

/** Moves a slider of an algorithm's page, moves it back, and trains. The curve must rise. */
async function trainsIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  const code = page.getByLabel("Program of this run");
  const slider = page.getByRole("slider").first();
  const programAfter = (action: () => Promise<void>) =>
    expect.poll(() => action().then(() => code.textContent()), { timeout: 60_000 });
  // Repeated, because sliders hydrate when they become visible.
  await programAfter(() => slider.press("ArrowRight")).toContain("settings: { learningRate:");
  await programAfter(() => slider.dblclick()).not.toContain("settings");
  await page.getByRole("button", { name: "Train" }).click();
  await page.waitForSelector(ended);
  expect(await page.textContent(".live-status")).toMatch(
    /^Finished: the mean return of 10 new episodes is −?\d/,
  );
  const heights = [...(await page.getAttribute(".curve .line", "d"))!.matchAll(/ ([\d.]+)/g)].map(([, y]) =>
    Number(y),
  );
  expect(heights.length).toBeGreaterThan(5);
  // Coordinates of SVG grow downwards.
  expect(heights.at(-1)).toBeLessThan(heights[0] - 50);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

/** Runs a program of the playground, and opens it in another page by its address. */
async function runsAndShares(page: Page, address: string): Promise<void> {
  const text = 'const x: number = 41;\nplot(0, 1);\nconsole.log("sum", x + 1);';
  await page.goto(address);
  await page.getByLabel("Program", { exact: true }).fill(text);
  await expect
    .poll(
      () =>
        page
          .getByRole("button", { name: "Share" })
          .click()
          .then(() => page.url()),
      { timeout: 60_000 },
    )
    .toContain(encodeProgram(text));
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect
    .poll(() => other.getByLabel("Program", { exact: true }).inputValue(), { timeout: 60_000 })
    .toBe(text);
  await other.getByRole("button", { name: "Run" }).click();
  await other.waitForSelector(ended);
  expect(await other.textContent(".output")).toBe("sum 42");
  await other.close();
}

/** Terms that newcomers search for, and a page that must be among the first three results. */
const searches: Readonly<Record<string, string>> = {
  "replay buffer": "Glossary",
  "reward model": "Language models",
  "discount factor": "Glossary",
  "rollout workers": "Environments",
  "vectorized environments": "Environments",
  callbacks: "Agents",
  GAE: "Glossary",
  "KL penalty": "ppo-penalty",
};

async function finds(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("button", { name: "Search" }).first().click();
  for (const [term, wanted] of Object.entries(searches)) {
    await page.getByRole("searchbox").fill(term);
    const first = async () =>
      (await page.locator(".VPLocalSearchBox .result .titles").allTextContents()).slice(0, 3).join("; ");
    await expect.poll(first, { message: term, timeout: 60_000 }).toContain(wanted);
  }
}
