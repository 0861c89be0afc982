import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { a2c } from "./a2c.ts";
import { impala } from "./impala.ts";
import { ppo } from "./ppo.ts";
import { corridor, score, trained } from "./testing-envs.ts";
import { cue, expectExactResume } from "./testing-on-policy.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const small = { envs: 8, steps: 32, hidden: [16], learningRate: 1e-2 };

describe("critics for returns of any scale", () => {
  it.each([
    ["symlog", 1000],
    ["two-hot", 1000],
    ["two-hot", 0.01],
  ] as const)("ppo, %s: learns a prize of %d", (values, prize) => {
    const play = (how: "plain" | "symlog" | "two-hot") =>
      trained({ algorithm: ppo({ ...small, values: how }), env: corridor(prize), steps: 6000, seed: 1 });
    const run = play(values);
    expect(score(run)).toBeCloseTo(prize);
    expect(run.metrics["value/explained"]).toBeGreaterThan(0.5);
    if (prize > 1) expect(play("plain").metrics["value/explained"]).toBeLessThan(0.2);
  });

  it("resume exactly", () => {
    expectExactResume(() => ppo({ ...small, values: "two-hot" }), corridor(1000), 512);
    expectExactResume(
      () => ppo({ ...small, values: "symlog", shared: true, selfImitation: 1 }),
      corridor(),
      512,
    );
    expectExactResume(() => ppo({ ...small, values: "two-hot", memory: "gru", units: 8 }), cue(), 512);
    expectExactResume(() => a2c({ hidden: [16], values: "two-hot" }), corridor(1000), 512);
    expectExactResume(() => impala({ hidden: [16], values: "symlog" }), corridor(1000), 512);
  });
});
