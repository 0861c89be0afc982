import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStudio } from "@reins/studio";
import { type Browser, chromium as playwright } from "playwright-core";
import { chromium } from "../../../reins/dist/testing-browser.js";
import { makeRun } from "./generated-runs.ts";

/** Opens a studio on generated runs with a browser, runs a measurement and cleans up. */
async function studioOn<T>(
  make: (root: string) => void,
  look: (address: string, browser: Browser) => Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), "reins-studio-bench-"));
  try {
    make(root);
    const studio = await openStudio({ root, port: 0 });
    const browser = await playwright.launch({ executablePath: chromium, args: ["--no-sandbox"] });
    try {
      return await look(studio.address, browser);
    } finally {
      await browser.close();
      await studio.close();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Milliseconds from opening the page until all runs are listed and the first rows are drawn, each time with a new studio. */
export async function openManyRuns(runs: number, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++)
    found.push(
      await studioOn(
        (root) => {
          for (let n = 0; n < runs; n++) makeRun(root, `ppo-CartPole-v1-${n + 1}`, 200, n);
        },
        async (address, browser) => {
          const page = await browser.newPage();
          // The start of the browser is not measured.
          await page.goto("about:blank");
          const began = performance.now();
          await page.goto(address, { waitUntil: "commit" });
          await page.waitForFunction(
            (all) =>
              document.querySelector(".head .soft")?.textContent?.trim() === `${all} runs` &&
              document.querySelector("tbody tr"),
            runs,
            { polling: "raf" },
          );
          return performance.now() - began;
        },
      ),
    );
  return found;
}

/** Milliseconds of script and drawing of each frame while a run with a number of points is panned. */
export function panMillionPoints(
  points: number,
  frames: number,
): Promise<{ frames: number[]; loading: number }> {
  return studioOn(
    (root) => makeRun(root, "long", points, 1),
    async (address, browser) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.addInitScript(timeFrames);
      const began = performance.now();
      await page.goto(`${address}#/run/long`);
      await page.waitForSelector(`figure.chart[data-points="${points}"]`, { timeout: 300_000 });
      const loading = performance.now() - began;
      await page.waitForTimeout(1000);
      const plot = page.locator(".plot").first();
      await plot.focus();
      for (let i = 0; i < 4; i++) await page.keyboard.press("+");
      const durations = await page.evaluate(panned, frames);
      return { frames: durations, loading };
    },
  );
}

/** Records the duration of the callbacks of each frame. */
function timeFrames(): void {
  const own = globalThis.requestAnimationFrame.bind(globalThis);
  const took = new Map<number, number>();
  Object.assign(globalThis, { framesTook: took });
  globalThis.requestAnimationFrame = (callback) =>
    own((time) => {
      const began = performance.now();
      callback(time);
      took.set(time, (took.get(time) ?? 0) + performance.now() - began);
    });
}

/** Pans the first plot back and forth, a little each frame. */
async function panned(frames: number): Promise<number[]> {
  const { framesTook } = globalThis as unknown as { framesTook: Map<number, number> };
  const over = document.querySelector(".u-over")!;
  const { left, top, width } = over.getBoundingClientRect();
  const mouse = (type: string, x: number, target: EventTarget = over) =>
    target.dispatchEvent(
      new MouseEvent(type, { clientX: x, clientY: top + 20, shiftKey: true, bubbles: true }),
    );
  const next = () => new Promise((done) => requestAnimationFrame(done));
  framesTook.clear();
  const handlers: number[] = [];
  mouse("mousedown", left + width / 2);
  for (let i = 0; i < frames; i++) {
    const began = performance.now();
    mouse("mousemove", left + width / 2 + Math.sin(i / 20) * width * 0.4, window);
    handlers.push(performance.now() - began);
    await next();
  }
  mouse("mouseup", left, window);
  // The time of moving, and of drawing in the next frame.
  return [...framesTook.values()].slice(0, frames).map((drawing, i) => drawing + (handlers[i] ?? 0));
}
