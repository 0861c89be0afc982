import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openStudio } from "./studio.ts";
import { folder } from "./testing.ts";
import { openBrowser, openPage, program, servePlainly } from "./testing-page.ts";

const cli = fileURLToPath(new URL("../../reins/bin/reins.js", import.meta.url));

/** What a command of the build says at its end, as JSON. Browsers fuse multiplications and additions; Node 20 does so when asked to. */
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
/** Waits until the return in training is at least this. */
const reaches = (page: Page, least: number) =>
  page.waitForFunction(
    (n) => Number(document.querySelector("[data-return]")?.textContent?.replace("−", "-")) >= n,
    least,
  );

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** A page of a browser that all tests share; the page is closed after the test. */
async function visited() {
  browser ??= await openBrowser();
  const opened = await openPage(browser, "about:blank");
  onTestFinished(() => opened.page.close());
  return opened;
}

/** What 20 fresh episodes bring. */
async function measured(page: Page): Promise<number> {
  await button(page, "Measure").click();
  return Number(await page.locator("[data-measured]").getAttribute("data-measured"));
}

describe.skipIf(!program)("the page that trains", () => {
  it("learns CartPole; its agent scores the same in Node, goes on there, and comes back", async () => {
    const here = folder();
    const studio = await openStudio({ root: here, port: 0 });
    onTestFinished(() => studio.close());
    const { page, faults: errors } = await visited();
    page.setDefaultTimeout(60_000);
    await page.goto(`${studio.address}#/train/cartpole`);
    // So that there is time for a person, or a test, to do something on the way.
    await page.getByLabel("Speed").selectOption({ label: "10K steps/s" });
    await button(page, "Train").click();
    await reaches(page, 195);
    const rate = page.getByLabel("learningRate as a number");
    await rate.fill("0.002");
    await rate.press("Enter");
    // It would fall from 0.005 on, and from now on it stands where it was put: the worker says so four times a second.
    await page.waitForTimeout(1500);
    expect(await rate.inputValue()).toBe("0.002");
    await button(page, "Stop").click();
    await phase(page, "stopped");
    const trained = Number(await page.locator(".train-state").getAttribute("data-steps"));
    const mean = await measured(page);
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
    await page.getByLabel("The file of an agent").setInputFiles(back);
    // It plays as it is, and knows how much it has learned, here and in Node.
    await phase(page, "loaded");
    await page.getByText(`it has learned from ${compact(trained + 20_480)} steps`).waitFor();
    expect(await measured(page)).toBeGreaterThanOrEqual(195);
    expect(await button(page, "Save").count()).toBe(0);
    await button(page, "Train on").click();
    await phase(page, "training");
    await reaches(page, 195);
    await button(page, "Pause").click();
    await phase(page, "paused");
    expect(await page.getByRole("img", { name: "The agent plays CartPole" }).isVisible()).toBe(true);
    expect(errors).toEqual([]);
  });

  it("goes on learning when a file is no agent, and asks before what was learned is lost", async () => {
    const studio = await openStudio({ root: folder(), port: 0 });
    onTestFinished(() => studio.close());
    const { page, faults } = await visited();
    page.setDefaultTimeout(60_000);
    await page.goto(`${studio.address}#/train/cartpole`);
    await button(page, "Train").click();
    await phase(page, "training");
    await page.locator("[data-return]").waitFor();
    const bad = { name: "bad.agent", mimeType: "text/plain", buffer: Buffer.from("hello") };
    await page.getByLabel("The file of an agent").setInputFiles(bad);
    await button(page, "Throw it away").click();
    await page.getByText("bad.agent was not loaded: it is no agent").waitFor();
    await phase(page, "training");

    // Who paused it, ended it and goes on means it.
    await button(page, "Pause").click();
    await button(page, "Stop").click();
    await phase(page, "stopped");
    await button(page, "Go on").click();
    await phase(page, "training");
    await button(page, "Stop").click();
    await phase(page, "stopped");

    const steps = await page.locator(".train-state").textContent();
    await button(page, "Begin anew").click();
    await button(page, "Keep it").click();
    expect(await page.locator(".train-state").textContent()).toBe(steps);
    await button(page, "Begin anew").click();
    await button(page, "Throw it away").click();
    await phase(page, "training");
    expect(faults).toEqual([]);
  });

  it("needs no server but one of files, and then shows what works there", async () => {
    const { page, faults: errors } = await visited();
    await page.goto(await servePlainly());
    await page.getByRole("heading", { name: "Train here" }).waitFor();
    expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents()).toEqual(
      ["Train here"],
    );
    await button(page, "Train").click();
    await phase(page, "training");
    expect(errors).toEqual([]);
  });
});
