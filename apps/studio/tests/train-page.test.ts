import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openStudio } from "@reins/studio";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../packages/studio/dist/testing.js";
import { openBrowser, openPage, program, servePlainly } from "../../../packages/studio/dist/testing-page.js";

/** Timeout on a slow machine. */
const within = { timeout: 60_000 };
const cli = fileURLToPath(new URL("../../../packages/reins/bin/reins.js", import.meta.url));

/** The last output line of a built command, as JSON. Browsers fuse multiply and add; Node 20 does with a flag. */
async function reins(...args: readonly string[]): Promise<Record<string, unknown>> {
  const env = { ...process.env, REINS_BACKEND: "wasm", REINS_RELAXED_SIMD: "1", REINS_THREADS: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args], { env });
  const last = stdout.trim().split("\n").at(-1) ?? "";
  return args.includes("--json") ? (JSON.parse(last) as Record<string, unknown>) : {};
}

const compact = (x: number) =>
  new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(x);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const phase = (page: Page, name: string) => page.waitForSelector(`[data-phase="${name}"]`);
/** Waits until the training return is at least this. */
const reaches = (page: Page, least: number) =>
  page.waitForFunction(
    (n) => Number(document.querySelector("[data-return]")?.textContent?.replace("−", "-")) >= n,
    least,
  );

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** A page of the shared browser, closed after the test. */
async function visited() {
  browser ??= await openBrowser();
  const opened = await openPage(browser, "about:blank");
  onTestFinished(() => opened.page.close());
  return opened;
}

/** The mean return of 20 evaluation episodes. */
async function evaluate(page: Page): Promise<number> {
  await button(page, "Evaluate").click();
  return Number(await page.locator("[data-measured]").getAttribute("data-measured"));
}

describe.skipIf(!program)("the page that trains", () => {
  it("learns CartPole; its agent scores the same in Node, trains on there, and is loaded again", async () => {
    const here = folder();
    const studio = await openStudio({ root: here, port: 0 });
    onTestFinished(() => studio.close());
    const { page, faults: errors } = await visited();
    page.setDefaultTimeout(within.timeout);
    await page.goto(`${studio.address}#/train/cartpole`);
    // Slow enough to change a setting during training.
    await page.getByLabel("Speed").selectOption({ label: "10K steps/s" });
    await button(page, "Train").click();
    await reaches(page, 195);
    const rate = page.getByLabel("learningRate as a number");
    await rate.fill("0.002");
    await rate.press("Enter");
    await expect.poll(() => rate.inputValue(), within).toBe("0.002");
    // The schedule would lower it from 0.005; now it keeps its value, which the worker reports four times a second.
    const steps = async () => Number(await page.locator(".train-state").getAttribute("data-steps"));
    const changed = await steps();
    await expect.poll(steps, within).toBeGreaterThan(changed + 10_000);
    expect(await rate.inputValue()).toBe("0.002");
    await reaches(page, 195);
    await button(page, "Stop").click();
    await phase(page, "stopped");
    const trained = await steps();
    const mean = await evaluate(page);
    expect(mean).toBeGreaterThanOrEqual(195);

    const saving = page.waitForEvent("download");
    await button(page, "Save").click();
    const file = join(here, "cartpole.agent");
    await (await saving).saveAs(file);
    expect(await reins("eval", file, "--episodes", "20", "--seed", "0", "--json")).toMatchObject({
      return: { mean },
    });

    const on = join(here, "on");
    const more = ["train", "--from", file, "--steps", "20k", "--eval-episodes", "0", "--directory", on];
    const { return: found } = await reins(...more, "--quiet", "--json");
    expect((found as { mean: number }).mean).toBeGreaterThanOrEqual(195);
    const back = join(here, "back.agent");
    await reins("export", on, "--agent", back);
    await page.getByLabel("Agent file").setInputFiles(back);
    // It plays without training, and counts its steps in the page and in Node.
    await phase(page, "loaded");
    await page.getByText(`trained for ${compact(trained + 20_480)} steps`).waitFor();
    expect(await evaluate(page)).toBeGreaterThanOrEqual(195);
    await expect.poll(() => button(page, "Save").count(), within).toBe(0);
    await button(page, "Continue training").click();
    await phase(page, "training");
    await reaches(page, 195);
    await button(page, "Pause").click();
    await phase(page, "paused");
    await page.getByRole("img", { name: "The agent plays CartPole" }).waitFor();
    expect(errors).toEqual([]);
  });

  it("keeps training if a file is not an agent, and asks before unsaved training is lost", async () => {
    const studio = await openStudio({ root: folder(), port: 0 });
    onTestFinished(() => studio.close());
    const { page, faults } = await visited();
    page.setDefaultTimeout(within.timeout);
    await page.goto(`${studio.address}#/train/cartpole`);
    await button(page, "Train").click();
    await phase(page, "training");
    await page.locator("[data-return]").waitFor();
    const bad = { name: "bad.agent", mimeType: "text/plain", buffer: Buffer.from("hello") };
    await page.getByLabel("Agent file").setInputFiles(bad);
    await button(page, "Discard").click();
    await page.getByText("bad.agent was not loaded: it is not an agent file").waitFor();
    await phase(page, "training");

    // Continues after a pause and a stop.
    await button(page, "Pause").click();
    await button(page, "Stop").click();
    await phase(page, "stopped");
    await button(page, "Continue training").click();
    await phase(page, "training");
    await button(page, "Stop").click();
    await phase(page, "stopped");

    const steps = await page.locator(".train-state").textContent();
    await button(page, "Start over").click();
    await button(page, "Cancel").click();
    expect(await page.locator(".train-state").textContent()).toBe(steps);
    await button(page, "Start over").click();
    await button(page, "Discard").click();
    await phase(page, "training");
    expect(faults).toEqual([]);
  });

  it("runs from static files, with the pages that work there", async () => {
    const { page, faults: errors } = await visited();
    await page.goto(await servePlainly());
    await page.getByRole("heading", { name: "Train here" }).waitFor();
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    await expect.poll(() => links.allTextContents(), within).toEqual(["Train here"]);
    await button(page, "Train").click();
    await phase(page, "training");
    expect(errors).toEqual([]);
  });
});
