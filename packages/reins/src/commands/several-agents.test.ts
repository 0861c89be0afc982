import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkEnv } from "@reins/envs";
import { beforeEach, expect, it, vi } from "vitest";
import { folder, reins } from "../cli/testing.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
beforeEach(() => void vi.stubEnv("REINS_STATE", folder()));

/** Two agents take turns to add 1 or 2; the one that reaches 6 wins. */
const game = (broken = "") => `export default class {
  spec = { id: "Count-v0", observation: { kind: "discrete", n: 8, start: 0 }, action: { kind: "discrete", n: 2, start: 0 },
    agents: { names: ["first", "second"], order: "turns" } };
  total = 0;
  player = 0;
  reset() {
    this.total = this.player = 0;
    return { observations: [0, 0], alive: [true, false] };
  }
  step(actions) {
    this.total += actions[this.player] + 1;
    const over = this.total >= 6;
    const rewards = [0, 1].map((i) => (over ? (i === this.player ? 1 : -1) : 0));
    this.player = 1 - this.player;
    const alive = [0, 1].map((i) => i === this.player);
    return { observations: [this.total, this.total], alive, rewards, terminated: [over, over], truncated: [false, false], over };
  }
  save() { return [this.total, this.player]; }
  restore(from) { [this.total, this.player] = from; ${broken} }
  render() { return String(this.total); }
}`;

function written(code: string): string {
  const file = join(folder(), "count.mjs");
  writeFileSync(file, code);
  return file;
}

it("checks, trains, evaluates and watches an environment with several agents", async () => {
  const file = written(game());
  const check = await reins("check-env", file);
  expect([check.code, check.out]).toEqual([0, expect.stringContaining("passes all checks")]);
  const directory = join(folder(), "run");
  const small = [
    "--envs",
    "2",
    "--ppo-steps",
    "16",
    "--hidden",
    "4",
    "--steps",
    "4096",
    "--learning-rate",
    "0.1",
    "--eval-episodes",
    "2",
  ];
  const trained = await reins("train", "ppo", file, ...small, "--directory", directory);
  expect(trained.code, trained.err).toBe(0);
  // The mean return of a zero-sum game is constant, which is not reported.
  expect(trained.out).not.toContain("did not improve");
  // Two games of two agents with opposite returns.
  const measured = await reins("eval", directory, "--episodes", "2", "--json");
  expect(JSON.parse(measured.out)).toMatchObject({ episodes: 4, return: { mean: 0 } });
  const watched = await reins("watch", directory, "--episodes", "1", "--fps", "0");
  expect([watched.code, watched.err]).toEqual([0, ""]);
});

it("check-env reports errors of several agents", async () => {
  const { code, out } = await reins("check-env", written(game("this.total = 0;")));
  expect([code, out]).toEqual([1, expect.stringContaining("restore")]);
});

it("check-env accepts a factory", async () => {
  const { default: Count } = await import(written(game()));
  expect(checkEnv(() => new Count())).toEqual([]);
});
