import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

interface Line {
  readonly messages: { readonly role: string; readonly content: string }[];
  readonly score: number;
  readonly reward: number;
  readonly turns: number;
  readonly player: string;
}
const read = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

describe("reins record", () => {
  it("records conversations of several players, reproducibly", async () => {
    const out = join(folder(), "talks.jsonl");
    const by = (player: string, ...more: string[]) =>
      reins("record", "twenty-questions", "--player", player, "--count", "40", ...more);
    const { code, out: said } = await by("novice", "--out", out);
    expect(code).toBe(0);
    expect(said).toMatch(/^40 conversations in .*: score 0\.\d+, [\d.]+ turns on average\.\n$/);
    const lines = read(readFileSync(out, "utf8"));
    expect(lines).toHaveLength(40);
    for (const { messages, turns, player } of lines) {
      expect(messages.filter((m) => m.role === "assistant")).toHaveLength(turns);
      expect(player).toBe("novice");
    }
    const mean = (all: readonly Line[]) => all.reduce((sum, l) => sum + l.score, 0) / all.length;
    expect(read((await by("novice")).out)).toEqual(lines);
    expect(read((await by("novice", "--seed", "1")).out)).not.toEqual(lines);
    expect(mean(lines)).toBeLessThan(mean(read((await by("expert")).out)));
  });

  it("sft trains on the recorded file", async () => {
    const cwd = folder();
    const out = join(cwd, "talks.jsonl");
    await reins("record", "wordle-game", "--count", "30", "--out", out);
    const small = [
      "--env-layers",
      "1",
      "--env-width",
      "16",
      "--env-heads",
      "2",
      "--batch",
      "4",
      "--eval-episodes",
      "0",
    ];
    const { code, err } = await reins(
      "train",
      "sft",
      out,
      "--steps",
      "300",
      "--directory",
      join(cwd, "run"),
      ...small,
    );
    expect(code, err).toBe(0);
  });

  it("keeps the earlier file if it fails", async () => {
    const cwd = folder();
    const out = join(cwd, "talks.jsonl");
    writeFileSync(out, "mine\n");
    const { code } = await reins("record", "wordle-game", "--player", "oracle", "--out", out);
    expect(code).not.toBe(0);
    expect(readFileSync(out, "utf8")).toBe("mine\n");
    expect(readdirSync(cwd)).toEqual(["talks.jsonl"]);
  });

  it("reports wrong usage", async () => {
    expect((await reins("record", "wordle-game", "--player", "oracle")).err).toContain(
      "it has no player oracle",
    );
    expect((await reins("record", "countdown")).err).toContain("this is a single-turn task");
    expect((await reins("record", "CartPole-v1")).err).toContain("this is not a language task");
    expect((await reins("record", "wordle-game", "--level", "99")).err).toContain("levels 1 to 5");
  });
});
