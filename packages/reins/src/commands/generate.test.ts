import { appendFileSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newModel, saveCharacters, saveModel } from "@reins/language";
import { random, setBackend } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { linesOf } from "./generate/lines.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
setBackend("wasm");

const alphabet = "abcdefghijklmnopqrstuvwxyz .,?!";

/** A folder with a tiny model, and a file with prompts. */
async function setup(lines: readonly (object | string)[]) {
  const here = folder();
  const shape = {
    layers: 1,
    width: 16,
    heads: 2,
    context: 64,
    vocabulary: alphabet.length + 2,
    deviation: 0.3,
  };
  await saveModel(here, newModel({ ...shape, style: "llama" }, random.key(1)), { end: 1, pad: 0 });
  await saveCharacters(here, alphabet);
  const [prompts, out] = [join(here, "in.jsonl"), join(here, "out.jsonl")];
  writeFileSync(prompts, lines.map((l) => (typeof l === "string" ? l : JSON.stringify(l))).join("\n"));
  const run = (...more: string[]) => reins("generate", here, "--prompts", prompts, "--out", out, ...more);
  return { here, prompts, out, run, read: () => readFileSync(out, "utf8") };
}

const many = Array.from({ length: 40 }, (_, i) =>
  i % 3
    ? { id: i, prompt: `a cat ${"x".repeat(i % 7)}` }
    : { id: i, messages: [{ role: "user", content: `b ${"y".repeat(i % 5)}` }], max_tokens: 3 },
);

it("writes a reply to each line, in order, with its fields", async () => {
  const { run, read } = await setup(many);
  const { code, out, err } = await run("--max-tokens", "8", "--rows", "4");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("40 replies in ");
  const lines = read()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((l) => l.id)).toEqual(many.map((l) => l.id));
  expect(lines[1]).toMatchObject({ prompt: many[1].prompt, completion: expect.any(String) });
  for (const { messages, tokens } of lines) expect(tokens).toBeLessThanOrEqual(messages ? 3 : 8);
  expect(new Set(lines.map((l) => l.completion)).size).toBeGreaterThan(5);
});

it("continues an interrupted file with the bytes of one call, sampled too", async () => {
  const { run, read, out } = await setup(many);
  const how = ["--max-tokens", "8", "--rows", "4", "--temperature", "1", "--seed", "3"];
  await run(...how);
  const whole = read();
  for (const kept of [0.37, 0.5, 0.93]) {
    truncateSync(out, Math.floor(kept * Buffer.byteLength(whole)));
    expect((await run(...how)).err).toBe("");
    expect(read()).toBe(whole);
  }
  expect((await run(...how)).out).toContain("40 replies");
  expect(read()).toBe(whole);
  const other = await run(...how.slice(0, -1), "4");
  expect([other.code, other.err]).toEqual([
    1,
    expect.stringContaining("out.jsonl:1: it was written with other settings"),
  ]);
  expect(read()).toBe(whole);
});

it("refuses a file of other prompts, and keeps it", async () => {
  const { run, read, prompts } = await setup(many.slice(0, 4));
  await run("--max-tokens", "2");
  const before = read();
  writeFileSync(
    prompts,
    many
      .slice(1, 6)
      .map((l) => JSON.stringify(l))
      .join("\n"),
  );
  expect((await run("--max-tokens", "2")).err).toContain('out.jsonl:1: its "id" is not that of prompt 1');
  writeFileSync(prompts, JSON.stringify(many[0]));
  expect((await run("--max-tokens", "2")).err).toContain("out.jsonl:2: there are more replies than prompts");
  expect(read()).toBe(before);
});

it("leaves a file alone that it did not write, also one without a line break", async () => {
  const { here, run, read, out, prompts } = await setup(many.slice(0, 3));
  for (const content of ['{"private":1}', "notes", JSON.stringify(many[0])]) {
    writeFileSync(out, content);
    const { code, err } = await run("--max-tokens", "2");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("out.jsonl:1: the line is not the beginning of a reply to prompt 1"),
    ]);
    expect(read()).toBe(content);
  }
  writeFileSync(prompts, JSON.stringify(many[0]));
  const link = join(here, "link.jsonl");
  symlinkSync(prompts, link);
  const { err } = await reins("generate", here, "--prompts", prompts, "--out", link);
  expect(err).toContain("--prompts and --out are the same file");
  expect(readFileSync(prompts, "utf8")).toBe(JSON.stringify(many[0]));
});

it("continues a file that ends within its first line, or within a character", async () => {
  const { run, read, out } = await setup([
    { id: "é", prompt: "a" },
    { id: "éé", prompt: "b" },
  ]);
  await run("--max-tokens", "2");
  const whole = read();
  const bytes = Buffer.from(whole);
  const cuts = [0, 1, 8, 30, bytes.indexOf(10) + 9, bytes.length - 1];
  for (const cut of cuts) {
    truncateSync(out, cut);
    expect((await run("--max-tokens", "2")).err).toBe("");
    expect(read()).toBe(whole);
  }
});

it("names the line of a bad prompt, and keeps the replies before it", async () => {
  const { run, read, prompts } = await setup([many[1], "", { prompt: 7 }]);
  expect((await run("--max-tokens", "2")).err).toContain(
    'in.jsonl:3: the line has neither "messages" nor "prompt"',
  );
  const first = read();
  writeFileSync(prompts, [many[1], many[2]].map((l) => JSON.stringify(l)).join("\n"));
  expect((await run("--max-tokens", "2")).code).toBe(0);
  expect(read().startsWith(first)).toBe(true);
  expect(read().trim().split("\n")).toHaveLength(2);
  appendFileSync(prompts, "\n{oops");
  expect((await run("--max-tokens", "2")).err).toContain("in.jsonl:3: invalid JSON");
  expect((await reins("generate", "x")).err).toContain("--prompts and --out are required");
});

it("writes an error for a prompt that the model cannot continue, and goes on", async () => {
  const { run, read } = await setup([{ prompt: "a".repeat(100) }, { prompt: "a" }]);
  expect((await run("--max-tokens", "2")).out).toContain("2 replies in");
  const [long, fine] = read()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(long.error).toContain("maximum context length is 64 tokens");
  expect(fine.completion).toEqual(expect.any(String));
});

it("reads lines across chunks, and refuses invalid UTF-8 by line", async () => {
  const file = join(folder(), "lines");
  const long = "é".repeat(100_000);
  writeFileSync(file, `a\n${long}\n\nlast`);
  const lines = [];
  for await (const line of linesOf(file)) lines.push(line);
  expect(lines.map((l) => [l.number, l.text, l.whole])).toEqual([
    [1, "a", true],
    [2, long, true],
    [3, "", true],
    [4, "last", false],
  ]);
  expect(lines[1].end).toBe(2 + 200_000 + 1);
  writeFileSync(file, Buffer.from([97, 10, 0xff, 10]));
  const all = async () => {
    for await (const { text } of linesOf(file)) expect(text).toBe("a");
  };
  await expect(all()).rejects.toThrow(/lines:2: the line is not valid UTF-8/);
});
