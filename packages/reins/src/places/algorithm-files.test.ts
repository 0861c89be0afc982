import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { algorithms, ppo, registerAlgorithm } from "@reins/algorithms";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";
import { load, resume } from "../load.ts";
import { train } from "../train.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));
afterEach(() => {
  delete (algorithms as Record<string, unknown>)["my-ppo"];
});

const summary = "PPO that hardly explores.";
const small = ["--envs", "2", "--my-ppo-steps", "16", "--hidden", "4", "--eval-episodes", "2", "--quiet"];

Object.assign(globalThis, { ppoOfTheTest: ppo });

/** An algorithm in a file. It uses the test's own PPO: Node would import the builds. */
function file(path = folder()): string {
  const made = join(path, "my-ppo.mjs");
  writeFileSync(
    made,
    `export default globalThis.ppoOfTheTest.with("my-ppo", { summary: "${summary}", options: { entropyWeight: 0 } });`,
  );
  return made;
}

const forget = () => delete (algorithms as Record<string, unknown>)["my-ppo"];

it("lists the settings of an algorithm from a file", async () => {
  const listed = await reins("algorithms", file());
  expect(listed.out).toContain(summary);
  expect(listed.out).toContain("--entropy-weight");
  forget();
  expect((await reins("train", file(), "--help")).out).toContain("Settings of my-ppo");
});

it("scores an algorithm from a file, whose processes read the file again", async () => {
  const made = join(folder(), "my-ppo.mjs");
  const built = new URL("../../dist/packed/index.js", import.meta.url);
  writeFileSync(
    made,
    `const ppo = globalThis.ppoOfTheTest ?? (await import("${built}")).ppo;\nexport default ppo.with("my-ppo", { summary: "${summary}" });`,
  );
  const out = folder();
  const flags = ["--steps", "64", ...small.slice(0, -1), "--seeds", "1", "--jobs", "1", "--out", out];
  const { code, err } = await reins("scores", made, "CartPole-v1", ...flags);
  expect(code, err).toBe(0);
  const record = JSON.parse(readFileSync(join(out, "my-ppo-CartPole-v1.json"), "utf8"));
  expect(record.scores).toHaveLength(1);
});

it("accepts the file of an algorithm as its name, and resumes its runs", async () => {
  const run = join(folder(), "run");
  const { code, err } = await reins(
    "train",
    file(),
    "CartPole-v1",
    "--steps",
    "64",
    ...small,
    "--directory",
    run,
  );
  expect([code, err]).toEqual([0, ""]);
  const config = JSON.parse(readFileSync(join(run, "config.json"), "utf8"));
  expect([config.algorithm, config.options.entropyWeight]).toEqual(["my-ppo", 0]);
  // The agent needs no algorithm; training needs it, and finds it.
  forget();
  expect((await load(run)).algorithm).toBe("my-ppo");
  expect((await reins("eval", run, "--episodes", "2")).code).toBe(0);
  expect(algorithms["my-ppo"]).toBeUndefined();
  expect((await reins("resume", run, "--steps", "128", "--quiet", "--eval-episodes", "2")).code).toBe(0);
  expect(algorithms["my-ppo"].definition.summary).toBe(summary);
});

it("does not run the algorithm of an untrusted run", async () => {
  const run = join(folder(), "run");
  await train({ algorithm: file(), env: "CartPole-v1", steps: 1000, evalEpisodes: 0, directory: run });
  const other = join(folder(), "run");
  cpSync(run, other, { recursive: true });
  forget();
  vi.stubEnv("REINS_STATE", folder());
  await expect(resume(other, { steps: 2000 })).rejects.toThrow(
    /its algorithm is code, in .*pass `algorithm` or `trust: true`/,
  );
  expect((await resume(other, { steps: 2000, evalEpisodes: 0, trust: true })).steps).toBeGreaterThanOrEqual(
    2000,
  );
});

it("resumes a program's algorithm if it is registered or passed", async () => {
  const mine = ppo.with("my-ppo", { summary });
  const directory = join(folder(), "run");
  const small = { envs: 2, steps: 16, hidden: [4] };
  await train({ algorithm: mine(small), env: "CartPole-v1", steps: 64, evalEpisodes: 0, directory });
  await expect(resume(directory, { steps: 128 })).rejects.toThrow(
    "it was trained by my-ppo, which is not registered",
  );
  expect((await resume(directory, { steps: 128, evalEpisodes: 0, algorithm: mine(small) })).steps).toBe(128);
  registerAlgorithm(mine);
  expect((await resume(directory, { steps: 192, evalEpisodes: 0 })).steps).toBe(192);
  expect(
    (await train({ algorithm: "my-ppo", env: "CartPole-v1", steps: 64, evalEpisodes: 0 })).algorithm,
  ).toBe("my-ppo");
});

it("refuses values that are not algorithms", async () => {
  const path = join(folder(), "x.mjs");
  writeFileSync(path, "export default 3;");
  expect((await reins("train", path, "CartPole-v1")).err).toContain("it exports no algorithm");
  expect((await reins("train", "./missing.js", "CartPole-v1")).err).toContain("there is no such file");
  expect(() => registerAlgorithm(3 as never)).toThrow("expected an algorithm");
  expect(() => registerAlgorithm(ppo.with("dqn", { summary }))).toThrow("dqn is a built-in algorithm");
});
