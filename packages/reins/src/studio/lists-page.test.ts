import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStudio, type Studio } from "@reins/studio";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRun } from "../../../studio/dist/testing.js";
import {
  looks,
  openBrowser,
  openPage,
  program,
  routeProblems,
  showRoute,
} from "../../../studio/dist/testing-page.js";
import { writeTuning } from "../../../studio/dist/testing-tunings.js";
import { runStarter } from "./starter.ts";
import { trialCommand } from "./trial-command.ts";

const reins = fileURLToPath(new URL("../../bin/reins.js", import.meta.url));

/** Timeout on a slow machine. */
const within = { timeout: 60_000 };

describe.skipIf(!program)("lists of the studio", () => {
  const root = mkdtempSync(join(tmpdir(), "reins-lists-"));
  const [runs, tunings] = [join(root, "runs"), join(root, "tuning")];
  let [browser, studio]: [Browser?, Studio?] = [];
  const open = (hash: string, look = {}) => openPage(browser!, `${studio!.address}#${hash}`, look);

  beforeAll(async () => {
    const ninety = (x: number) =>
      Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`setting${i}`, x]));
    for (const [algorithm, best] of [
      ["ppo", 480],
      ["dqn", 300],
    ] as const)
      for (const seed of [1, 2, 3])
        writeRun(runs, `${algorithm}-${seed}`, {
          config: {
            ...{ algorithm, seed, returnBounds: [0, 500], options: ninety(best) },
            command: `reins train ${algorithm} CartPole-v1 --steps 256 --seed ${seed} --eval-episodes 1`,
          },
          rows: [100, 200].map((step) => ({ step, "return/mean": best, "policy/kl": best / 1e4 })),
          summary: { status: "finished", steps: 200, return: { mean: best + 9 * seed, episodes: 10 } },
        });
    for (let i = 0; i < 201; i++)
      writeRun(runs, `sweep-${i}`, {
        config: { env: "Sweep-with-a-long-name-v0", algorithm: "ppo-adaptive", options: { clip: i } },
      });
    writeTuning(tunings, "ppo-CartPole-v1");
    const parts = { tunings, trainCommand: trialCommand, starter: runStarter(reins) };
    [studio, browser] = await Promise.all([openStudio({ root: runs, port: 0, parts }), openBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  it("filters runs, groups seeds in a row, and stores the view in the URL", async () => {
    const { page, faults } = await open("/runs");
    const filter = page.getByRole("searchbox", { name: "Filter runs" });
    await filter.fill("env=CartPole-v1 policy/kl>0.04");
    const rows = page.locator(".runs tbody tr");
    await expect.poll(() => rows.count(), within).toBe(1);
    // 489, 498 and 507: the upper end, 4.303 standard errors above, exceeds the maximum return.
    await rows.getByText("95% CI [475.6, 500]").waitFor();
    await rows.getByText("n = 3 seeds").waitFor();
    await page.getByRole("button", { name: "ppo", exact: false }).first().click();
    await expect.poll(() => rows.count(), within).toBe(4);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "policy/kl" }).check();
    await page.keyboard.press("Escape");
    await page.locator(".runs tbody").getByText("0.048").first().waitFor();
    // The URL shows the same view to another user.
    const address = page.url().split("#")[1];
    const other = await open(address);
    await other.page.locator(".runs tbody").getByText("0.048").first().waitFor();
    await expect.poll(() => other.page.locator(".runs tbody tr").count(), within).toBe(1);
    await filter.fill("return>high");
    await page.getByText('"high" is not a number, such as return>10.').waitFor();
    await filter.fill("-sweep -ppo -dqn");
    await page.getByText("No runs match. Clear the filter.").waitFor();
    expect([...faults, ...other.faults]).toEqual([]);
    await other.page.close();
    await page.close();
  });

  it("shows all columns at 1280 pixels, also with long names", async () => {
    const { page, faults } = await open("/runs");
    await page.locator(".runs tbody").getByText("95% CI").first().waitFor();
    const table = page.getByRole("region", { name: "Runs" });
    await expect.poll(() => table.evaluate((e) => e.scrollWidth <= e.clientWidth), within).toBe(true);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows numbers and curves of a comparison in the first screen, with short names", async () => {
    const names = [1, 2, 3].flatMap((seed) => [`ppo-${seed}`, `dqn-${seed}`]);
    const { page, faults } = await open(`/compare?runs=${names.join()}`);
    await page.setViewportSize({ width: 1400, height: 900 });
    const scores = page.getByRole("region", { name: "Scores" });
    const labels = scores.locator("tbody th");
    await expect.poll(() => labels.allTextContents(), within).toEqual([" ppo", " dqn"]);
    await expect.poll(() => scores.evaluate((e) => e.scrollWidth <= e.clientWidth), within).toBe(true);
    await expect
      .poll(async () => {
        const box = await page.locator("figure.chart .u-over").boundingBox();
        return box !== null && box.y + box.height <= 900;
      }, within)
      .toBe(true);
    // The table is the only legend.
    expect(await page.locator("figure.chart").getByText("ppo").count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows the number of compared runs", async () => {
    const { page } = await open("/compare");
    await page.getByRole("button", { name: "Add the first 200 of 207" }).click();
    await page.getByText("200 chosen").waitFor();
    const all = Array.from({ length: 201 }, (_, i) => `sweep-${i}`);
    await page.goto(`${studio!.address}#/compare?runs=${all.join()}`);
    await page.getByText("200 of 201 runs shown: narrow the filter.").waitFor();
    await page.close();
  });

  it("shows the trials of a tuning, with their commands", async () => {
    const { page, faults } = await open("/tunings");
    await page.getByRole("link", { name: "ppo-CartPole-v1" }).click();
    await page.getByText("Best settings (trial 2)").waitFor();
    await page.getByText("470 (95% CI [450, 480])").waitFor();
    await page.getByText("reins train ppo CartPole-v1 --learning-rate 0.01", { exact: true }).waitFor();
    await expect.poll(() => page.locator(".parallel path").count(), within).toBe(4);
    await expect.poll(() => page.locator(".scatter-plot circle").count(), within).toBe(4);
    await page.getByRole("button", { name: "1", exact: true }).click();
    await page.getByText("--learning-rate 0.001 --activation relu").waitFor();
    await page.getByLabel("Return after").selectOption("900");
    await expect.poll(() => page.locator(".parallel path").count(), within).toBe(2);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("downloads a run and trains it again", async () => {
    const { page, faults } = await open("/run/ppo-1");
    await page.getByRole("button", { name: "Download files of ppo-1" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "metrics.csv" }).click(),
    ]);
    expect(readFileSync((await download.path())!, "utf8")).toBe(
      "step,return/mean,policy/kl\n100,480,0.048\n200,480,0.048\n",
    );
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Train again as ppo-1" }).click();
    await page.getByLabel("Seed").fill("9");
    await page.getByLabel("Changed settings").fill("hidden=4");
    await page.getByText("--hidden=4 --seed 9").waitFor();
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.getByRole("link", { name: "Open ppo-CartPole-v1-1" }).waitFor(within);
    await expect.poll(() => existsSync(join(runs, "ppo-CartPole-v1-1", "summary.json")), within).toBe(true);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows every column at 1400 px, and the flags that distinguish groups", async () => {
    for (const rate of ["1e-3", "3e-4"])
      for (const seed of [1, 2])
        writeRun(runs, `wide-${rate}-${seed}`, {
          config: {
            ...{ algorithm: "wide", env: "ContinuousEnvironment-v1", seed, options: { rate } },
            command: `reins train wide ContinuousEnvironment-v1 --learning-rate ${rate} --seeds 2`,
          },
          rows: [100, 200].map((step) => ({ step, "return/mean": -1234.5 * step * seed })),
          summary: { status: seed === 1 ? "finished" : "crashed", steps: 200, error: "It failed." },
        });
    const { page, faults } = await open("/runs?find=wide-");
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.getByText("--learning-rate 3e-4").first().waitFor();
    const table = page.getByRole("region", { name: "Runs" });
    await expect.poll(() => table.evaluate((e) => e.scrollWidth <= e.clientWidth), within).toBe(true);
    /** Whether there are two such elements, each wide enough for its text. */
    const fits = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll(
          (all) => all.length === 2 && all.every((e) => e.clientWidth >= e.scrollWidth && e.clientWidth > 0),
        );
    await expect.poll(() => fits(".group-row .more"), within).toBe(true);
    await expect.poll(() => fits(".group-row .who > div"), within).toBe(true);
    expect(faults).toEqual([]);
    await page.close();
  });

  for (const { name, tags, ...look } of looks)
    it(`lists are accessible, ${name}`, { tags }, async () => {
      // A few rows are as good as a hundred, and faster to check.
      const { page, faults } = await open("/runs?find=ppo-", look);
      const check = async (what: string) => expect(await routeProblems(page), what).toEqual([]);
      await page.locator(".runs tbody tr").first().waitFor();
      for (const name of ["Columns", "Filter runs"]) {
        await page.getByRole("button", { name }).click();
        await check(name);
        await page.keyboard.press("Escape");
      }
      for (const to of [
        "/runs?find=dqn-+return>x&columns=setting1,policy%252Fkl",
        "/compare?runs=ppo-1,ppo-2,dqn-1",
        "/tunings",
        "/tunings/ppo-CartPole-v1",
        "/run/ppo-1",
      ]) {
        await showRoute(page, to);
        await check(to);
      }
      await page.getByRole("button", { name: "Train again as ppo-1" }).click();
      await page.locator("#train-again pre").waitFor();
      await check("the form");
      expect(faults).toEqual([]);
      await page.close();
    });
});
