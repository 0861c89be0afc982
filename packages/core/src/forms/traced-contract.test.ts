import { log, random, stack, type Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { TracedEnv } from "../env.ts";
import { discrete } from "../space.ts";
import { type Params, params, point, push, type State } from "./testing-point.ts";
import { fromTraced } from "./traced-vector.ts";

describe("fromTraced", () => {
  it("takes a bare tensor as state, discrete spaces and vector rewards", () => {
    const counter: TracedEnv<Record<string, never>, Tensor> = {
      spec: { id: "Counter-v0", observation: discrete(9), action: discrete(2), rewards: ["up", "two"] },
      reset: (_, rows) => zeros([rows], "i32"),
      observe: (_, s) => s,
      step: (_, s, action) => {
        const next = s.add(action as Tensor);
        const up = (action as Tensor).cast("f32");
        return {
          state: next,
          reward: stack([up, up.mul(0).add(2)], 1),
          terminated: next.ge(3),
        };
      },
    };
    const vector = fromTraced(counter, {}, 2);
    vector.reset();
    for (let t = 0; t < 3; t++) vector.step(tensor([1, 0], { dtype: "i32" }));
    expect((vector.observation as Tensor).toArray()).toEqual([0, 0]);
    expect((vector.final as Tensor).toArray()).toEqual([3, 0]);
    expect(vector.reward.toArray()).toEqual([
      [1, 2],
      [0, 2],
    ]);
    expect([...vector.ended.return]).toEqual([9, 0]);
    vector.close!();
  });

  it("names what does not fit", () => {
    const broken = (change: Partial<TracedEnv<Params, State>>) => () =>
      fromTraced({ ...point, ...change }, params(), 2);
    const step = point.step;
    expect(broken({ observe: (_, s) => s.position })).toThrow(
      "Point-v0: the result of observe() is a tensor f32[2, 1], but must be f32[2, 2].",
    );
    expect(broken({ step: (...a) => ({ ...step(...a), reward: zeros([2, 1]) }) })).toThrow(
      "Point-v0: the reward is a tensor f32[2, 1], but must be f32[2].",
    );
    expect(broken({ step: (...a) => ({ ...step(...a), terminated: zeros([2]) }) })).toThrow(
      "terminated is a tensor f32[2], but must be bool[2].",
    );
    expect(broken({ step: (...a) => ({ ...step(...a), state: {} as State }) })).toThrow(
      "the state from step().position is undefined",
    );
    expect(broken({ reset: () => ({ ...point.reset(params(), 1, random.key(0)) }) })).toThrow(
      "its first axis must be the 2 rows",
    );
    const vector = fromTraced(point, params(), 2);
    expect(() => vector.step(push(0, 2))).toThrow("step() was called before reset()");
    expect(() => vector.reset({ context: { level: 1 } })).toThrow("Pass the problem in its params");
    vector.reset();
    expect(() => vector.step(push(0, 3))).toThrow(
      "Point-v0: action is a tensor f32[3, 1], but must be f32[2, 1].",
    );
    expect(() => vector.step(tensor([[Number.NaN], [0]]))).toThrow("Point-v0, row 0: the reward is NaN.");
    const logs: typeof point.step = (p, s, a, k) => ({
      ...step(p, s, a, k),
      reward: log(s.position.sub(9)).sum(1),
    });
    const checked = fromTraced({ ...point, step: logs }, params(), 2, { check: true });
    expect(() => checked.reset()).toThrow(/log: produced NaN.*traced-contract\.test\.ts/);
    expect(() => fromTraced(point, params(), 0)).toThrow("whole number from 1");
  });
});
