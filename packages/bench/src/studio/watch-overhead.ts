import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStudio } from "@reins/studio";
import { chromium as playwright } from "playwright-core";
import { chromium } from "../../../reins/dist/testing-browser.js";
import { askRun } from "../../../reins/dist/training/ask-run.js";

const reins = fileURLToPath(new URL("../../../reins/bin/reins.js", import.meta.url));

/** Steps per second of training on one thread, alone and while its page is open. */
export async function watchedTraining(
  turns: number,
  seconds: number,
): Promise<{ alone: number[]; watched: number[] }> {
  const root = mkdtempSync(join(tmpdir(), "reins-studio-bench-"));
  const path = join(root, "live");
  const training = spawn(
    process.execPath,
    [
      reins,
      "train",
      "ppo",
      "CartPole-v1",
      "--steps",
      "300M",
      "--quiet",
      "--directory",
      path,
      "--threads",
      "1",
    ],
    { stdio: "ignore" },
  );
  const studio = await openStudio({ root, port: 0, parts: { control: askRun } });
  const browser = await playwright.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const found = { alone: [] as number[], watched: [] as number[] };
  try {
    await begun(path, training);
    for (let turn = 0; turn < turns; turn++) {
      found.alone.push(await speed(path, seconds));
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(`${studio.address}#/run/live`);
      await page.waitForSelector("figure.chart");
      await page.waitForTimeout(1500);
      found.watched.push(await speed(path, seconds));
      await page.close();
      await pause(500);
    }
  } finally {
    await browser.close();
    await studio.close();
    training.kill("SIGKILL");
    await pause(200);
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  return found;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Waits until a run trains and has warmed up. */
async function begun(path: string, training: ChildProcess): Promise<void> {
  for (;;) {
    if (training.exitCode !== null) throw new Error("the training ended before it was measured");
    const state = await askRun(path, { do: "status" }).catch(() => undefined);
    if (state && state.state.steps > 200_000) return;
    await pause(200);
  }
}

async function speed(path: string, seconds: number): Promise<number> {
  const now = async () => ({ at: performance.now(), ...(await askRun(path, { do: "status" })).state });
  const before = await now();
  await pause(1000 * seconds);
  const after = await now();
  return (1000 * (after.steps - before.steps)) / (after.at - before.at);
}
