import { readFileSync } from "node:fs";
import type { VectorEnv } from "@reins/core";
import { type Tensor, tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { make } from "../registry.ts";

/** Episodes that `fixtures/minigrid_worlds.py` played in MiniGrid. */
interface Played {
  readonly seed: number;
  readonly actions: string;
  readonly seen: readonly number[];
  readonly rewards: readonly (readonly [step: number, reward: number])[];
  readonly ends: readonly (readonly [step: number, terminated: number])[];
}
const file = new URL("../../fixtures/minigrid.json", import.meta.url);
const { worlds }: { worlds: Record<string, readonly Played[]> } = JSON.parse(readFileSync(file, "utf8"));

/** The checksum of an observation, as in the fixture: symbols, direction and the letters of the mission. */
function checksum(env: VectorEnv): number {
  const seen = env.observation as {
    image: Tensor;
    direction: Tensor;
    mission: { letters: Tensor; count: Tensor };
  };
  const { letters, count } = seen.mission;
  let value = 0;
  const add = (n: number) => {
    value = (value * 31 + n + 1) % 999983;
  };
  for (const symbol of seen.image.data) add(symbol);
  add(seen.direction.data[0]);
  for (let i = 0; i < count.data[0]; i++) add(letters.data[2 * i]);
  return value;
}

test.each(Object.keys(worlds))("%s plays MiniGrid's episodes, view by view", (id) => {
  for (const { seed, actions, seen, rewards, ends } of worlds[id]) {
    const env = make(id, { mission: "text" });
    env.reset({ seed });
    const mine = [checksum(env)];
    const paid: [number, number][] = [];
    const over: [number, number][] = [];
    [...actions].forEach((action, step) => {
      env.step(tensor(Int32Array.of(Number(action))));
      mine.push(checksum(env));
      if (env.reward.data[0]) paid.push([step, Math.round(env.reward.data[0] * 1e6) / 1e6]);
      if (env.terminated.data[0] || env.truncated.data[0]) over.push([step, env.terminated.data[0]]);
    });
    expect([seed, mine.findIndex((s, t) => s !== seen[t])]).toEqual([seed, -1]);
    expect(paid.map(([step]) => step)).toEqual(rewards.map(([step]) => step));
    paid.forEach(([, reward], i) => {
      expect(reward).toBeCloseTo(rewards[i][1], 5);
    });
    expect(over).toEqual(ends);
  }
});
