import { inline, type Plan, Run } from "@reins/core";
import { make } from "@reins/envs";
import { leaves, setBackend, Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { algorithms, learners } from "./index.ts";
import { placeOf, stageOf } from "./post-training/testing.ts";

setBackend("wasm");

/** What takes continuous actions alone. */
const forBoxes = Object.keys(algorithms).filter((n) => `${algorithms[n].definition.actions}` === "box");
const wherever: { readonly [algorithm: string]: string } = {
  sac: "Pendulum-v1",
  ...Object.fromEntries(forBoxes.map((n) => [n, "Pendulum-v1"])),
  q: "FrozenLake-v1",
  "value-iteration": "FrozenLake-v1",
  linucb: "LinearBandit-v0",
  ...Object.fromEntries(
    ["ucb", "thompson", "epsilon-greedy", "gradient-bandit"].map((n) => [n, "BernoulliBandit-v0"]),
  ),
};
/** Methods that run in one thread. */
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
      expect(begin).toThrow(`${name}: runs in one thread and does not support plan "elsewhere".`);
    else expect(begin().process.steps).toBe(0);
    expect(placed).toEqual(alone.includes(name) ? [] : [expect.any(String)]);
  });
});

/** The same with other memory under it, as if it had come over a network. */
function copied<T>(x: T): T {
  if (x instanceof Tensor) return tensor(x.data.slice(), { shape: x.shape, dtype: x.dtype }) as T;
  if (Array.isArray(x)) return x.map(copied) as T;
  if (typeof x !== "object" || x === null) return x;
  return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, copied(v)])) as T;
}

const isGrid = (x: unknown): x is { columns: { reward: Tensor } } =>
  typeof x === "object" && x !== null && "columns" in x;

it.each(["ppo", "dqn"])("%s learns from the batch that its plan gives, wherever that was made", (name) => {
  const elsewhere: Plan = {
    name: "elsewhere",
    maxStaleness: 0,
    place(what, source, demands) {
      const stream = inline.place(what, source, demands);
      return {
        ...stream,
        next() {
          const batch = stream.next();
          const gone = copied(batch);
          // What lies here is not what it is to learn from.
          if (isGrid(batch)) batch.columns.reward.data.fill(Number.NaN);
          return gone;
        },
      };
    },
  };
  const env = {
    spec: make("CartPole-v1", { rows: 1 }).spec,
    make: (rows: number) => make("CartPole-v1", { rows }),
  };
  const options = name === "ppo" ? { envs: 2, steps: 16, hidden: [8] } : { learningStarts: 100, hidden: [8] };
  const weightsBy = (plan: Plan) => {
    const run = new Run({ algorithm: algorithms[name](options), env, steps: 600, seed: 3, plan });
    run.advance();
    return leaves(run.process.acting!.weights).map((t) => [...t.data]);
  };
  expect(weightsBy(elsewhere)).toEqual(weightsBy(inline));
});
