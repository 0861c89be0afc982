import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStudio, type Studio } from "@reins/studio";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRun } from "../../../studio/dist/testing.js";
import { looks, openBrowser, openPage, problemsAt, program } from "../../../studio/dist/testing-page.js";
import { madeUpBook } from "../../../studio/dist/testing-recipes.js";
import { askRun } from "../training/ask-run.ts";

/** Timeout on a slow machine. */
const within = { timeout: 60_000 };
const reins = fileURLToPath(new URL("../../bin/reins.js", import.meta.url));

/** A run with a recorded episode of three steps: a red circle moves from left to right. */
function writeFilm(root: string): void {
  const path = writeRun(root, "filmed");
  mkdirSync(join(path, "episodes"));
  const circle = (x: number) => ({ kind: "circle", center: [x, 50], radius: 20, color: "#ff0000" });
  const frames = [20, 50, 80].map((x) => ({ drawing: { width: 100, height: 100, shapes: [circle(x)] } }));
  const column = (type: string, data: number[], ...more: number[]) => ({ type, shape: [3, ...more], data });
  const episode = {
    ...{ steps: 100, length: 3, return: [6] },
    episodes: [
      {
        ...{ return: [6], terminated: true, truncated: false, role: "greedy", info: { every: 1, frames } },
        columns: Object.fromEntries(
          ["action", "reward", "value", "probabilities"].map((c) => [c, { $tensor: `0.columns.${c}` }]),
        ),
        segments: [{ from: 0, to: 3 }],
      },
    ],
    inline: {
      "0.columns.action": column("i32", [0, 1, 1]),
      "0.columns.reward": column("f32", [1, 2, 3]),
      "0.columns.value": column("f32", [6, 5, 3]),
      "0.columns.probabilities": column("f32", [0.75, 0.25, 0.5, 0.5, 0, 1], 2),
    },
  };
  writeFileSync(join(path, "episodes", "1.json"), JSON.stringify(episode));
}

/** A language run with two samples of one problem, a correct one and a wrong one. */
function writeWords(root: string): void {
  const path = writeRun(root, "words");
  const line = (reward: number, advantage: number) => ({
    ...{
      version: 1,
      step: 10,
      task: "sum",
      by: "policy",
      prompt: "2+2=",
      answer: "4",
      score: reward,
      reward,
    },
    ...{ segments: [{ from: 0, to: 4 }], first: "2", tokens: ["+", "2=", "4", "ok"] },
    ...{ makers: ["hint", "hint", "policy", "tool"], turns: [0, 0, 1, 0], logProbs: [0, 0, -0.5, 0] },
    ...{ rewards: [0, 0, reward, 0], advantages: [0, 0, advantage, 5], terms: { form: 0.25 } },
  });
  writeFileSync(
    join(path, "transcripts.jsonl"),
    `${JSON.stringify(line(1, 0.5))}\n${JSON.stringify(line(0, -0.5))}\n`,
  );
}

describe.skipIf(!program)("the page", () => {
  const root = mkdtempSync(join(tmpdir(), "reins-studio-"));
  let browser: Browser;
  let studio: Studio;
  let training: ChildProcess;
  const open = (hash: string, look = {}) => openPage(browser, `${studio.address}#${hash}`, look);

  beforeAll(async () => {
    // A long run that trains during all tests.
    training = spawn(
      process.execPath,
      [reins, "train", "ppo", "CartPole-v1", "--steps", "100M", "--quiet", "--directory", join(root, "live")],
      { stdio: "ignore", env: { ...process.env, REINS_BACKEND: "wasm", REINS_THREADS: "1" } },
    );
    for (const [seed, score] of [
      [1, 100],
      [2, 140],
      [3, 120],
    ] as const)
      writeRun(root, `slow-${seed}`, {
        config: { seed, options: { learningRate: 0.001 } },
        rows: Array.from({ length: 50 }, (_, i) => ({
          step: (i + 1) * 100,
          "return/mean": (score * (i + 1)) / 50,
        })),
        summary: { status: "finished", steps: 5000, return: { mean: score, episodes: 10 } },
      });
    for (const [seed, score] of [
      [1, 200],
      [2, 200],
    ] as const)
      writeRun(root, `fast-${seed}`, {
        config: { seed, options: { learningRate: { signal: "linear", from: 0.01, to: 0 } } },
        rows: Array.from({ length: 50 }, (_, i) => ({
          step: (i + 1) * 100,
          "return/mean": score,
          "setting/learningRate": 0.01 - i * 2e-4,
        })),
        summary: { status: "finished", steps: 5000, return: { mean: score, episodes: 10 } },
      });
    writeFilm(root);
    writeWords(root);
    [studio, browser] = await Promise.all([
      openStudio({ root, port: 0, parts: { control: askRun, recipes: madeUpBook } }),
      openBrowser(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    training?.kill("SIGKILL");
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  it("follows and controls a run in training", async () => {
    const { page, faults } = await open("/runs");
    const row = page.locator("tr", { hasText: "live" });
    await row.getByText("running").waitFor();
    await row.getByRole("link", { name: "live" }).click();
    const chart = page.locator("figure.chart", { hasText: "return/mean" });
    const points = async () => Number(await chart.getAttribute("data-points"));
    await expect.poll(points, within).toBeGreaterThan(1);
    const before = await points();
    await expect.poll(points, within).toBeGreaterThan(before);
    await page.getByText("Settings that can be changed during training").click();
    await page.getByLabel("learningRate as a number").fill("0.000123");
    await page.getByLabel("learningRate as a number").press("Enter");
    await page.getByText("learningRate is 1.23e−4").waitFor();
    const state = async () => (await askRun(join(root, "live"), { do: "status" })).state;
    expect((await state()).settings.learningRate).toBe(0.000123);
    // The new value stays visible until the run reports it.
    await expect.poll(() => page.getByLabel("learningRate as a number").inputValue(), within).toBe("1.23e-4");
    await page.getByLabel("learningRate as a number").fill("0,2");
    await page.getByLabel("learningRate as a number").press("Enter");
    await page.getByText("0,2 is not a valid number.").waitFor();
    await page.getByLabel("learningRate as a number").fill("-1");
    await page.getByLabel("learningRate as a number").press("Enter");
    await page.getByText("set: learningRate is -1").waitFor();
    expect(await page.getByText(root).count()).toBe(0);
    const slider = page.locator(".slider", { hasText: "entropyWeight" }).locator("input[type=range]");
    await slider.focus();
    await slider.press("End");
    await expect.poll(async () => (await state()).settings.entropyWeight, within).toBe(1);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Continue" }).waitFor();
    await expect.poll(async () => (await state()).paused, within).toBe(true);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("stopped").first().waitFor(within);
    // Only the refused command.
    expect(faults).toEqual([expect.stringContaining("409")]);
    await page.close();
  });

  it("compares runs", async () => {
    const runs = ["slow-1", "slow-2", "slow-3", "fast-1", "fast-2"].join(",");
    const { page, faults } = await open(`/compare?runs=${runs}&by=seed`);
    const row = (label: string) =>
      page.getByRole("region", { name: "Scores" }).locator("tr", { hasText: label });
    // The mean of 100, 120 and 140 and its interval: 4.303 standard errors of 20 / sqrt(3).
    await row("learningRate=0.001").getByText("[70.32, 169.7]").waitFor();
    await row("learningRate=linear(0.01, 0)").getByText("[200, 200]").first().waitFor();
    const differ = page.getByRole("region", { name: "Settings that differ" });
    await differ.locator("summary").click();
    await differ.getByRole("cell", { name: "linear(0.01, 0)" }).first().waitFor();
    await expect
      .poll(async () => page.locator("figure.chart").first().textContent(), within)
      .toContain("return/mean120200");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    const text = readFileSync((await download.path())!, "utf8");
    const last = text
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("learningRate=0.001,"))
      .at(-1)!
      .split(",")
      .map(Number);
    expect(last.slice(1).map((x) => Math.round(100 * x) / 100)).toEqual([5000, 120, 70.32, 169.68]);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("plays an episode step by step", async () => {
    const { page, faults } = await open("/run/filmed/episodes");
    const red = () =>
      page.locator("canvas").evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        const at = (x: number) =>
          [...canvas.getContext("2d")!.getImageData(width * x, height / 2, 1, 1).data].slice(0, 3).join();
        return [0.2, 0.5, 0.8].map((x) => at(x) === "255,0,0");
      });
    await expect.poll(red, within).toEqual([true, false, false]);
    await page.getByLabel("One step forward").click();
    await expect.poll(red, within).toEqual([false, true, false]);
    await expect.poll(() => page.locator(".bars .bar-chosen i").textContent(), within).toBe("1");
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByText("terminated here").waitFor();
    await expect.poll(red, within).toEqual([false, false, true]);
    const total = page.locator(".strip", { hasText: "return so far" }).locator("b");
    await expect.poll(() => total.textContent(), within).toBe("6");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("colours the tokens that are trained on, and counts tokens alike in list and detail", async () => {
    const { page, faults } = await open("/run/words/transcripts");
    const colours = (article: number) =>
      page
        .locator("article")
        .nth(article)
        .locator(".token")
        .evaluateAll((all) => all.map((token) => (token as HTMLElement).style.background));
    await expect.poll(() => page.locator("article").count(), within).toBe(2);
    // The newest transcript comes first; of the others only the answer is shown.
    const names = async (article: number) =>
      (await colours(article)).map((c) => /--(\w+)/.exec(c)?.[1] ?? "");
    await expect
      .poll(async () => [await names(0), await names(1)], within)
      .toEqual([
        ["", "", "", "bad", ""],
        ["good", ""],
      ]);
    await page.getByText("2 samples of the same problem, mean reward 0.5").waitFor();
    const count = "4 tokens (1 trained on)";
    await page.locator(".texts li", { hasText: count }).first().waitFor();
    await page.locator("article").first().getByText(count).waitFor();
    await page.getByText("−0.5 worse").waitFor();
    await page.getByLabel("Colour").selectOption("author");
    await expect.poll(() => names(0), within).toEqual(["", "", "", "accent", "good"]);
    await page.locator("body").press("ArrowRight");
    await page.getByText("2 of 2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByText("1 of 2", { exact: true }).waitFor();
    await page.getByLabel("Reward from").fill("0.5");
    await page.locator(".turn-over", { hasText: "1 of 2 transcripts" }).waitFor();
    await expect.poll(() => page.locator(".texts li").count(), within).toBe(1);
    // Transcripts that do not match are not loaded, and the filter is kept while another tab is open.
    await expect.poll(() => page.locator("article").count(), within).toBe(1);
    await page.getByRole("link", { name: "Curves" }).click();
    await page.locator("figure.chart").first().waitFor();
    await page.getByRole("link", { name: "Transcripts" }).click();
    await page.locator(".turn-over", { hasText: "1 of 2 transcripts" }).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows missing runs and pages, and a studio that does not answer", async () => {
    const { page } = await open("/run/nothing");
    await page.getByText("nothing: no such run").waitFor();
    await page.getByRole("link", { name: "All runs" }).click();
    await page.getByRole("button", { name: "slow" }).waitFor();
    await page.goto(`${studio.address}#/run/slow-1/nowhere`);
    await page.getByRole("link", { name: "Curves" }).and(page.locator("[aria-current=page]")).waitFor();
    await page.goto(`${studio.address}#/run`);
    await page.getByText("The URL does not name a run.").waitFor();
    await page.goto(`${studio.address}#/nowhere`);
    await page.getByRole("heading", { name: "Page not found." }).waitFor();
    await page.route("**/assets/recipes-*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Recipes" }).click();
    await page.getByRole("heading", { name: "The studio does not answer." }).waitFor();
    await page.close();
  });

  it("names the transcript that cannot be read", async () => {
    const { page, faults } = await open("/runs");
    await page.route("**/transcripts/1", (route) =>
      route.fulfill({ json: { version: 1, step: 1, tokens: ["a", "b"] } }),
    );
    await page.goto(`${studio.address}#/run/words/transcripts`);
    await page.getByText("Transcript 1 cannot be read: makers must name the author of each token.").waitFor();
    await page.getByLabel("Transcript 0").waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it("executes nothing from the files of a run", async () => {
    const evil = '<img src=x onerror="alert(1)">';
    writeRun(root, evil, {
      config: { algorithm: evil, env: "<script>alert(2)</script>", options: { x: evil } },
      rows: [
        { step: 1, [evil]: 1, "return/mean": "NaN" },
        { step: 2, [evil]: "Infinity", "return/mean": "-Infinity" },
      ],
      summary: { status: "crashed", steps: 1, error: evil },
    });
    for (const to of [
      "/runs",
      `/run/${encodeURIComponent(evil)}`,
      `/run/${encodeURIComponent(evil)}/about`,
    ]) {
      const { page, faults } = await open(to);
      await page.getByText(evil).filter({ visible: true }).first().waitFor();
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(faults).toEqual([]);
      await page.close();
    }
  });

  for (const { name, tags, ...look } of looks)
    it(`is accessible, ${name}`, { tags }, async () => {
      const pages = [
        "/runs",
        "/run/fast-1",
        "/run/fast-1/signals",
        "/run/fast-1/about",
        "/run/words/transcripts",
      ];
      pages.push(
        "/recipes",
        "/recipes/one",
        "/recipes/one/sides",
        "/nowhere",
        "/train",
        "/run/filmed/episodes",
        "/compare?runs=slow-1,slow-2,fast-1&by=seed",
      );
      const { page, faults } = await open("/runs", look);
      expect(await problemsAt(page, pages)).toEqual([]);
      expect(faults).toEqual([]);
      await page.close();
    });
});
