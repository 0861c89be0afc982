import { type CurrentPolicy, Run, type StepEnvironment } from "@reins/core";
import { placeOf } from "@reins/core/evaluations";
import { exportPolicy, importPolicy, PolicyRunner } from "@reins/core/policies";
import { make } from "@reins/envs";
import { setBackend, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { ppo } from "./ppo.ts";
import { score, trained } from "./testing-envs.ts";
import { cue, expectExactResume } from "./testing-on-policy.ts";

setBackend("wasm");

/** Two symbols of three are shown, then must be repeated: return 1 with memory, a third without. */
const id = "RepeatCopy-v0";
const env: StepEnvironment = {
  spec: make(id, { rows: 1, symbols: 3, length: 2, repeats: 1 }).spec,
  make: (rows) => make(id, { rows, symbols: 3, length: 2, repeats: 1 }),
};
const small = {
  envs: 16,
  steps: 16,
  minibatches: 2,
  hidden: [16],
  units: 16,
  memorySteps: 8,
  memoryHeads: 2,
  learningRate: 5e-3,
  gamma: 0.9,
};

it("without memory, guessing is optimal", () => {
  expect(score(trained({ algorithm: ppo(small), env, steps: 12_000, seed: 1 }), 200)).toBeLessThan(0.45);
});

it.each(["gru", "transformer"] as const)("%s remembers with action masks", (memory) => {
  const algorithm = ppo({ ...small, memory });
  expect(score(trained({ algorithm, env: cue({ masked: true }), steps: 8000, seed: 1 }), 50)).toBeCloseTo(1);
});

describe.each(["gru", "lstm", "mingru", "ffm", "transformer", "hcam"] as const)("%s", (memory) => {
  const options = { ...small, memory };
  // One recurrent memory and one with attention; the others are trained by `npm run test:all`.
  const tags = ["gru", "transformer"].includes(memory) ? [] : ["slow"];

  it("repeats what it saw", { tags }, () => {
    const run = trained({ algorithm: ppo(options), env, steps: 20_000, seed: 1 });
    expect(score(run, 50)).toBeGreaterThan(0.7);
  });

  it("resumes exactly", () => {
    const few = { ...options, envs: 4, units: 8, memorySteps: 3, memoryLayers: 2 };
    expectExactResume(() => ppo(few), cue({ masked: true }), 512);
  });

  it("acts the same after serialisation", () => {
    const run = new Run({ algorithm: ppo(options), env, steps: 256, seed: 1 });
    run.advance();
    const acting = run.process.acting!;
    const played = (agent: CurrentPolicy) => {
      const player = new PolicyRunner(agent, env.make(3));
      player.reset(3);
      return Array.from({ length: 20 }, () => {
        const actions = [...(player.act().action as Tensor).data];
        player.step();
        return actions;
      });
    };
    const written = exportPolicy(acting, placeOf(run).spec);
    const ways = JSON.parse(JSON.stringify(written.ways)) as typeof written.ways;
    expect(played(importPolicy({ ...written, ways }, "agent"))).toEqual(played(acting));
  });
});

it("heads must divide the memory size", () => {
  const start = () => new Run({ algorithm: ppo({ memory: "transformer", units: 10 }), env, steps: 10 });
  expect(start).toThrow("10 units cannot be divided into 4 heads");
});
