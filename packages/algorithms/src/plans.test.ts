import { type Environment, type ExecutionPlan, Run } from "@reins/core";
import { inline } from "@reins/core/plans";
import { make } from "@reins/envs";
import { rewardHead, rewardStage } from "@reins/language";
import { leaves, random, setBackend, Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { algorithms, learnerNames } from "./index.ts";
import { model, placeOf, stageOf } from "./post-training/testing.ts";
import { comparingStage } from "./preference/testing.ts";

setBackend("wasm");

/** Methods for continuous actions only. */
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
/** Methods that run entirely in one place. */
const alone = ["q", "value-iteration", "linucb", "ucb", "thompson", "epsilon-greedy", "gradient-bandit"];

/** Small networks: what is tested here does not depend on their size. */
function narrow(name: string): object {
  const { options } = algorithms[name].definition;
  const layers = ["hidden", "criticHidden"].filter((option) => option in options);
  const widths = ["width", "actionWidth"].filter((option) => option in options);
  return Object.fromEntries([...layers.map((o) => [o, [8]]), ...widths.map((o) => [o, 8])]);
}

/** A stage whose completions are scored by a reward model. */
const comparedStage = () =>
  rewardStage(comparingStage(), { name: "compared", reward: rewardHead(model, random.key(1)), fresh: true });

function environmentOf(name: string, id: string): Environment {
  if (algorithms[name].definition.trains === "reward") return placeOf(comparedStage());
  if (name === "distill") return placeOf(stageOf({ teacher: model }));
  if (learnerNames("comparisons").includes(name)) return placeOf(comparingStage());
  if (learnerNames("episodes").includes(name) && name !== "ppo" && name !== "reinforce")
    return placeOf(stageOf());
  return { spec: make(id, { rows: 1 }).spec, make: (rows: number) => make(id, { rows }) };
}

describe.each(Object.keys(algorithms))("%s", (name) => {
  const id = wherever[name] ?? "CartPole-v1";
  const env = environmentOf(name, id);

  it("delegates its work to the plan, or rejects the plan by name", () => {
    const placed: string[] = [];
    const plan: ExecutionPlan = {
      name: "elsewhere",
      maxStaleness: 0,
      place(what, source, demands) {
        placed.push(what);
        return inline.place(what, source, demands);
      },
    };
    const begin = () => new Run({ algorithm: algorithms[name](narrow(name)), env, steps: 1000, plan });
    if (alone.includes(name))
      expect(begin).toThrow(`${name}: runs in one thread and does not support plan "elsewhere".`);
    else expect(begin().process.steps).toBe(0);
    expect(placed).toEqual(alone.includes(name) ? [] : [expect.any(String)]);
  });
});

/** A copy in other memory, as if received over a network. */
function copied<T>(x: T): T {
  if (x instanceof Tensor) return tensor(x.data.slice(), { shape: x.shape, dtype: x.dtype }) as T;
  if (Array.isArray(x)) return x.map(copied) as T;
  if (typeof x !== "object" || x === null) return x;
  return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, copied(v)])) as T;
}

const isGrid = (x: unknown): x is { columns: { reward: Tensor } } =>
  typeof x === "object" && x !== null && "columns" in x;

it.each(["ppo", "dqn"])("%s learns from the batch of its plan, wherever it was made", (name) => {
  const elsewhere: ExecutionPlan = {
    name: "elsewhere",
    maxStaleness: 0,
    place(what, source, demands) {
      const stream = inline.place(what, source, demands);
      return {
        ...stream,
        next() {
          const batch = stream.next();
          const received = copied(batch);
          // Local data differs from what it should learn from.
          if (isGrid(batch)) batch.columns.reward.data.fill(Number.NaN);
          return received;
        },
      };
    },
  };
  const env = {
    spec: make("CartPole-v1", { rows: 1 }).spec,
    make: (rows: number) => make("CartPole-v1", { rows }),
  };
  const options = name === "ppo" ? { envs: 2, steps: 16, hidden: [8] } : { learningStarts: 100, hidden: [8] };
  const weightsBy = (plan: ExecutionPlan) => {
    const run = new Run({ algorithm: algorithms[name](options), env, steps: 600, seed: 3, plan });
    run.advance();
    return leaves(run.process.acting!.weights).map((t) => [...t.data]);
  };
  expect(weightsBy(elsewhere)).toEqual(weightsBy(inline));
});
