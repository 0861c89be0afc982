import { fromTraced, unroll } from "@reins/core/forms";
import {
  compile,
  grad,
  mean,
  neg,
  random,
  reshape,
  scalar,
  sub,
  sum,
  type Tensor,
  tensor,
  variance,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { poissonDemand } from "./demand.ts";
import { inventory } from "./inventory.ts";

const start = { stock: tensor([[5, 2]]), period: tensor([0], { dtype: "i32" }) };
const play = (unmet: "lost" | "backlogged", orders: number[]) => {
  const env = inventory({ leadTime: 2, holding: 1, penalty: 9, unmet });
  const demand = tensor([[3, 6, 1]]);
  let state = start;
  return orders.map((q) => {
    const next = env.step({ demand }, state, tensor([[q]]), random.key(0));
    state = next.state;
    return [next.reward.item(), ...state.stock.data, next.terminated.item()];
  });
};

it("follows a hand computation, with lost or backlogged sales", () => {
  // 5 - 3 = 2 left; 2 arrive; 4 are short by 2; …
  expect(play("lost", [4, 1, 0])).toEqual([
    [-2, 4, 4, 0],
    [-18, 4, 1, 0],
    [-3, 4, 0, 1],
  ]);
  expect(play("backlogged", [4, 1, 0])).toEqual([
    [-2, 4, 4, 0],
    [-18, 2, 1, 0],
    [-1, 2, 0, 1],
  ]);
});

it("costs are differentiable in a base-stock level, and minimal at the newsvendor's with a backlog", () => {
  const env = inventory({ leadTime: 1, holding: 1, penalty: 9, unmet: "backlogged" });
  const demand = poissonDemand(5, 512, 60, 3);
  const slope = compile(
    grad((level: Tensor) => {
      const { reward } = unroll(
        env,
        { demand },
        {
          start: env.reset({ demand }, 512, random.key(4)),
          steps: 60,
          key: random.key(5),
          act: (stock) => sub(level, sum(stock as Tensor, { axis: 1, keepDims: true })),
        },
      );
      return neg(mean(reward));
    }),
  );
  // A level covers the demand of two periods, Poisson of mean 10: P(X ≤ 14) = 0.917 is the first above 9 / (9 + 1).
  expect(slope(scalar(13.5)).item()).toBeLessThan(0);
  expect(slope(scalar(14.5)).item()).toBeGreaterThan(0);
});

it("draws Poisson demand", () => {
  const drawn = reshape(poissonDemand(5, 200, 100, 1), [20_000]);
  expect(mean(drawn).item()).toBeCloseTo(5, 1);
  expect(variance(drawn).item()).toBeCloseTo(5, 0);
  expect(Math.min(...drawn.data)).toBe(0);
});

it("plays as a vector environment until its history ends", () => {
  const columns = fromTraced(inventory(), { demand: poissonDemand(5, 3, 4, 2) }, 3);
  columns.reset({ seed: 0 });
  for (let t = 0; t < 4; t++) columns.step(tensor([[5], [5], [5]]));
  expect([...columns.terminated.data]).toEqual([1, 1, 1]);
  expect([...columns.ended.length]).toEqual([4, 4, 4]);
});
