import { inline, type Plan, Run } from "@reins/core";
import { make } from "@reins/envs";
import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { algorithms, learners } from "./index.ts";
import { placeOf, stageOf } from "./post-training/testing.ts";

setBackend("wasm");

const wherever: { readonly [algorithm: string]: string } = {
  sac: "Pendulum-v1",
  td3: "Pendulum-v1",
  q: "FrozenLake-v1",
  "value-iteration": "FrozenLake-v1",
  linucb: "LinearBandit-v0",
  ...Object.fromEntries(
    ["ucb", "thompson", "epsilon-greedy", "gradient-bandit"].map((n) => [n, "BernoulliBandit-v0"]),
  ),
};
/** What does all its work in one place. */
const alone = ["q", "value-iteration", "linucb", "ucb", "thompson", "epsilon-greedy", "gradient-bandit"];

describe.each(Object.keys(algorithms))("%s", (name) => {
  const id = wherever[name] ?? "CartPole-v1";
  const env =
    learners("episodes").includes(name) && name !== "ppo" && name !== "reinforce"
      ? placeOf(stageOf())
      : { spec: make(id, { rows: 1 }).spec, make: (rows: number) => make(id, { rows }) };

  it("hands its work to the plan, or refuses it by name", () => {
    const placed: string[] = [];
    const plan: Plan = {
      name: "elsewhere",
      maxStaleness: 0,
      place(what, source, demands) {
        placed.push(what);
        return inline.place(what, source, demands);
      },
    };
    const begin = () => new Run({ algorithm: algorithms[name](), env, steps: 1000, plan });
    if (alone.includes(name))
      expect(begin).toThrow(`${name}: does all its work in one place and cannot honour plan "elsewhere".`);
    else expect(begin().process.steps).toBe(0);
    expect(placed).toEqual(alone.includes(name) ? [] : [expect.any(String)]);
  });
});
