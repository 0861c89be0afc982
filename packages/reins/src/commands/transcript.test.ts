import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { multiTurnTasks, textTask } from "@reins/language";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { resume, train } from "../index.ts";
import { readTranscripts } from "../training/transcript-file.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const tiny = { level: 1, layers: 1, width: 16, heads: 2, rows: 16 };
/** A short multi-turn run with an supervised phase. */
async function run(steps: number, directory = join(folder(), "run")) {
  await train({
    algorithm: "grpo",
    env: "wordle-game",
    envOptions: { ...tiny, supervisedTokens: 300 },
    settings: { groups: 4, groupSize: 4 },
    steps,
    directory,
    evalEpisodes: 4,
  });
  return directory;
}

describe("reins transcript", () => {
  it("has aligned tokens, authors, rewards and advantages", async () => {
    const directory = await run(4500);
    const all = readTranscripts(directory);
    expect(new Set(all.map((t) => t.by))).toEqual(new Set(["teacher", "policy"]));
    for (const t of all) {
      const lists = [t.tokens, t.makers, t.turns, t.logProbs, t.rewards];
      expect(new Set(lists.map((l) => l.length))).toEqual(new Set([t.tokens.length]));
      // The text equals the messages, and only the model's tokens are in turns.
      const text = (t.first + t.tokens.join("")).replaceAll("⏎", "");
      expect(text).toBe(t.messages!.map((m) => m.content).join(""));
      t.makers.forEach((maker, i) => expect(t.turns[i] > 0).toBe(maker === t.by));
      // Only tokens of the model were sampled and have a log-probability.
      t.makers.forEach((maker, i) => expect(t.logProbs[i] !== null).toBe(maker === "policy"));
      // Entropies are between 0 and the logarithm of the vocabulary size.
      expect(t.entropies).toHaveLength(t.tokens.length);
      for (const h of t.entropies!) expect(h >= 0 && h < Math.log(40)).toBe(true);
      expect(t.rewards.reduce((a, b) => a + b, 0)).toBeCloseTo(t.reward, 5);
    }
    const learned = all.filter((t) => t.advantages);
    expect(learned.some((t) => t.by === "policy")).toBe(true);
    const { out, err, code } = await reins("transcript", directory, "--tokens");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^.* of .*, after \d+ tokens\n/);
    expect(out).toMatch(/user {4}2[a-h]{4}\?/);
    expect(out).toMatch(/\n +0 +[a-h] +environment\n/);
    const first = all.findIndex((t) => t.by === "teacher") + 1;
    const taught = await reins("transcript", directory, "--number", `${first}`);
    expect(taught.out).toContain("tokens");
    expect(taught.out).not.toContain("log-probability");
    const { out: listed } = await reins("transcript", directory, "--list");
    expect(listed.trim().split("\n")).toHaveLength(all.length + 1);
    expect(JSON.parse((await reins("transcript", directory, "--number", "1", "--json")).out)).toEqual(all[0]);
    const far = await reins("transcript", directory, "--number", "9999");
    expect([far.code, far.err]).toEqual([2, expect.stringContaining(`has ${all.length} transcripts`)]);
  });

  it("is unchanged if a run is stopped and resumed", async () => {
    const whole = await run(4500);
    const parts = await run(3200);
    await resume(parts, { steps: 4500, evalEpisodes: 4 });
    const of = (path: string) => readTranscripts(path).filter((t) => t.step > 3500);
    expect(of(parts).length).toBeGreaterThan(0);
    const steps = new Set(of(parts).map((t) => t.step));
    expect(of(parts)).toEqual(of(whole).filter((t) => steps.has(t.step)));
  });

  it("reports missing transcripts, and skips invalid lines", async () => {
    const directory = await run(400);
    const count = readTranscripts(directory).length;
    const file = join(directory, "transcripts.jsonl");
    appendFileSync(file, '{"version": 99}\n{"version": 1, "st');
    expect(readTranscripts(directory)).toHaveLength(count);
    writeFileSync(file, "");
    const { code, err } = await reins("transcript", directory);
    expect([code, err]).toEqual([1, expect.stringContaining("the run has no transcripts")]);
    expect(readFileSync(file, "utf8")).toBe("");
  });
});

/** The model sends a letter to a partner, which repeats it, twice. */
const relay = textTask<{ secret: string }, { secret: string; said: string[] }>({
  id: "relay",
  about: "Tell a partner a letter; they name it.",
  levels: 1,
  alphabet: "abc?!",
  longest: { prompt: 1, answer: 2, conversation: 24 },
  make(random) {
    const secret = random.choice(["a", "b", "c"]);
    return { prompt: secret, key: `${secret}${random.integers(99)}`, answer: secret, data: { secret } };
  },
  verify: ({ data }, _, talk) => ({ score: talk?.state.said.includes(data.secret) ? 1 : 0 }),
  episode: {
    turns: 4,
    begin: ({ data }) => ({ ...data, said: [] }),
    roles: { partner: { opening: () => [{ role: "user", content: "!" }] } },
    turn(state, { name, content }) {
      if (name !== "partner") return { say: content || "?", to: "partner" };
      state.said.push(content);
      return state.said.length > 1 ? { done: true, reward: 0.5 } : { say: "?", to: "model", reward: 0.25 };
    },
    players: { expert: ({ data }) => data.secret },
  },
});

it("every reply of every role has its own tokens and log-probability", async () => {
  const directory = join(folder(), "run");
  await train({
    algorithm: "grpo",
    env: relay,
    envOptions: { layers: 1, width: 16, heads: 2, supervisedTokens: 0 },
    settings: { groups: 2, groupSize: 4 },
    steps: 300,
    directory,
    evalEpisodes: 0,
  });
  const all = readTranscripts(directory);
  expect(new Set(all.map((t) => t.role))).toEqual(new Set([undefined, "partner"]));
  const t = all.find(({ replies = [] }) => replies.length === 4 && replies.every((r) => r.tokens))!;
  expect(t.replies!.map((r) => r.role)).toEqual([undefined, "partner", undefined, "partner"]);
  expect(t.replies!.map((r) => t.messages![r.message].role)).toEqual(Array(4).fill("assistant"));
  // The replies sum up to the tokens of the segment, whose key is that of the problem.
  const own = t.replies!.filter((r) => r.role === t.role);
  expect(own.reduce((n, r) => n + r.tokens!, 0)).toBe(t.turns.filter((k) => k > 0).length);
  expect(own.reduce((sum, r) => sum + r.logProb!, 0)).toBeCloseTo(
    t.logProbs.reduce<number>((sum, p) => sum + (p ?? 0), 0),
    4,
  );
  expect(t.key).toMatch(/^[abc]\d+$/);
  // The colour scale is that of the whole batch.
  const batch = all
    .filter(({ step }) => step === t.step)
    .flatMap(({ advantages = [] }) => advantages.map(Math.abs));
  expect(t.largestAdvantage).toBeGreaterThanOrEqual(Math.max(...batch));
  const { out } = await reins("transcript", directory, "--number", `${all.indexOf(t) + 1}`);
  const lines = out.split("\n").filter((line) => /^(model|partner)/.test(line));
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toMatch(/\d+ tokens?, log-probability -/);
}, 60_000);

it("skips invalid lines, and reads null as NaN", async () => {
  const path = folder();
  const lists = { tokens: ["a"], makers: ["policy"], turns: [1], logProbs: [-1], rewards: [null] };
  const fine = { version: 1, step: 1, by: "policy", prompt: "p", answer: "a", first: "^", reward: null };
  const whole = { ...fine, ...lists, segments: [{ from: 0, to: 1 }] };
  const lines = [
    whole,
    { ...whole, prompt: 7 },
    { ...whole, tokens: "a" },
    { ...whole, messages: [{}] },
    { ...whole, segments: [null] },
    { ...whole, terms: { a: {} } },
    { version: 1, step: 2, tokens: ["a"] },
    7,
    null,
  ];
  const config = {
    format: 1,
    algorithm: "grpo",
    env: "arithmetic",
    steps: 9,
    seed: 0,
    options: {},
    envOptions: {},
  };
  writeFileSync(join(path, "config.json"), JSON.stringify(config));
  writeFileSync(join(path, "transcripts.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { out, err } = await reins("transcript", path, "--tokens");
  expect([out, err]).toEqual([expect.stringContaining("reward NaN"), ""]);
  expect((await reins("transcript", path, "--list")).out.trim().split("\n")).toHaveLength(2);
});

it("lists multi-turn tasks", async () => {
  expect((await reins("envs")).out).toContain(`Multi-turn: ${Object.keys(multiTurnTasks)[0]}`);
  expect((await reins("envs", "wordle-game")).out).toContain("Guess a hidden word");
});
