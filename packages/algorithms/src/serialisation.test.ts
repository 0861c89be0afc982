import {
  type AlgorithmMaker,
  box,
  type CurrentPolicy,
  discrete,
  Run,
  type StepEnvironment,
} from "@reins/core";
import { placeOf } from "@reins/core/evaluations";
import {
  actorCritic,
  type ExportedPolicy,
  exportPolicy,
  importPolicy,
  PolicyRunner,
  recurrentActorCritic,
  teams,
} from "@reins/core/policies";
import { make } from "@reins/envs";
import { compile, leaves, random, setBackend, type Tensor, type Tree, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { algorithms, learnerNames } from "./index.ts";
import { variantTags } from "./testing-variants.ts";

setBackend("wasm");

/** Methods for continuous actions only. */
const forBoxes = Object.keys(algorithms).filter((n) => `${algorithms[n].definition.actions}` === "box");
/** Small networks of every kind. */
const narrow = ({ definition: { options } }: AlgorithmMaker) => ({
  ...("hidden" in options ? { hidden: [16] } : {}),
  ...("criticHidden" in options ? { criticHidden: [16] } : {}),
  ...("width" in options ? { width: 16 } : {}),
});
const wherever: { readonly [algorithm: string]: string } = {
  sac: "Pendulum-v1",
  ...Object.fromEntries(forBoxes.map((n) => [n, "Pendulum-v1"])),
  q: "Taxi-v4",
  "value-iteration": "FrozenLake-v1",
  linucb: "LinearBandit-v0",
  ...Object.fromEntries(
    ["ucb", "thompson", "epsilon-greedy", "gradient-bandit"].map((n) => [n, "BernoulliBandit-v0"]),
  ),
};
const replayed = { learningStarts: 64, hidden: [16], capacity: 500 };
const small: { readonly [algorithm: string]: object } = {
  ...Object.fromEntries(
    ["dqn", "dqn-adaptive", "c51", "qr-dqn", "iqn", "munchausen-dqn", "rainbow", "r2d2"].map((n) => [
      n,
      replayed,
    ]),
  ),
  "mr-q": { learningStarts: 64, capacity: 500, batch: 16, width: 16, actionWidth: 8 },
  ...Object.fromEntries(
    ["sac", ...forBoxes].map((n) => {
      const replayed = { learningStarts: 64, capacity: 500, batch: 32, updates: 1 };
      return [n, { ...replayed, ...narrow(algorithms[n]) }];
    }),
  ),
};
const there = (id: string): StepEnvironment => ({
  spec: make(id, { rows: 1 }).spec,
  make: (rows) => make(id, { rows }),
});

/** As if read from a file. */
const throughJson = (written: ExportedPolicy): ExportedPolicy => ({
  ...written,
  ways: JSON.parse(JSON.stringify(written.ways)) as ExportedPolicy["ways"],
});

/** A policy's actions in an environment, step by step. */
function played(agent: CurrentPolicy, id: string, rows: number) {
  const player = new PolicyRunner(agent, make(id, { rows }));
  player.reset(3);
  return Array.from({ length: 40 }, () => {
    const actions = leaves(player.act().action).flatMap((t) => [...t.data]);
    player.step();
    return actions;
  });
}

describe.each(learnerNames("steps"))("%s", (name) => {
  const id = wherever[name] ?? "CartPole-v1";

  it("acts the same when it was written down", { tags: variantTags(name) }, () => {
    const env = there(id);
    const run = new Run({ algorithm: algorithms[name](small[name]), env, steps: 300, seed: 4 });
    run.advance();
    const acting = run.process.acting!;
    const again = importPolicy(throughJson(exportPolicy(acting, placeOf(run).spec)), "agent");
    for (const rows of [1, 5]) expect(played(again, id, rows)).toEqual(played(acting, id, rows));
  });
});

const spec = { id: "Parts-v0", observation: box([3], -1, 1), action: discrete(4, 1) };
const seen = (rows: number) => ({
  observation: random.normal(random.key(9), [rows, 3]),
  first: tensor(new Uint8Array(rows), { dtype: "bool" }),
});
const written = (agent: CurrentPolicy, where = spec) =>
  importPolicy(throughJson(exportPolicy(agent, where)), "agent");

it("masks exclude choices, sampled actions follow the key, and weights are not shared", () => {
  const policy = actorCritic(spec);
  const weights = policy.init(random.key(1));
  const { policy: again, weights: kept } = written({ policy, weights });
  const mask = tensor([[0, 0, 1, 0]], { dtype: "bool" });
  expect((again.act(kept, { ...seen(1), mask }, {}).action as Tensor).toArray()).toEqual([3]);
  const key = random.key(5);
  const drawn = (p: typeof again, w: Tree) => (p.act(w, seen(1), {}, key).action as Tensor).item();
  expect(drawn(again, kept)).toBe(drawn(policy as typeof again, weights));
  // Each of many rows has its own numbers.
  const many = (again.act(kept, seen(64), {}, key).action as Tensor).data;
  expect(new Set(many).size).toBe(4);
});

it("memory is included, and episodes begin with an empty one", () => {
  const policy = recurrentActorCritic(spec, { units: 8 });
  const weights = policy.init(random.key(1));
  const { policy: again, weights: kept } = written({ policy, weights });
  const act = compile((s: Tree) => again.act(kept, seen(3), s));
  const first = act(again.start!(3));
  const second = act(first.state);
  const own = policy.act(weights, seen(3), policy.act(weights, seen(3), policy.start!(3)).state);
  leaves(second.state).forEach((t, i) => {
    leaves(own.state)[i].data.forEach((x, k) => void expect(t.data[k]).toBeCloseTo(x, 6));
  });
});

it("each agent of a game is played by its own policy", () => {
  const agents = { names: ["a", "b"], order: "parallel", policies: ["left", "right"] } as const;
  const game = { ...spec, agents };
  const policy = teams(game, { left: actorCritic(spec), right: actorCritic(spec) });
  const weights = policy.init(random.key(2));
  const { policy: again, weights: kept } = written({ policy, weights }, game);
  const view = { ...seen(6), agent: tensor(Int32Array.of(0, 1, 0, 1, 0, 1)) };
  const of = (p: typeof again, w: Tree) => (p.act(w, view, p.start?.(6) ?? {}).action as Tensor).toArray();
  expect(of(again, kept)).toEqual(of(policy as typeof again, weights));
});

it("unsupported uses are rejected", () => {
  const { policy, weights } = written({
    policy: actorCritic(spec),
    weights: actorCritic(spec).init(random.key(1)),
  });
  expect(() => policy.act(weights, { observation: tensor([[1, 2]]) }, {})).toThrow(
    /^agent: tensor \d+ of the arguments/,
  );
  const host = { host: true, init: () => ({}), act: () => ({ action: tensor([0]), state: {} }) };
  expect(() => exportPolicy({ policy: host, weights: {} }, spec)).toThrow("Implement `best`");
});
