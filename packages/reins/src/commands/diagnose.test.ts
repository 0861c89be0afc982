import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

/** The file of a walk with this spec; `step` is code that may change what a step gives back. */
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

const discrete = 'action: { kind: "discrete", n: 2, start: 0 }';
const small = ["--envs", "4", "--steps", "512", "--eval-episodes", "4", "--hidden", "8"];

it("says why a run stopped that has no checkpoint, and at which step", async () => {
  const file = walkFile(discrete, "if (this.count === 7) result.reward = 0 / 0;");
  const run = join(folder(), "crashed");
  const trained = await reins("train", "ppo", file, ...small, "--directory", run);
  expect(trained.code).toBe(1);
  const why = /Walk-v0, row 0: the reward is NaN; .* \(step 7 of its episode, action [01]\)/;
  expect(trained.err).toMatch(why);
  const { code, out } = await reins("diagnose", run);
  expect(code).toBe(0);
  expect(out).toContain("It stopped at step 0 with an error: ");
  expect(out).toMatch(why);
  const found = JSON.parse((await reins("diagnose", run, "--json")).out);
  expect(found).toMatchObject({ crash: { step: 0, error: expect.stringMatching(why) }, findings: [] });
});

it("prints findings about a run that counts as solved", async () => {
  const file = walkFile(`${discrete}, solvedAt: 10`, "result.reward = 1e6 * (1 + this.at / 100);");
  const { out } = await reins("train", "ppo", file, ...small, "--no-save");
  expect(out).toMatch(/, solved \(10\)\./);
  expect(out).toMatch(
    /It counts as solved, but something looks wrong\.\nLikeliest reason: rewards are around/,
  );
  expect(out).not.toMatch(/raise learningRate|tanh/);
});

it("advises normalisation or sac where ppo has not solved continuous actions", async () => {
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

it("train prints the success rate of goal tasks, and intervals within what an episode can bring", async () => {
  const few = ["--envs", "2", "--learning-starts", "64", "--batch", "8", "--hidden", "8", "--steps", "256"];
  const { out } = await reins("train", "dqn", "BitFlip-v0", ...few, "--eval-episodes", "10", "--no-save");
  expect(out).toMatch(/^Return -[\d.]+ \(95% CI \[-[\d.]+, -?[\d.]+\], sd [\d.]+\) over 10 fresh episodes/m);
  expect(out).toMatch(/^Success rate \d+% \(95% CI \[[\d.]+%, [\d.]+%\]\)\.$/m);
  expect(out).not.toContain("±");
});
