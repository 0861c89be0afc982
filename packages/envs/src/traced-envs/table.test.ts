import { defaultRng, type Generator } from "@reins/core/random";
import { compile, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { checkEnv } from "../check/index.ts";
import { make } from "../registry.ts";
import { type DrawnMdp, drawnEnv } from "../tabular/env.ts";
import { tabularMdp } from "../tabular/mdp.ts";
import { cliffWalkingTable } from "../toy/cliff-walking.ts";
import { frozenLakeTable } from "../toy/frozen-lake.ts";
import { taxiTable } from "../toy/taxi.ts";
import { type TableState, tableParams, tableStart, tableStep } from "./table.ts";
import { GivenNumbers, uniforms } from "./testing.ts";

const rows = 64;

/** Probabilities that f32 rounds down and up, of which the last do not reach 1. */
const uneven: DrawnMdp = {
  model: tabularMdp({ id: "Uneven-v0", states: 3, actions: 2, start: [0.1, 0, 0.9] }, (state, action) =>
    [0.1, 0.2, 0.7].map((probability, i) => ({
      probability: action ? 1 / 3 : probability,
      state: (state + i) % 3,
      reward: i + action / 10,
      terminated: state === 1 && i === 2,
    })),
  ),
};

it.each<[string, DrawnMdp]>([
  ["FrozenLake", frozenLakeTable()],
  ["a certain FrozenLake", frozenLakeTable({ slippery: false, map: "8x8", rewards: [10, -5, 0.1] })],
  ["a slippery cliff", cliffWalkingTable({ slippery: true })],
  ["Taxi", taxiTable()],
  ["Taxi in the rain", taxiTable({ rainy: true })],
  ["uneven probabilities", uneven],
])("%s steps as usual with the same random numbers", (_, table) => {
  const usual = drawnEnv(table, { rows });
  const { model } = table;
  const params = tableParams(model);
  const random = defaultRng(1);
  const given = Array.from({ length: rows }, () => new GivenNumbers(random.bits));
  const inner = Reflect.get(usual, "random") as Generator[];
  given.forEach((one, row) => (inner[row] = one));
  const start = compile((drawn: Tensor) => tableStart(params, drawn));
  const step = compile((state: TableState, action: Tensor, drawn: Tensor) =>
    tableStep(params, state, action, drawn, model.actions),
  );
  const draw = () => uniforms(random, rows, 1).reshape([rows]);
  // Bounds of the probabilities, which are the hardest to place.
  const near = () => {
    const all = Array.from(params.upTo.data).filter((p) => p < 1);
    return all.length === 0
      ? draw()
      : tensor(Float32Array.from({ length: rows }, () => all[random.integers(0, all.length)]));
  };
  const first = draw();
  given.forEach((one, row) => (one.queue = [first.data[row]]));
  usual.reset();
  let state = start(first);
  const visited = new Set<number>();
  let ends = 0;
  for (let t = 0; t < 400; t++) {
    expect([...state.at.data]).toEqual([...(usual.observation as Tensor).data]);
    const [drawn, next] = [t % 4 === 0 ? near() : draw(), draw()];
    const action = tensor(Int32Array.from({ length: rows }, () => random.integers(0, model.actions)));
    given.forEach((one, row) => (one.queue = [drawn.data[row], next.data[row]]));
    for (let row = 0; row < rows; row++) visited.add(state.at.data[row] * model.actions + action.data[row]);
    const after = step(state, action, drawn);
    usual.step(action);
    expect([...after.reward.data]).toEqual([...usual.reward.data]);
    expect([...after.terminated.data]).toEqual([...usual.terminated.data]);
    const fresh = start(next);
    const over = Array.from(
      { length: rows },
      (_, row) => usual.terminated.data[row] === 1 || usual.truncated.data[row] === 1,
    );
    ends += over.filter(Boolean).length;
    const pick = (a: Tensor, b: Tensor) =>
      tensor(Int32Array.from(over, (o, row) => (o ? a.data[row] : b.data[row])));
    state = { at: pick(fresh.at, after.state.at), last: pick(fresh.last, after.state.last) };
  }
  expect(ends).toBeGreaterThan(3);
  expect(visited.size / (model.states * model.actions)).toBeGreaterThan(0.3);
});

describe.each(["FrozenLake-v1", "FrozenLake8x8-v1", "CliffWalkingSlippery-v1", "CliffWalking-v1", "Taxi-v4"])(
  "%s in tensor operations",
  (id) => {
    it("has the usual spec, drawings and time limit, and passes the check of environments", () => {
      const [traced, usual] = [make(id, { traced: true }), make(id)];
      expect(traced.spec).toEqual(usual.spec);
      traced.reset({ seed: 1 });
      expect(traced.render?.(0).split("\n").length).toBeGreaterThan(2);
      expect(traced.picture?.(0).shapes.length).toBeGreaterThan(10);
      const findings = checkEnv(() => make(id, { rows: 2, traced: true }), { seeds: [1], steps: 150 });
      expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
      const short = make(id, { traced: true, maxSteps: 2 });
      short.reset({ seed: 1 });
      for (let t = 0; t < 2; t++) short.step(tensor(Int32Array.of(0)));
      expect(short.truncated.data[0]).toBe(1);
    });
  },
);

it("begins Taxi in each of its initial states equally often", () => {
  const env = make("Taxi-v4", { rows: 3000, traced: true });
  const counts = new Map<number, number>();
  for (let seed = 0; seed < 20; seed++) {
    env.reset({ seed });
    for (const state of (env.observation as Tensor).data) counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  expect(counts.size).toBe(300);
  // 200 each; the deviation is 14.
  for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(70);
});
