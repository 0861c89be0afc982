import { type Algorithm, Run, type VectorEnv } from "@reins/core";
import { make } from "@reins/envs";
import { leaves, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { impala } from "./impala.ts";
import { ppg } from "./ppg.ts";
import { trpo } from "./trpo.ts";

setBackend("wasm");

const small = { envs: 4, steps: 16, hidden: [8] };

/** The same environment without its traced form. */
const stepByStep = (env: VectorEnv): VectorEnv => Object.create(env, { traced: { value: undefined } });

it.each<[string, () => Algorithm]>([
  ["trpo", () => trpo({ ...small, minibatches: 2, epochs: 2, cgSteps: 4, backtracks: 3 })],
  ["impala with memory", () => impala({ ...small, epochs: 2, memory: "mingru", units: 8 })],
  ["ppg", () => ppg({ ...small, minibatches: 2, auxiliaryEvery: 2, auxiliaryMinibatches: 2 })],
])("%s collects and learns in one call as it does step by step", (_, algorithm) => {
  const begin = (whole: boolean) => {
    const rowsOf = (rows: number) => make("CartPole-v1", { rows, traced: true });
    const place = {
      spec: rowsOf(1).spec,
      make: (rows: number) => (whole ? rowsOf(rows) : stepByStep(rowsOf(rows))),
    };
    const run = new Run({ algorithm: algorithm(), env: place, steps: 1e6, seed: 2 });
    expect(run.process.whole !== undefined).toBe(whole);
    for (let i = 0; i < 5; i++) run.round();
    return [{ ...run.metrics }, leaves(run.process.acting!.weights).map((t) => [...t.data])];
  };
  expect(begin(true)).toEqual(begin(false));
});
