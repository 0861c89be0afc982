import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));

const code = (render = "") => `export default class {
  spec = { id: "Count-v0", observation: { kind: "box", shape: [1], low: 0, high: 8 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 8 };
  count = 0;
  reset() { this.count = 0; return { observation: [0] }; }
  step(action) { this.count++; return { observation: [this.count], reward: action, terminated: false, truncated: this.count === 8 }; }
  save() { return this.count; }
  restore(from) { this.count = from; }
  ${render}
}`;
const small = ["--envs", "2", "--ppo-steps", "16", "--hidden", "4", "--steps", "64", "--eval-episodes", "2"];

/** Trains and resumes in an environment; resolves to the run and what was printed. */
async function trained(render?: string) {
  const file = join(folder(), "count.mjs");
  writeFileSync(file, code(render));
  const directory = join(folder(), "run");
  const first = await reins("train", "ppo", file, ...small, "--directory", directory);
  const resumed = await reins("resume", directory, "--steps", "128");
  return { directory, prints: [first.out, resumed.out] };
}

it("suggests reins eval for an environment without render()", async () => {
  const { directory, prints } = await trained();
  for (const out of prints) {
    expect(out).toContain(`Evaluate it: reins eval ${directory}`);
    expect(out).not.toContain("reins watch");
  }
  const watched = await reins("watch", directory);
  expect(watched.code).not.toBe(0);
  expect(watched.err).toContain(
    "Count-v0: the environment has no render(). Add one that returns the lines of a text",
  );
});

it("suggests reins watch for an environment with render()", async () => {
  const { directory, prints } = await trained("render() { return String(this.count); }");
  for (const out of prints) expect(out).toContain(`Watch it: reins watch ${directory}`);
});
