import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readRun } from "@reins/core/directory";
import { expect, it } from "vitest";
import { runReader } from "./plain-files.ts";
import type { RunDetail, RunListing, TranscriptLine } from "./run-wire.ts";
import { asking, folder, writeRun } from "./testing.ts";

/** The studio answers for any content of a run's folder, and reads nothing outside of it. */

const pipe = (path: string) => void spawnSync("mkfifo", [path]);
const link = (path: string) => symlinkSync("/etc/passwd", path);
const inPlace: Readonly<Record<string, (path: string) => void>> = {
  pipe,
  link,
  folder: (path) => mkdirSync(path),
};

it.skipIf(process.platform === "win32").for(Object.keys(inPlace))(
  "a %s in place of any file of a run",
  async (what) => {
    const root = folder();
    const { ask, json } = asking(root);
    for (const file of ["config.json", "summary.json", "lock", "metrics.jsonl", "times.jsonl"]) {
      const path = join(writeRun(root, file), file);
      rmSync(path, { force: true });
      inPlace[what](path);
      expect(await json(`/api/runs/${file}`), file).toMatchObject({ state: "unreadable" });
      expect((await ask(`/api/runs/${file}/columns/metrics`)).status).toBe(
        file === "metrics.jsonl" ? 422 : 200,
      );
    }
    const path = writeRun(root, "words");
    inPlace[what](join(path, "transcripts.jsonl"));
    inPlace[what](join(path, "studio.json"));
    mkdirSync(join(path, "episodes"));
    inPlace[what](join(path, "episodes", "1.json"));
    expect(await json("/api/runs/words")).toMatchObject({ state: "finished", transcripts: false, tags: [] });
    expect((await ask("/api/runs/words/transcripts")).status).toBe(422);
    expect(await json("/api/runs/words/episodes")).toEqual([]);
    expect((await ask("/api/runs/words/episodes/1")).status).toBe(422);
    // Such a run can still be deleted.
    expect((await ask("/api/runs/config.json", { method: "DELETE" })).status).toBe(200);
  },
);

it.skipIf(process.platform === "win32")("a link that takes a file's place while it is read", async () => {
  const root = folder();
  const outside = join(folder(), "secret.json");
  const config = join(writeRun(root, "a"), "config.json");
  writeFileSync(outside, JSON.stringify({ secret: "outside", format: 1 }));
  // The path was a file when it was checked.
  renameSync(config, `${config}.old`);
  symlinkSync(outside, config);
  expect(() => readRun(join(root, "a"), runReader)).toThrow("must be a plain file");
});

it.skipIf(process.platform === "win32")("links that a diagnosis would follow", async () => {
  const [root, outside] = [folder(), folder()];
  const path = writeRun(root, "a");
  const seen: string[] = [];
  const diagnose = async (at: string) => void seen.push(at);
  const { ask } = asking(root, { diagnose });
  const look = async () => (await ask("/api/runs/a/diagnosis", { method: "POST" })).status;
  expect([await look(), seen]).toEqual([200, [path]]);
  mkdirSync(join(path, "checkpoints"));
  symlinkSync(outside, join(path, "checkpoints", "100"));
  expect([await look(), seen.length]).toEqual([422, 1]);
});

it("notes where a folder lies in their place", async () => {
  const root = folder();
  const path = writeRun(root, "a");
  mkdirSync(join(path, "studio.json"));
  const before = readdirSync(path);
  const write = { method: "PUT", body: '{"note":"x"}' };
  expect((await asking(root).ask("/api/runs/a/marks", write)).status).toBe(422);
  expect(readdirSync(path)).toEqual(before);
});

it("an episode with a large head, and one that is too large", async () => {
  const root = folder();
  const path = join(writeRun(root, "a"), "episodes");
  mkdirSync(path);
  const head = `{"steps":1,"length":2,"return":[3],"task":"${"x".repeat(10_000)}","episodes":[`;
  writeFileSync(join(path, "1.json"), head);
  writeFileSync(join(path, "2.json"), head);
  truncateSync(join(path, "2.json"), 300 << 20);
  const { ask, json } = asking(root);
  const line = { steps: 1, length: 2, return: [3] };
  expect(await json("/api/runs/a/episodes")).toEqual([
    { number: 1, ...line },
    { number: 2, ...line },
  ]);
  const answer = await ask("/api/runs/a/episodes/2");
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("can be read")]);
});

it("a summary with values of the wrong type", async () => {
  const root = folder();
  writeRun(root, "a", { summary: { status: { a: 1 }, steps: "x", notes: "x", seconds: [], error: 7 } });
  writeRun(root, "b", { summary: { status: "running", notes: ["fine"] } });
  const { ask, json } = asking(root);
  expect((await json<RunListing>("/api/runs")).runs.map(({ state, steps }) => [state, steps])).toEqual([
    ["stopped", 200],
    ["stopped", 200],
  ]);
  expect((await json<RunDetail>("/api/runs/a")).summary).toEqual({ steps: 0 });
  expect((await json<RunDetail>("/api/runs/b")).summary).toEqual({ steps: 0, notes: ["fine"] });
  expect((await ask("/api/runs/b", { method: "DELETE" })).status).toBe(200);
});

it.skipIf(process.platform === "win32")("a name with a backslash", async () => {
  const root = folder();
  writeRun(root, "a\\b");
  const { ask, json } = asking(root);
  expect(await json("/api/runs/a%5Cb")).toMatchObject({ name: "a\\b", state: "finished" });
  expect((await ask("/api/runs/a%5Cb", { method: "DELETE" })).status).toBe(200);
});

it("a log that ends without a row of training", async () => {
  const root = folder();
  const path = join(writeRun(root, "a"), "metrics.jsonl");
  const { json } = asking(root);
  appendFileSync(path, '{"step":300,"evaluation/return":1}\nnull\n');
  expect(await json("/api/runs/a")).toMatchObject({ steps: 300, return: 20 });
  appendFileSync(path, `${"x".repeat(2 << 20)}\n`);
  expect(await json("/api/runs/a")).toMatchObject({ state: "finished", steps: 200, return: null });
});

it("refuses invalid transcripts individually", async () => {
  const root = folder();
  const fine = {
    ...{ version: 1, step: 1, first: "^", tokens: ["a", "b"], makers: ["policy", "policy"], turns: [1, 1] },
    ...{ logProbs: [null, -1], rewards: [0, 1], segments: [{ from: 0, to: 2 }], prompt: "p", answer: "ab" },
  };
  const { makers: _, ...older } = fine;
  const lines = [
    fine,
    { version: 1, step: 1, tokens: ["a"] },
    older,
    { ...fine, turns: "x" },
    { ...fine, rewards: [1] },
    { ...fine, segments: [null] },
    { ...fine, tokens: [{}, 7] },
    { ...fine, failed: {} },
  ];
  writeFileSync(
    join(writeRun(root, "a"), "transcripts.jsonl"),
    lines.map((line) => `${JSON.stringify(line)}\n`).join("7\nnull\n"),
  );
  const { ask, json } = asking(root);
  const listed = await json<TranscriptLine[]>("/api/runs/a/transcripts");
  expect(listed.map(({ number }) => number)).toEqual(lines.map((_line, i) => i));
  expect(await json("/api/runs/a/transcripts/0")).toEqual(fine);
  for (const number of [1, 2, 3, 4, 5, 6, 7]) {
    const answer = await ask(`/api/runs/a/transcripts/${number}`);
    expect(answer.status, `${number}`).toBe(422);
    expect(((await answer.json()) as { error: string }).error).toContain("the transcript cannot be read");
  }
});

it("prompts with a common prefix are different problems", async () => {
  const root = folder();
  const line = (prompt: string) => `${JSON.stringify({ version: 1, step: 1, prompt, tokens: [] })}\n`;
  const preface = "You are asked something. ".repeat(20);
  const path = join(writeRun(root, "a"), "transcripts.jsonl");
  writeFileSync(path, line(`${preface}One?`) + line(`${preface}Two?`) + line(`${preface}One?`));
  const [a, b, c] = await asking(root).json<TranscriptLine[]>("/api/runs/a/transcripts");
  expect([a.prompt === b.prompt, a.problem === b.problem, a.problem === c.problem]).toEqual([
    true,
    false,
    true,
  ]);
});

it("lists the last of many transcripts, with their numbers", async () => {
  const root = folder();
  const line = (step: number) => `${JSON.stringify({ version: 1, step, tokens: [] })}\n`;
  const path = join(writeRun(root, "a"), "transcripts.jsonl");
  writeFileSync(path, Array.from({ length: 12_000 }, (_, i) => line(i)).join(""));
  const listed = await asking(root).json<TranscriptLine[]>("/api/runs/a/transcripts");
  expect([listed.length, listed[0].number, listed.at(-1)?.number]).toEqual([5000, 7000, 11_999]);
});
