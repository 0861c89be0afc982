import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { folder, reins } from "./cli/testing.ts";
import { load, resume, train } from "./index.ts";
import { textSource } from "./text.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const tiny = { level: 1, layers: 1, width: 16, heads: 2, warmUp: 300, rows: 32 };
const flags = Object.entries(tiny).map(
  ([k, v]) => `--env-${k.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}=${v}`,
);

describe("tasks in words", () => {
  it("are trained from the command line, imitation first, and measured on problems that training never sees", async () => {
    const path = join(folder(), "run");
    const { code, out } = await reins(
      "train",
      "grpo",
      "arithmetic",
      ...flags,
      "--groups",
      "2",
      "--plays",
      "4",
      "--steps",
      "600",
      "--eval-episodes",
      "8",
      "--directory",
      path,
      "--json",
      "--quiet",
    );
    expect(code).toBe(0);
    const result = JSON.parse(out.trim().split("\n").at(-1)!);
    expect(result.episodes).toBe(8);
    expect(result.steps).toBeGreaterThanOrEqual(600);
    const agent = await load(path);
    expect(typeof agent.act("1+2=")).toBe("string");
    const again = await agent.evaluate(8, { seed: 1 });
    expect(again.mean).toBe(result.return.mean);
  });

  it("stop and go on without a difference", async () => {
    const options = {
      algorithm: "sft",
      env: "sorting",
      envOptions: { ...tiny, warmUp: 0 },
      evalEpisodes: 4,
      seed: 3,
    } as const;
    const whole = await train({ ...options, steps: 1200 });
    const path = join(folder(), "run");
    await train({ ...options, steps: 600, directory: path });
    const longer = await resume(path, { steps: 1200, evalEpisodes: 4 });
    expect({ ...longer.run.metrics }).toEqual({ ...whole.run.metrics });
  });

  it("say what they do not have", async () => {
    await expect(textSource("arithmetic", { depth: 3 })).rejects.toThrow("There are level, layers");
    await expect(textSource("arithmetic", { level: 99 })).rejects.toThrow("Levels go from 1 to 8");
    expect(await textSource("arithmetics")).toBeUndefined();
    expect((await reins("train", "ppo", "arithmetic", "--no-save")).err).toContain("grpo and sft do");
    expect((await reins("envs", "arithmetic")).out).toMatch(/algorithms\s+grpo, sft/);
    const { err, code } = await reins("train", "dqn", "arithmetic", ...flags, "--no-save");
    expect(code).toBe(1);
    expect(err).toContain("does not learn from answers in words");
  });
});
