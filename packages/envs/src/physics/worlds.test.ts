import type { VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import {
  compile,
  grad,
  leaves,
  random,
  scan,
  stack,
  sum,
  type Tensor,
  type Tree,
  tensor,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { make } from "../registry.ts";
import { physicsEnvs } from "./envs.ts";
import { planarHopper } from "./legged-robots.ts";
import { planarQuadrotor } from "./quadrotor.ts";
import { type PlanarTask, physicsParams, planarWorld, type WorldState } from "./world.ts";

const ids = Object.keys(physicsEnvs);

const shown = (env: VectorEnv, row: number) =>
  leaves([env.observation, env.reward, env.terminated, env.truncated]).flatMap((column) => {
    const width = column.data.length / env.rows;
    return [...column.data.slice(row * width, (row + 1) * width)];
  });

function actionsFor(env: VectorEnv, rng: ReturnType<typeof defaultRng>): Tree {
  const action = columns(env.spec.action, env.rows);
  for (let row = 0; row < env.rows; row++)
    writeValue(env.spec.action, action, row, sampleValue(env.spec.action, rng));
  return action;
}

describe.each(ids)("%s", (id) => {
  it("stays finite and plausible in 1000 steps of random actions", () => {
    const env = make(id, { rows: 16 });
    env.reset({ seed: 5 });
    const rng = defaultRng(2);
    for (let t = 0; t < 1000; t++) {
      env.step(actionsFor(env, rng));
      for (const x of leaves(env.observation).flatMap((part) => [...part.data]))
        if (!(Math.abs(x) < 200)) expect(x).toBeLessThan(200);
      for (const x of env.reward.data) if (!(Math.abs(x) < 100)) expect(x).toBeLessThan(100);
    }
  });

  it("plays a row as the same copy alone, bit for bit, into the next episodes", () => {
    const seeds = [3, 9, 27];
    const together = make(id, { rows: 3, maxSteps: 7 });
    const alone = make(id, { rows: 1, maxSteps: 7 });
    together.reset({ seed: seeds });
    alone.reset({ seed: 9 });
    const rng = defaultRng(1);
    for (let t = 0; t < 20; t++) {
      const action = actionsFor(together, rng) as Tensor;
      const width = action.data.length / 3;
      together.step(action);
      alone.step(tensor(action.data.slice(width, 2 * width), { shape: [1, width] }));
      expect(shown(alone, 0)).toEqual(shown(together, 1));
    }
  });
});

it("takes many steps in one call as one after the other", () => {
  const rows = 3;
  const [one, many] = [make("PlanarWalker-v0", { rows }), make("PlanarWalker-v0", { rows })];
  for (const env of [one, many]) env.reset({ seed: 4 });
  const rng = defaultRng(3);
  const actions = Array.from({ length: 40 }, () => actionsFor(one, rng) as Tensor);
  const traced = many.traced!;
  const play = compile((carry: Tree, params: Tree, all: Tensor[]) => {
    return scan(
      (now: Tree, action: Tensor) => {
        const { carry: next, observation, reward, terminated } = traced.step(now, params, action);
        return [next, { observation, reward, terminated }] as const;
      },
      carry,
      stack(all),
    ).ys;
  });
  const grid = play(traced.carry, traced.params, actions) as {
    observation: Tensor;
    reward: Tensor;
    terminated: Tensor;
  };
  actions.forEach((action, t) => {
    one.step(action);
    for (const name of ["observation", "reward", "terminated"] as const) {
      const { data } = one[name] as Tensor;
      expect([...grid[name].data.slice(t * data.length, (t + 1) * data.length)]).toEqual([...data]);
    }
  });
  expect(grid.terminated.data.some((x) => x)).toBe(true);
});

/** The return of some steps under one action for all of them, with other physics parameters. */
function returnOf(task: PlanarTask, steps: number) {
  const env = planarWorld(task);
  const start = env.reset(physicsParams(task), 1, random.key(1));
  return (action: Tensor, gravity: Tensor): Tensor => {
    const params = { ...physicsParams(task), gravity };
    const { carry } = scan(
      ({ state, total }: { state: WorldState; total: Tensor }, _: undefined) => {
        const next = env.step(params, state, action, random.key(0));
        return [{ state: next.state, total: total.add(sum(next.reward)) }, undefined] as const;
      },
      { state: start, total: tensor(0) },
      undefined,
      { length: steps },
    );
    return carry.total;
  };
}

it.each([
  // The hopper lands within these steps.
  ["a hopper that lands", planarHopper, [-0.3, -0.2, 0.2], 30],
  ["a quadrotor", planarQuadrotor, [0.1, 0.14], 30],
] as const)("has the gradients of finite differences through many steps: %s", (_, task, action, steps) => {
  const total = returnOf(task, steps);
  const value = compile(total);
  const slope = compile((a: Tensor, g: Tensor) =>
    grad((x: { a: Tensor; g: Tensor }) => total(x.a, x.g))({ a, g }),
  );
  const at = (numbers: readonly number[], gravity: number) =>
    value(tensor([[...numbers]]), tensor(gravity)).data[0];
  const found = slope(tensor([[...action]]), tensor(9.81));
  // So small that no foot lands in another step, and the healthy reward is equal.
  const near = 1e-3;
  action.forEach((_, i) => {
    const moved = (by: number) =>
      at(
        action.map((x, j) => (j === i ? x + by : x)),
        9.81,
      );
    const expected = (moved(near) - moved(-near)) / (2 * near);
    expect(Math.abs(found.a.data[i] - expected)).toBeLessThan(0.02 * Math.abs(expected) + 0.02);
  });
  const expected = (at(action, 9.81 + near) - at(action, 9.81 - near)) / (2 * near);
  expect(Math.abs(found.g.data[0] - expected)).toBeLessThan(0.02 * Math.abs(expected) + 0.02);
});
