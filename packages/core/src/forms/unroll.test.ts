import { add, ge, grad, mul, random, scalar, sum, type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import type { TracedEnv } from "../env.ts";
import { box } from "../space.ts";
import { unroll } from "./unroll.ts";

/** Moves by its action, the reward is the position, and it ends from 4 on. */
const walk: TracedEnv<Record<string, never>, { place: Tensor }> = {
  spec: { id: "Walk-v0", observation: box([]), action: box([]) },
  reset: () => ({ place: tensor([0, 0]) }),
  observe: (_, { place }) => place,
  step(_, { place }, action) {
    const moved = add(place, action as Tensor);
    return { state: { place: moved }, reward: moved, terminated: ge(moved, 4) };
  },
};

const play = (rate: Tensor) =>
  unroll(
    walk,
    {},
    {
      start: walk.reset({}, 2, random.key(0)),
      steps: 3,
      key: random.key(1),
      act: (place) => add(mul(place as Tensor, rate), tensor([1, 3])),
    },
  );

it("runs each row to its end, with reward 0 afterwards", () => {
  const { observation, reward } = play(scalar(1));
  expect((observation as Tensor).toArray()).toEqual([
    [0, 0],
    [1, 3],
    [3, 9],
  ]);
  expect(reward.toArray()).toEqual([
    [1, 3],
    [3, 9],
    [7, 0],
  ]);
});

it("lets gradients through the dynamics", () => {
  // Row 0 gets 1, 2 + r, 3 + 3 r + r²; row 1 gets 3, 6 + 3 r.
  expect(grad((rate: Tensor) => sum(play(rate).reward))(scalar(1)).item()).toBe(1 + (3 + 2) + 3);
});
