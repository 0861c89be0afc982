import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReinsError } from "@reins/core";
import { expect, it } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { inkFor } from "./ink.ts";
import { print } from "./io.ts";
import { openScreen } from "./screen.ts";

/** Sets the title, clears the screen, writes over the line, hides, overrides the direction; in C0 and in C1. */
const evil = "\u001b]0;title\u0007\u001b[2J\rx\u001b[8m\u009b2J\u202eabc\u2066";
const seen = "\\u001b]0;title\\u0007\\u001b[2J\\u000dx\\u001b[8m\\u009b2J\\u202eabc\\u2066";
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text), isTTY, getColorDepth: () => 24 };
  return { output, text: () => written.join("") };
}

it("escapes control characters; colours pass if the output has colours", () => {
  const { bold, color } = inkFor(24);
  const [tty, pipe] = [terminal(true), terminal(false)];
  for (const { output } of [tty, pipe]) print(output, `${bold("run")} ${evil} ${color(1, "x")}`);
  expect(tty.text()).toBe(`${bold("run")} ${seen} ${color(1, "x")}\n`);
  expect(pipe.text()).toBe(`run ${seen} x\n`);
  const drawn = terminal(true);
  openScreen(drawn.output, { signals: false }).draw([bold(evil)]);
  expect(drawn.text()).toContain(`${bold(seen)}\u001b[K\n`);
});

it("error messages and JSON are unchanged except for control characters", () => {
  expect(new ReinsError(`a\n\t${evil}`).message).toBe(`a\n\t${seen}`);
  const { output, text } = terminal(false);
  const value = { "\u009b": evil };
  print(output, JSON.stringify(value));
  expect(text()).not.toMatch(controls);
  expect(JSON.parse(text())).toEqual(value);
});

it("no command writes raw control characters of a run to a terminal", async () => {
  const root = folder();
  const path = join(root, `run${evil}`.replaceAll("/", ""));
  mkdirSync(path);
  const config = {
    format: 1,
    reins: evil,
    created: "2026-01-01",
    algorithm: evil,
    env: evil,
    steps: 9,
    seed: 1,
  };
  writeFileSync(
    join(path, "config.json"),
    JSON.stringify({ ...config, options: { [evil]: evil }, envOptions: {} }),
  );
  const row = { step: 1, "return/mean": 1, [evil]: 2 };
  writeFileSync(join(path, "metrics.jsonl"), `${JSON.stringify(row)}\nbroken ${evil}\n`);
  const lists = {
    makers: ["policy"],
    turns: [1],
    logProbs: [-1],
    rewards: [1],
    segments: [{ from: 0, to: 1 }],
  };
  const words = {
    version: 1,
    step: 1,
    prompt: evil,
    answer: evil,
    first: evil,
    tokens: [evil],
    by: "policy",
  };
  writeFileSync(join(path, "transcripts.jsonl"), `${JSON.stringify({ ...words, ...lists, reward: 1 })}\n`);
  writeFileSync(join(path, "summary.json"), JSON.stringify({ steps: 1, error: evil, status: "crashed" }));
  for (const line of [
    ["runs", "--root", root],
    ["runs", "compare", path],
    ["runs", "plot", path],
    ["runs", "plot", path, "--metric", "nothing"],
    ["runs", "--root", root, "--json"],
    ["transcript", path],
    ["transcript", path, "--tokens"],
    ["transcript", path, "--list"],
    ...["eval", "watch", "resume", "diagnose", "metrics", "export"].map((command) => [command, path]),
  ]) {
    const { out, err } = await reins(...line);
    expect(`${out}${err}`, line.join(" ")).not.toMatch(controls);
    expect(`${out}${err}`.length).toBeGreaterThan(0);
  }
});
