import { groupedDqn, ppo } from "@reins/algorithms";
import { box, discrete, type EnvSpec, type MultiEnv } from "@reins/core";
import { actorCritic, PolicyRunner, teams } from "@reins/core/policies";
import type { Tensor } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { exportModule } from "../export/export-module.ts";
import { train } from "../train.ts";
import { loadAgent as loadSmall } from "./eager.ts";
import { loadAgent } from "./load-agent.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
vi.stubEnv("REINS_THREADS", "1");

/** Two agents that see random numbers. */
const pair = (policies?: readonly string[]): MultiEnv => {
  let time = 0;
  const seen = () => [0, 1].map((slot) => [Math.sin(3 * time + slot), Math.cos(5 * time - slot)]);
  return {
    spec: {
      id: "Pair-v0",
      observation: box([2], -1, 1),
      action: discrete(50),
      maxSteps: 6,
      agents: { names: ["a", "b"], order: "parallel", ...(policies ? { policies } : {}) },
    },
    reset() {
      time = 0;
      return { observations: seen() };
    },
    step() {
      time++;
      const no = [false, false];
      return { observations: seen(), rewards: [0, 0], terminated: no, truncated: no, over: false };
    },
  };
};

const own = (policy: (spec: EnvSpec) => ReturnType<typeof actorCritic>) =>
  ppo.with("ppo-pair", {
    parts: (_, __, { spec }) => ({ policy: teams(spec, { left: policy(spec), right: policy(spec) }) }),
  });
const options = { steps: 16, evalEpisodes: 0, env: () => pair(["left", "right"]) };
const settings = { envs: 2, steps: 8, minibatches: 2 };

it("an agent with several policies acts with that of the named agent", async () => {
  const algorithm = own((spec) => actorCritic(spec, { hidden: [8] }))(settings);
  const trained = await train({ ...options, algorithm });
  const bytes = await trained.save();
  const { code, types } = await exportModule(trained);
  expect(types).toContain("readonly agent: number");
  const { act } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const env = (await trained.place()).make(1);
  const player = new PolicyRunner(trained.current, env);
  player.reset(1);
  let different = 0;
  for (let t = 0; t < 6; t++) {
    const { data } = env.observation as Tensor;
    const rows = [0, 1].map((slot) => [...data.slice(2 * slot, 2 * slot + 2)]);
    const chosen = [...(player.act().action as Tensor).data];
    for (const agent of [trained, await loadAgent(bytes), await loadSmall(bytes)]) {
      expect(rows.map((row, slot) => agent.act(row, { agent: slot }))).toEqual(chosen);
      expect(rows.map((row, slot) => agent.act(row, { agent: ["a", "b"][slot] }))).toEqual(chosen);
    }
    expect(rows.map((row, agent) => act(row, { agent }))).toEqual(chosen);
    different += Number(trained.act(rows[0], { agent: "a" }) !== trained.act(rows[0], { agent: "b" }));
    player.step();
  }
  expect(different).toBeGreaterThan(0);
  expect(() => trained.act([0, 0])).toThrow(
    'act: Pair-v0 has several policies. Name the agent that acts, one of a, b: act(observation, { agent: "a" }).',
  );
  expect(() => trained.act([0, 0], { agent: 2 })).toThrow(
    "agent 2 does not exist in Pair-v0. Use one of a, b",
  );
  expect(() => act([0, 0])).toThrow("agent");
});

it("agents that share a policy with memory remember apart if they are named", async () => {
  const algorithm = ppo({ ...settings, memory: "gru", units: 8 });
  const agent = await train({ ...options, env: () => pair(), algorithm });
  const alone = (slot: number) => {
    agent.forget();
    return [0.3, -0.8, 0.5].map((x) => agent.act([x, slot], { agent: slot }));
  };
  const apart = [alone(0), alone(1)];
  agent.forget();
  const together = [0.3, -0.8, 0.5].map((x) => [0, 1].map((slot) => agent.act([x, slot], { agent: slot })));
  expect([0, 1].map((slot) => together.map((both) => both[slot]))).toEqual(apart);
});

it("networks that belong to agents act for a named agent", async () => {
  const algorithm = groupedDqn({
    groups: 2,
    hidden: [8],
    envs: 2,
    learningStarts: 8,
    batch: 4,
    capacity: 20,
  });
  const agent = await train({ ...options, env: () => pair(), algorithm });
  expect(agent.act([0, 1], { agent: "b" })).toBeTypeOf("number");
  expect(() => agent.act([0, 1])).toThrow("its networks belong to 2 agents");
});

it("environments with one agent have no agent to name", async () => {
  const algorithm = ppo({ ...settings, hidden: [8] });
  const agent = await train({ ...options, algorithm, env: "CartPole-v1" });
  expect(() => agent.act([0, 0, 0, 0], { agent: 0 })).toThrow(
    "CartPole-v1 has one agent. Leave `agent` out.",
  );
});
