import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

/** The file of a walk with this spec; `step` is code that may change the result of a step. */
function walkFile(spec: string, step: string): string {
  const file = join(folder(), "walk.mjs");
  writeFileSync(
    file,
    `export default class {
      spec = { id: "Walk-v0", observation: { kind: "box", shape: [1], low: -Infinity, high: Infinity }, ${spec}, maxSteps: 20 };
      count = 0;
      at = 0;
      reset() { this.count = 0; this.at = 0; return { observation: [0] }; }
      step(action) {
        this.count++;
        this.at += Number(action?.[0] ?? action) - 0.5;
        const result = { observation: [this.at / 10], reward: this.at, terminated: false, truncated: this.count >= 20 };
        ${step}
        return result;
      }
    }`,
  );
  return file;
}

/** The file of a walk with a changing image and a constant vector. */
function picturedFile(): string {
  const file = join(folder(), "pictured.mjs");
  writeFileSync(
    file,
    `const constant = { kind: "box", shape: [4], low: -1, high: 1 };
    const picture = { kind: "image", height: 8, width: 8, channels: 1 };
    export default class {
      spec = { id: "Pictured-v0", observation: { kind: "dict", spaces: { mission: constant, picture } }, ${discrete}, maxSteps: 20 };
      at = 0;
      see() {
        const picture = new Uint8Array(64);
        picture[this.at % 64] = 255;
        return { mission: [1, 0, 0, 1], picture };
      }
      reset() { this.at = 0; return { observation: this.see() }; }
      step(action) {
        this.at += 1 + Number(action);
        return { observation: this.see(), reward: Number(action), terminated: false, truncated: this.at >= 20 };
      }
    }`,
  );
  return file;
}

const discrete = 'action: { kind: "discrete", n: 2, start: 0 }';
const small = ["--envs", "4", "--steps", "512", "--eval-episodes", "4", "--hidden", "8"];

it("prints the error and step of a crashed run without a checkpoint", async () => {
  const file = walkFile(discrete, "if (this.count === 7) result.reward = 0 / 0;");
  const run = join(folder(), "crashed");
  const trained = await reins("train", "ppo", file, ...small, "--directory", run);
  expect(trained.code).toBe(1);
  const why = /Walk-v0, row 0: the reward is NaN; .* \(step 7 of its episode, action [01]\)/;
  expect(trained.err).toMatch(why);
  const { code, out } = await reins("diagnose", run);
  expect(code).toBe(0);
  expect(out).toContain("The run stopped at step 0 with an error: ");
  expect(out).toMatch(why);
  const found = JSON.parse((await reins("diagnose", run, "--json")).out);
  expect(found).toMatchObject({ crash: { step: 0, error: expect.stringMatching(why) }, findings: [] });
});

it("prints findings about a solved run", async () => {
  const file = walkFile(`${discrete}, solvedAt: 10`, "result.reward = 1e6 * (1 + this.at / 100);");
  const { out } = await reins("train", "ppo", file, ...small, "--no-save");
  expect(out).toMatch(/, solved \(10\)\./);
  expect(out).toMatch(
    /The return counts as solved, but something looks wrong\.\nLikely cause: rewards are around/,
  );
  expect(out).not.toMatch(/raise learningRate|tanh/);
});

it("advises normalisation or sac if ppo has not solved continuous actions", async () => {
  const box = 'action: { kind: "box", shape: [1], low: 0, high: 1 }';
  const unsolved = await reins("train", "ppo", walkFile(`${box}, solvedAt: 1e9`, ""), ...small, "--no-save");
  expect(unsolved.out).toContain(
    "Continuous actions: normalise (--wrappers normaliseObservation,normaliseReward), or try sac, which needs fewer steps there.\n",
  );
  const wrapped = ["--wrappers", "normaliseObservation,normaliseReward"];
  const normalised = await reins("train", "ppo", walkFile(box, ""), ...small, ...wrapped, "--no-save");
  expect(normalised.out).toContain("Continuous actions: try sac, which needs fewer steps there.\n");
  const other = await reins("train", "ppo", walkFile(discrete, ""), ...small, "--no-save");
  expect(other.out).not.toContain("Continuous actions");
});

it("train prints the success rate of goal tasks, and intervals within the return bounds", async () => {
  const few = ["--envs", "2", "--learning-starts", "64", "--batch", "8", "--hidden", "8", "--steps", "256"];
  const { out } = await reins("train", "dqn", "BitFlip-v0", ...few, "--eval-episodes", "10", "--no-save");
  expect(out).toMatch(
    /^Return -[\d.]+ \(95% CI \[-[\d.]+, -?[\d.]+\], sd [\d.]+\) over 10 evaluation episodes/m,
  );
  expect(out).toMatch(/^Success rate \d+% \(95% CI \[[\d.]+%, [\d.]+%\]\)\.$/m);
  expect(out).not.toContain("±");
});

it("does not call an observation constant if its image changes", async () => {
  const { code, out, err } = await reins("train", "ppo", picturedFile(), ...small, "--no-save");
  expect(code, err).toBe(0);
  expect(out).not.toContain("the observation never changes");
});

it("diagnoses a finished run whose environment has no save()", async () => {
  const file = walkFile(discrete, "result.reward *= 1e6;");
  const run = join(folder(), "unsaved");
  await reins("train", "ppo", file, ...small, "--directory", run);
  const { code, out, err } = await reins("diagnose", run);
  expect(code, err).toBe(0);
  expect(out).toContain("ppo on Walk-v0, after 512 steps");
  expect(out).toContain("Likely cause: rewards are around");
});

it("reports that no episode ends, and the stopped evaluation episodes", async () => {
  const file = walkFile(discrete, "result.truncated = false; result.reward = -1;");
  writeFileSync(file, readFileSync(file, "utf8").replace(", maxSteps: 20", ""));
  const many = ["--envs", "4", "--steps", "8192", "--eval-episodes", "2", "--hidden", "8"];
  const { out } = await reins("train", "ppo", file, ...many, "--no-save");
  expect(out).toContain("2 evaluation episodes did not end within 10 000 steps and were stopped there.");
  expect(out).toContain("Likely cause: no episode has ended in 2048 steps of each environment");
});

it("does not report an improvement of a constant return", async () => {
  const file = walkFile(discrete, "result.reward = -0.01;");
  const longer = ["--envs", "4", "--steps", "4096", "--eval-episodes", "1", "--hidden", "8"];
  const { out } = await reins("train", "ppo", file, ...longer, "--no-save");
  expect(out).toMatch(/The (agent|return) did not /);
  expect(out).not.toContain("The return improved");
});

it("says that a run ended in its supervised phase", async () => {
  const run = join(folder(), "run");
  const tiny = ["--env-layers=1", "--env-width=16", "--env-heads=2", "--env-level=1", "--eval-episodes=0"];
  await reins(
    "train",
    "grpo",
    "sorting",
    "--steps=500",
    ...tiny,
    "--env-supervised-batch=16",
    "--directory",
    run,
  );
  const { out } = await reins("diagnose", run);
  expect(out).toContain("The run is in its supervised phase: grpo has not started.");
  expect(out).not.toContain("Nothing looks wrong");
});
