import { Run } from "@reins/core";
import { save } from "@reins/core/snapshots";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { a2c } from "./a2c.ts";
import { ppo } from "./ppo.ts";
import { aim, corridor, trained } from "./testing-envs.ts";
import { lock } from "./testing-on-policy.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const few = { envs: 4, steps: 16, hidden: [8], imitationBatch: 16, imitationCapacity: 200 };

describe("self-imitation", () => {
  it("opens a lock that random play opens once in 6561 tries, and fails without self-imitation", () => {
    const opened = (selfImitation: number) =>
      trained({
        algorithm: ppo({ selfImitation, envs: 8, steps: 64, hidden: [32] }),
        env: lock(8),
        steps: 40_000,
        seed: 1,
      }).metrics["return/mean"];
    expect(opened(4)).toBeGreaterThan(0.6);
    expect(opened(0)).toBeLessThan(0.2);
  });

  it("also with short batches and one update each", () => {
    const opened = (selfImitation: number) =>
      trained({
        algorithm: a2c({ selfImitation, hidden: [32] }),
        env: lock(7),
        steps: 30_000,
        seed: 1,
      }).metrics["return/mean"];
    expect(opened(4)).toBeGreaterThan(0.8);
    expect(opened(0)).toBeLessThan(0.2);
  });

  it.each([
    ["ppo", ppo({ ...few, selfImitation: 2 }), corridor()],
    ["ppo, with a mask", ppo({ ...few, selfImitation: 2 }), corridor(1, { masked: true })],
    ["ppo, with popArt", ppo({ ...few, selfImitation: 2, popArt: true }), corridor()],
    ["ppo, numbers", ppo({ ...few, selfImitation: 2, noise: "state-dependent" }), aim()],
    ["a2c", a2c({ ...few, selfImitation: 1 }), corridor()],
  ])("%s: resumes exactly, mid-episode", (_, algorithm, env) => {
    const options = { algorithm, env, steps: 640, seed: 2 };
    const whole = trained(options);
    const begun = new Run(options);
    begun.advance(200);
    const resumed = begun.fork();
    resumed.advance();
    expect({ ...resumed.metrics }).toEqual({ ...whole.metrics });
    expect(save(resumed.process.parts)).toEqual(save(whole.process.parts));
    expect(whole.metrics["imitation/better"]).toBeGreaterThanOrEqual(0);
  });

  it("rejects a memory", () => {
    const options = {
      algorithm: ppo({ ...few, selfImitation: 1, memory: "gru" }),
      env: corridor(),
      steps: 64,
    };
    expect(() => trained(options)).toThrow("ppo: selfImitation learns from single steps");
  });
});
