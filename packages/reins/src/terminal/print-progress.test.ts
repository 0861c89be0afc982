import { join } from "node:path";
import { inspect } from "node:util";
import { ppo } from "@reins/algorithms";
import { expect, it, vi } from "vitest";
import { loadAgent } from "../agents/load-agent.ts";
import { folder } from "../cli/testing.ts";
import { resume } from "../load.ts";
import { train } from "../train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

/** Captures standard output. */
async function printed<T>(work: () => Promise<T>): Promise<{ lines: string[]; result: T }> {
  let text = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    const result = await work();
    return { lines: text.split("\n").slice(0, -1), result };
  } finally {
    spy.mockRestore();
  }
}

const small = { envs: 2, steps: 16, hidden: [4] };
const short = { env: "CartPole-v1", steps: 64, evalEpisodes: 0 };

it("prints the progress lines of the command line", async () => {
  const directory = join(folder(), "run");
  const own = { ...short, algorithm: ppo(small), directory };
  expect((await printed(() => train({ ...own, directory: false }))).lines).toEqual([]);
  const seen: number[] = [];
  const { lines } = await printed(() =>
    train({ ...own, progress: true, onProgress: (p) => void seen.push(p.steps) }),
  );
  expect(lines[0]).toBe("ppo on CartPole-v1   64 steps   seed 0   custom settings   wasm");
  expect(lines.at(-1)).toMatch(/^64 of 64 steps {3}return .* steps\/s {3}/);
  expect(seen.at(-1)).toBe(64);
  const more = await printed(() => resume(directory, { steps: 128, progress: true }));
  expect(more.lines.at(-1)).toMatch(/^128 of 128 steps/);
  await expect(train({ ...own, progress: 1 as unknown as boolean })).rejects.toThrow("progress is 1");
});

it("lists changed settings, and counts the steps of several agents", async () => {
  const settings = { ...small, learningRate: 1e-3 };
  const options = { ...short, algorithm: "ppo", settings, progress: true };
  const { lines } = await printed(() => train(options));
  expect(lines[0]).toContain("tuned settings except envs 2, steps 16, hidden [4], learningRate 0.001");
  const several = await printed(() => train({ ...options, seeds: 2 }));
  expect(several.lines.at(-1)).toMatch(/^128 of 128 steps of 2 agents {3}/);
});

it("agents and progress print in a few lines", async () => {
  const shown: string[] = [];
  const agent = await train({
    ...short,
    algorithm: ppo(small),
    progressEvery: 0,
    onProgress: (p) => void shown.push(inspect(p)),
  });
  expect(shown.at(-1)?.split("\n").length).toBeLessThan(12);
  expect(shown.at(-1)).toContain("budget: 64");
  const kept = await loadAgent(await agent.save());
  for (const [text, lines] of [
    [inspect(agent), 16],
    [inspect(kept), 3],
  ] as const) {
    expect(text).toContain("env: 'CartPole-v1'");
    expect(text.split("\n").length).toBeLessThan(lines);
  }
  // Their properties are unchanged.
  expect(Object.keys(agent)).toContain("run");
});
