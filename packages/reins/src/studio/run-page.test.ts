import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStudio, type Studio } from "@reins/studio";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRun } from "../../../studio/dist/testing.js";
import { looks, openBrowser, openPage, problemsAt, program } from "../../../studio/dist/testing-page.js";

/** Timeout on a slow machine. */
const within = { timeout: 60_000 };

const lines = (all: readonly object[]) => all.map((row) => `${JSON.stringify(row)}\n`).join("");

/** A run with four evaluations and an interruption of an hour. */
function writeMeasured(root: string): void {
  const steps = Array.from({ length: 20 }, (_, i) => (i + 1) * 1000);
  const rows = steps.flatMap((step, i) => [
    ...(step % 5000 === 0
      ? [{ step, "evaluation/return": 100 + i * 10, "evaluation/return-std": 20, "evaluation/length": 90 }]
      : []),
    {
      step,
      "return/mean": 40.62 + i * 0.003,
      "return/std": 2,
      "value/mean": 3,
      "loss/value": 10 ** -(i / 2.5),
    },
  ]);
  const path = writeRun(root, "measured", {
    config: { options: { learningRate: 0.001, klWeight: 0, kl: "k3" } },
    rows,
    summary: { status: "finished", steps: 20_000 },
  });
  let seconds = 0;
  const times = rows.map((row) => {
    seconds += "evaluation/return" in row ? 30 : 1;
    return { step: row.step, at: 1e9 + seconds + (row.step > 10_000 ? 3600 : 0), seconds };
  });
  writeFileSync(join(path, "times.jsonl"), lines(times));
}

/** A run with an episode whose observations and actions have labels. */
function writeFilm(root: string): void {
  const path = writeRun(root, "filmed");
  mkdirSync(join(path, "episodes"));
  const drawing = { width: 100, height: 100, shapes: [] };
  const column = (type: string, data: number[], ...more: number[]) => ({ type, shape: [3, ...more], data });
  const inline = {
    "0.columns.action": column("i32", [0, 1, 1]),
    "0.columns.reward": column("f32", [1, 2, 3]),
    "0.columns.observation": column("f32", [0.1, 1, 0.2, 2, 0.3, 3], 2),
    "0.columns.probabilities": column("f32", [0.75, 0.25, 0.5, 0.5, 0, 1], 2),
  };
  const columns = Object.fromEntries(
    Object.keys(inline).map((name) => [name.replace("0.columns.", ""), { $tensor: name }]),
  );
  const labels = { observation: ["pole angle", "pole velocity"], action: ["left", "right"] };
  const info = { every: 1, frames: [{ drawing }, { drawing }, { drawing }], labels };
  const episode = {
    ...{ steps: 100, length: 3, return: [6] },
    episodes: [
      {
        ...{ return: [6], terminated: true, truncated: false, role: "greedy", info, columns },
        segments: [{ from: 0, to: 3 }],
      },
    ],
    inline,
  };
  writeFileSync(join(path, "episodes", "1.json"), JSON.stringify(episode));
}

/** A run with transcripts: two problems of the same prompt, and a conversation of two roles whose context was rewritten. */
function writeTexts(root: string): void {
  const path = writeRun(root, "texts");
  const common = { version: 1, step: 10, task: "sum", by: "policy", prompt: "2+2=", answer: "4" };
  const answer = (key: string, reward: number, advantage: number) => ({
    ...{ ...common, key, reward, segments: [{ from: 0, to: 4 }], first: "<|im_start|>" },
    ...{ tokens: ["2+2=", "<|im_end|>", "4", "<|im_end|>"], turns: [0, 0, 1, 1] },
    ...{ makers: ["environment", "environment", "policy", "policy"], logProbs: [null, null, -0.5, -0.25] },
    ...{ rewards: [0, 0, 0, reward], advantages: [0, 0, advantage, advantage], largestAdvantage: 2 },
  });
  const talk = {
    ...{ ...common, key: "talk", task: "relay", reward: 1, first: "c" },
    messages: [
      { role: "user", content: "c" },
      { role: "assistant", content: "say c" },
      { role: "user", content: "say c?" },
      { role: "assistant", name: "partner", content: "it is c" },
    ],
    replies: [
      { message: 1, tokens: 2, logProb: -0.75, reward: 0 },
      { message: 3, role: "partner", tokens: 3, logProb: -1.5, reward: 0.5 },
    ],
    ...{
      segments: [
        { from: 0, to: 3 },
        { from: 3, to: 5, parent: { segment: 0, step: 1 } },
      ],
    },
    ...{ tokens: ["?", "say", " c", "summary", "done"], turns: [0, 1, 1, 0, 2] },
    makers: ["environment", "policy", "policy", "environment", "policy"],
    ...{ logProbs: [null, -0.5, -0.25, null, -1], rewards: [0, 0, 0.25, 0, 0.75] },
    advantages: [0, 1, 1, 0, 1],
  };
  const all = [answer("sum 7", 1, 0.5), answer("sum 7", 0, -0.5), answer("sum 8", 1, 1), talk];
  writeFileSync(join(path, "transcripts.jsonl"), lines(all));
}

const diagnose = async () => ({
  findings: [
    {
      name: "steps-too-large",
      saw: "the divergence is 0.9",
      fix: "Lower learningRate: `reins train ppo CartPole-v1 --learning-rate 1e-4`.",
      confidence: 0.7,
    },
  ],
});

describe.skipIf(!program)("the page of a run", () => {
  const root = mkdtempSync(join(tmpdir(), "reins-studio-"));
  let browser: Browser;
  let studio: Studio;
  const open = (hash: string, look = {}) => openPage(browser, `${studio.address}#${hash}`, look);

  beforeAll(async () => {
    writeMeasured(root);
    writeFilm(root);
    writeTexts(root);
    [studio, browser] = await Promise.all([
      openStudio({ root, port: 0, parts: { diagnose } }),
      openBrowser(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await studio?.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  it("explains bands and interruptions, shows units, and hides empty tabs", async () => {
    const { page, faults } = await open("/run/measured");
    await page.getByText("mean ± one standard deviation").waitFor();
    await page.getByText("stopped and resumed later (interrupted for 1 h 0 min)").waitFor();
    const caption = (name: string) => page.locator("figcaption", { hasText: name }).first().textContent();
    await expect.poll(() => caption("loss/value"), within).toContain("return²");
    await expect.poll(() => caption("value/mean"), within).toContain("return");
    const tabs = page.getByRole("navigation", { name: "Parts of the run" }).getByRole("link");
    await expect.poll(() => tabs.allTextContents(), within).toEqual(["Curves", "Settings and log"]);
    // Training speed excludes evaluations: the last two rows are as fast as the first.
    await page.getByText("Training speed, steps per second").waitFor();
    const speed = page.locator("figure.chart", { hasText: "Training speed" }).locator(".chart-values");
    await expect.poll(() => speed.textContent(), within).toContain("1000");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("has the diagnosis on the first tab, with a command to copy", async () => {
    const { page, faults } = await open("/run/measured");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Diagnose" }).click();
    await page.getByText("the divergence is 0.9").waitFor();
    const command = "reins train ppo CartPole-v1 --learning-rate 1e-4";
    await page.getByRole("button", { name: `Copy ${command}` }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    // It is still there after a visit to another tab.
    await page.getByRole("link", { name: "Settings and log" }).click();
    await page.getByText("1 settings without effect in this run").waitFor();
    await page.getByRole("link", { name: "Curves" }).click();
    await page.getByText("the divergence is 0.9").waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it("does not overwrite notes that were saved in another window", async () => {
    const [{ page: mine }, { page: yours, faults }] = [
      await open("/run/measured/about"),
      await open("/run/measured/about"),
    ];
    const note = "A note about this run";
    await yours.getByLabel(note).fill("too slow");
    await mine.getByLabel(note).fill("too noisy");
    await mine.getByLabel("Tags, separated by commas").fill("noisy");
    await mine.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => mine.getByRole("button", { name: "Save" }).isDisabled(), within).toBe(true);
    await yours.getByRole("button", { name: "Save" }).click();
    await yours.getByText("These notes were changed elsewhere").waitFor();
    await yours.getByText("too noisy").waitFor();
    expect(await yours.getByLabel(note).inputValue()).toBe("too slow");
    await yours.getByRole("button", { name: "Overwrite with mine" }).click();
    await yours.getByText("These notes were changed elsewhere").waitFor({ state: "detached" });
    // Only the note was changed here: the tags of the other window stay.
    const tags = yours.getByLabel("Tags, separated by commas");
    await expect.poll(() => tags.inputValue(), within).toBe("noisy");
    expect(faults).toEqual([expect.stringContaining("409")]);
    await mine.close();
    await yours.close();
  });

  it("shows curves of labelled observations and actions beside the rendering", async () => {
    const { page, faults } = await open("/run/filmed/episodes");
    await page.locator("canvas").waitFor();
    const strip = (title: string) => page.locator(".strip", { hasText: title }).locator("b");
    await expect.poll(() => strip("pole angle").textContent(), within).toBe("0.1");
    await expect.poll(() => strip("action").textContent(), within).toBe("left");
    await page.getByLabel("One step forward").click();
    await expect.poll(() => strip("pole velocity").textContent(), within).toBe("2");
    await page.getByText("right (1)").waitFor();
    await expect.poll(() => page.locator(".bars .bar-chosen i").textContent(), within).toBe("right");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("groups transcripts by problem, folds special tokens and scales colours by the batch", async () => {
    const { page, faults } = await open("/run/texts/transcripts?number=0");
    // The third has the same prompt but is another problem.
    await page.getByText("2 samples of the same problem, mean reward 0.5").waitFor();
    await expect.poll(() => page.locator("article").count(), within).toBe(2);
    await page.getByText("−2 worse").waitFor();
    await page.getByText("2 better").waitFor();
    const first = page.getByLabel("Transcript 0");
    await first.getByText("reward 1, 2 tokens, log-probability −0.75, advantage 0.5").waitFor();
    const chip = first.getByRole("button", { name: "Special token im_end" }).last();
    await expect.poll(() => chip.textContent(), within).toBe("im_end");
    await chip.click();
    await expect.poll(() => chip.textContent(), within).toBe("<|im_end|>");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("shows the turns of every role, and the source of a rewritten context", async () => {
    const { page, faults } = await open("/run/texts/transcripts?number=3");
    const talk = page.getByLabel("Transcript 3");
    await talk.getByText("All turns of 3 speakers").waitFor();
    const partner = talk.locator(".all-turns li", { hasText: "it is c" });
    await partner.getByText("reward 0.5, 3 tokens, log-probability −1.5").waitFor();
    await talk.getByText("Segment 2: the context was rewritten.").waitFor();
    await talk.getByRole("link", { name: "It continues segment 1 after token 1" }).click();
    await talk.locator(".pointed", { hasText: "say" }).waitFor();
    await talk.getByText("reward 0.75, 1 token").waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  for (const { name, tags, ...look } of looks)
    it(`is accessible, ${name}`, { tags }, async () => {
      const pages = ["", "/about"].map((part) => `/run/measured${part}`);
      pages.push(
        "/run/filmed/episodes",
        "/run/texts/transcripts?number=0",
        "/run/texts/transcripts?number=3",
      );
      const { page, faults } = await open("/runs", look);
      expect(await problemsAt(page, pages)).toEqual([]);
      expect(faults).toEqual([]);
      await page.close();
    });
});
