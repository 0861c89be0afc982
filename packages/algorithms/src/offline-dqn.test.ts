import { discrete, Run } from "@reins/core";
import { single } from "@reins/core/forms";
import { defaultRng } from "@reins/core/random";
import { setBackend, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { offlineDqn } from "./offline-dqn.ts";
import { corridor, fingerprint, score } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

/** Transitions of a random walk in the corridor. */
function walks(steps: number) {
  const random = defaultRng(5);
  const env = single(corridor().make(1));
  const rows: { seen: number[]; action: number; reward: number; discount: number; next: number[] }[] = [];
  let seen = [...(env.reset({ seed: 0 }).observation as number[])];
  for (let i = 0; i < steps; i++) {
    const action = random.integers(2);
    const { observation, reward, terminated, truncated } = env.step(action);
    const next = [...(observation as number[])];
    rows.push({ seen, action, reward: reward as number, discount: terminated ? 0 : 0.9, next });
    seen = terminated || truncated ? [...(env.reset().observation as number[])] : next;
  }
  return {
    observation: tensor(rows.map((r) => r.seen)),
    action: tensor(Int32Array.from(rows, (r) => r.action)),
    reward: tensor(rows.map((r) => r.reward)),
    discount: tensor(rows.map((r) => r.discount)),
    next: tensor(rows.map((r) => r.next)),
  };
}

const start = (data: unknown) =>
  new Run({
    algorithm: offlineDqn({ hidden: [16], learningRate: 5e-3, batch: 64, tau: 0.05 }),
    env: corridor(),
    steps: 64 * 600,
    seed: 2,
    data,
  });

it("finds the prize from a random walk, without its own steps", () => {
  const run = start(walks(500));
  run.advance();
  expect(run.steps).toBe(64 * 600);
  expect(score(run)).toBeCloseTo(1, 9);
});

it("learns the values of actions that are not numbered from 0", () => {
  const { action, ...rest } = walks(500);
  const shifted = tensor(Int32Array.from(action.data, (a) => a + 3));
  const env = corridor();
  const spec = { ...env.spec, action: discrete(2, 3) };
  const algorithm = offlineDqn({ hidden: [16], learningRate: 5e-3, batch: 64, tau: 0.05 });
  const data = { ...rest, action: shifted };
  const run = new Run({ algorithm, env: { ...env, spec }, steps: 64 * 600, seed: 2, data });
  run.advance();
  const plain = start(walks(500));
  plain.advance();
  expect(run.metrics).toEqual(plain.metrics);
});

it("resumes exactly", () => {
  const data = walks(100);
  const [run, again] = [start(data), start(data)];
  run.round();
  again.restore(run.save());
  for (const r of [run, again]) r.round();
  expect(fingerprint(again)).toEqual(fingerprint(run));
});

it("rejects a run without data", () => {
  expect(() => start(undefined)).toThrow("Pass them to the run as `data`");
});
