import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, reins } from "../cli/testing.ts";

it("warns about large rewards", async () => {
  const env = join(folder(), "env.mjs");
  writeFileSync(
    env,
    `export default class {
      spec = { id: "Cents-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 }, maxSteps: 10 };
      count = 0;
      reset() { this.count = 0; return { observation: [0] }; }
      step(action) { this.count++; return { observation: [0], reward: this.count > 10 ? 0 : action * 1e6, terminated: false, truncated: this.count >= 10 }; }
    }`,
  );
  const { code, out } = await reins("check-env", env);
  expect(code).toBe(0);
  expect(out).toMatch(
    /warning: reward-scale\n.*-10 to 10 per step.*\n.*a return of \S*e?\+?\d+\n.*normaliseReward/,
  );
  expect((await reins("check-env", "CartPole-v1", "--steps", "20")).out).not.toContain("reward-scale");
});

it("notes that an environment has no save(), without an error", async () => {
  const env = join(folder(), "env.mjs");
  writeFileSync(
    env,
    `export default class {
      spec = { id: "Unkept-v0", observation: { kind: "box", shape: [1], low: -1, high: 1 }, action: { kind: "discrete", n: 2, start: 0 } };
      count = 0;
      reset() { this.count = 0; return { observation: [0] }; }
      step(action) { this.count++; return { observation: [0], reward: this.count > 10 ? 0 : action, terminated: this.count >= 10, truncated: false }; }
    }`,
  );
  const { code, out } = await reins("check-env", env);
  expect(code).toBe(0);
  expect(out).toContain("Unkept-v0 passes all checks.");
  expect(out).toMatch(/no save\(\) and restore\(\).*reins train --from.*reins tune/);
  expect((await reins("check-env", "CartPole-v1", "--steps", "20")).out).not.toContain("save()");
});
