import { algorithms } from "@reins/algorithms";
import type { Space, Value } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { sampleValue } from "@reins/core/spaces";
import * as ort from "onnxruntime-web";
import { describe, expect, it, vi } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { loadAgent } from "../agents/eager.ts";
import { train } from "../train.ts";
import { exportOnnx } from "./export-onnx.ts";
import { apart, moduleOf } from "./testing-export.ts";

vi.stubEnv("REINS_THREADS", "1");
ort.env.wasm.numThreads = 1;

const small = { learningStarts: 64, capacity: 500, hidden: [16] };
/** One algorithm for each kind of policy, with environment and settings. */
const kinds: { readonly [algorithm: string]: readonly [env: string, settings?: object] } = {
  ppo: ["CartPole-v1"],
  dqn: ["CartPole-v1", small],
  rainbow: ["CartPole-v1", small],
  sac: ["Pendulum-v1", small],
  td3: ["Pendulum-v1", small],
  q: ["Taxi-v4"],
  "value-iteration": ["FrozenLake-v1"],
  ucb: ["BernoulliBandit-v0"],
  thompson: ["BernoulliBandit-v0"],
  linucb: ["LinearBandit-v0"],
};

const feedOf = (space: Space, value: Value) =>
  space.kind === "discrete"
    ? new ort.Tensor("int32", [value as number], [1])
    : new ort.Tensor("float32", Float32Array.from(value as number[]), [1, (value as number[]).length]);

/** Compares both exports with the agent. */
async function alike(agent: Agent) {
  const file = await agent.save();
  const own = await loadAgent(file);
  const module = await moduleOf(file);
  const session = await ort.InferenceSession.create(await exportOnnx(agent));
  const rng = defaultRng(2);
  const { observation } = agent.spec;
  for (let i = 0; i < 8; i++) {
    const value = sampleValue(observation, rng);
    const expected = own.act(value);
    expect(apart(module.act(value), expected)).toBeLessThan(1e-5);
    const { action } = await session.run({ observation: feedOf(observation, value) });
    expect(apart(action.data, typeof expected === "number" ? [expected] : expected)).toBeLessThan(1e-5);
  }
}

describe("exports act like the agent", () => {
  it.each(Object.entries(kinds))("%s", async (name, [env, settings]) => {
    await alike(await train({ algorithm: algorithms[name](settings), env, steps: 300, evalEpisodes: 0 }));
  });
});

it("wrappers are part of the export", async () => {
  const algorithm = algorithms.sac(small);
  const options = { algorithm, env: "Pendulum-v1", steps: 300, evalEpisodes: 0 };
  await alike(await train({ ...options, wrappers: ["normaliseObservation", "rescaleAction"] }));
  await alike(
    await train({
      ...options,
      wrappers: ["rescaleObservation", "clipAction", "normaliseReward", "clipReward"],
    }),
  );
  await alike(
    await train({
      ...options,
      algorithm: algorithms.ppo({ hidden: [8], envs: 2, steps: 32 }),
      env: "Taxi-v4",
      wrappers: ["flattenObservation", "normaliseObservation"],
    }),
  );
});
