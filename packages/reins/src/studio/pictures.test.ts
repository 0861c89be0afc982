import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openStudio, type Studio } from "@reins/studio";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openBrowser, openPage, pictureOf, program } from "../../../studio/dist/testing-page.js";
import { studioParts } from "./parts.ts";

const reins = fileURLToPath(new URL("../../bin/reins.js", import.meta.url));

/** Commands of the runs to show, by name. */
const shown: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((seed) => [
      [`rate-falls-${seed}`, `ppo CartPole-v1 --steps 60k --seed ${seed} --eval-every 20k`],
      [
        `rate-small-${seed}`,
        `ppo CartPole-v1 --steps 60k --seed ${seed} --eval-every 20k --learning-rate 3e-4`,
      ],
    ]),
  ),
  adaptive: "ppo-adaptive CartPole-v1 --steps 300k --seed 1",
  lander: "ppo LunarLander-v3 --steps 500k --seed 1 --eval-every 100k",
  "words-with-tools":
    "ppo hops --env-level 1 --env-player beginner --env-supervised-tokens 100k --env-supervised-batch 32 --learning-rate 4e-4 --envs 256 --epochs 2 --minibatches 4 --lambda 0.95 --value-weight 0.2 --entropy-weight 0 --steps 160k --seed 1",
};

/** A finished hyperparameter search. */
const tuned =
  "ppo CartPole-v1 --steps 20k --search random --trials 24 --tuning-seeds 1 --test-seeds 2 --jobs 2 --vary learning-rate;gamma;lambda;entropy-weight;clip";

/** Pages by the names of their images, and what to wait for in each. */
const pages: Readonly<Record<string, readonly [address: string, ready: string]>> = {
  runs: ["/runs", "text=live"],
  run: ["/run/live", ".u-over"],
  signals: ["/run/adaptive/signals", ".u-over"],
  episodes: ["/run/lander/episodes", "canvas"],
  // A wrong answer with high entropy.
  transcripts: ["/run/words-with-tools/transcripts?rewardTo=0&by=policy", "article"],
  compare: [
    `/compare?by=seed&runs=${[1, 2, 3, 4, 5].flatMap((n) => [`rate-falls-${n}`, `rate-small-${n}`]).join()}`,
    ".u-over",
  ],
  tunings: ["/tunings/ppo-CartPole-v1", "svg"],
  recipes: ["/recipes", "table"],
  recipe: ["/recipes/retool", "svg"],
  train: ["/train", "button"],
};

// Minutes of training: only to regenerate the images of the docs.
describe.skipIf(!program || !process.env.REINS_PICTURES)("images of the docs", () => {
  const root = mkdtempSync(join(tmpdir(), "reins-pictures-"));
  const [runs, tunings] = [join(root, "runs"), join(root, "tuning")];
  // Tests run on WebAssembly; this training uses the fastest back end of the machine.
  const env = { ...process.env, REINS_THREADS: "1", REINS_BACKEND: undefined };
  let [browser, studio, live]: [Browser?, Studio?, ChildProcess?] = [];

  beforeAll(async () => {
    const call = (args: string[]) => promisify(execFile)(process.execPath, [reins, ...args], { env });
    const train = (name: string, typed: string) => [
      ...["train", ...typed.split(" "), "--quiet"],
      ...["--directory", join(runs, name)],
    ];
    for (const [name, typed] of Object.entries(shown)) await call(train(name, typed));
    await call(["tune", ...tuned.split(" "), "--out", tunings]);
    live = spawn(process.execPath, [reins, ...train("live", "ppo LunarLander-v3 --steps 3M --seed 2")], {
      stdio: "ignore",
      env,
    });
    // The run has made progress by the time of the screenshot.
    const progress = join(runs, "live/metrics.jsonl");
    const lines = () => (existsSync(progress) ? readFileSync(progress, "utf8").split("\n").length : 0);
    await vi.waitUntil(() => lines() > 50, { timeout: 1_200_000, interval: 1000 });
    [studio, browser] = await Promise.all([
      openStudio({ root: runs, port: 0, parts: studioParts({ tunings }) }),
      openBrowser(),
    ]);
  }, 3_600_000);

  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    live?.kill("SIGKILL");
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  const looks = { "": {}, "-dark": { dark: true, narrow: true } };
  for (const [name, [address, ready]] of Object.entries(pages))
    for (const [suffix, look] of Object.entries(looks))
      it(`${name}${suffix}`, async () => {
        const { page, faults } = await openPage(browser!, `${studio!.address}#${address}`, look);
        await page.waitForSelector(ready);
        await before[name]?.(page);
        await page.waitForTimeout(1500);
        await pictureOf(page, `studio-${name}${suffix}`);
        expect(faults).toEqual([]);
        await page.close();
      });
});

/** Interactions before the screenshot. */
const before: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  episodes: (page) => page.getByLabel("Step of the episode").fill("60"),
  train: async (page) => {
    await page.getByRole("button", { name: "Train", exact: true }).first().click();
    await page.waitForTimeout(12_000);
  },
};
