import { spawnSync } from "node:child_process";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import type { Tensor } from "@reins/tensor";
import { afterAll, describe, expect, it } from "vitest";
import { pettingzoo } from "./python.ts";
import { hasPettingZoo, python } from "./testing-python.ts";

/**
 * Plays the real environment as PettingZoo's users do: prints observations and rewards of each step, agent by
 * agent.
 */
const played = (seeds: readonly number[], actions: readonly (readonly number[])[], options: string) => {
  const program = `
import json, numpy as np
from mpe2 import simple_spread_v3
seeds, actions = json.loads(${JSON.stringify(JSON.stringify([seeds, actions]))})
envs = [simple_spread_v3.parallel_env(${options}) for _ in seeds]
names = envs[0].possible_agents
look = lambda seen: [float(np.float32(x)) for name in names for x in seen[name]]
rows = [look(env.reset(seed=seed)[0]) for env, seed in zip(envs, seeds)]
steps = [[sum(rows, []), [0.0] * len(names) * len(seeds)]]
for chosen in actions:
    seen, paid = [], []
    for copy, env in enumerate(envs):
        own = chosen[copy * len(names) : (copy + 1) * len(names)]
        observations, rewards, _, truncated, _ = env.step(dict(zip(names, own)))
        if not env.agents:
            observations, _ = env.reset()
        seen += look(observations)
        paid += [float(np.float32(rewards[name])) for name in names]
    steps.append([seen, paid])
print(json.dumps(steps))
`;
  const { stdout, stderr, status } = spawnSync(python, ["-c", program], { encoding: "utf8" });
  expect([status, status ? stderr : ""]).toEqual([0, ""]);
  return JSON.parse(stdout) as [number[], number[]][];
};

describe.skipIf(!hasPettingZoo)(`PettingZoo (${python} needs pettingzoo and mpe2)`, () => {
  const env = hasPettingZoo
    ? pettingzoo("mpe2.simple_spread_v3", { options: { maxCycles: 10 } }).make(2)
    : undefined;
  afterAll(() => env?.close?.());

  it("a real environment plays the same episodes as in Python", () => {
    if (!env) return;
    const seeds = [3, 8];
    const random = defaultRng(1);
    const actions = Array.from({ length: 25 }, () =>
      Array.from({ length: env.rows }, () => sampleValue(env.spec.action, random) as number),
    );
    expect([env.rows, env.spec.agents?.names]).toEqual([6, ["agent_0", "agent_1", "agent_2"]]);
    env.reset({ seed: seeds });
    const action = columns(env.spec.action, env.rows);
    const shown = () => [[...(env.observation as Tensor).data], [...env.reward.data]];
    const here = [shown()];
    let ended = 0;
    for (const chosen of actions) {
      chosen.forEach((value, row) => {
        writeValue(env.spec.action, action, row, value);
      });
      env.step(action);
      here.push(shown());
      ended += env.ended.length.filter((length) => length === 10).length;
    }
    expect(here).toEqual(played(seeds, actions, "max_cycles=10"));
    // Two episodes of three agents in two copies.
    expect(ended).toBe(12);
  });

  it("agents with different spaces are rejected, with instructions", () => {
    expect(() => pettingzoo("mpe2.simple_adversary_v3")).toThrow(
      /adversary_0 and agent_0 have different spaces.*pad_observations_v0/,
    );
  });
});
