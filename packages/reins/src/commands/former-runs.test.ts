import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folder, reins } from "../cli/testing.ts";

/** Runs that version 0.1 wrote, each in a copy. */
function former(name: string): string {
  const copy = join(folder(), name);
  cpSync(fileURLToPath(new URL(`../../../../fixtures/runs-0.1/${name}`, import.meta.url)), copy, {
    recursive: true,
  });
  return copy;
}

it("a run of version 0.1 acts and continues as it would have there", async () => {
  const run = former("dqn");
  const { out } = await reins("eval", run, "--episodes", "5", "--seed", "5", "--json");
  // The numbers here and below are those that version 0.1 printed.
  expect(JSON.parse(out.trim().split("\n").at(-1)!).return.mean).toBe(16.2);
  const { code, err } = await reins("resume", run, "--steps", "900", "--eval-episodes", "2", "--quiet");
  expect(code, err).toBe(0);
  const row = JSON.parse(readFileSync(join(run, "metrics.jsonl"), "utf8").trim().split("\n").at(-1)!);
  expect(row).toMatchObject({ step: 1024, updates: 481, episodes: 55, "length/mean": 18.472727272727273 });
  expect(row["loss/value"]).toBeCloseTo(3.8902469277381897, 4);
  expect(row["gradient/norm"]).toBeCloseTo(0.2176304168824572, 4);
});

it("a checkpoint of version 0.1 that lacks state is refused with that version; its agent acts", async () => {
  const run = former("ppo");
  const { code, err } = await reins("resume", run, "--steps", "128", "--quiet");
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/written by Reins 0\.1\.0, does not fit: .*Resume it with that version, or start/),
  ]);
  expect((await reins("eval", run, "--episodes", "2")).code).toBe(0);
});
