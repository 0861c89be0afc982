import { box, discrete, type MultiEnv, type Value, type VectorEnv } from "@reins/core";
import { vectoriseMulti } from "@reins/core/forms";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { adversary, frameStack, normaliseReward, RunningStatistics, record, stickyActions } from "./index.ts";

const spec = {
  id: "Turns-v0",
  observation: box([1]),
  action: discrete(1000),
  agents: { names: ["a", "b"], order: "parallel" as const },
};

/**
 * Agent a acts in even steps and sees the time then. Agent b arrives at time 3, acts in every step and leaves at time 6. The reward is 1 in
 * every step of an agent; the episode is over after 9 steps.
 */
class Turns implements MultiEnv {
  readonly spec = spec;
  readonly executed: (Value | null)[][] = [];
  private time = 0;
  reset() {
    this.time = 0;
    return this.look();
  }
  step(actions: readonly (Value | null)[]) {
    this.executed.push([...actions]);
    const there = [true, this.time >= 3 && this.time < 6];
    this.time++;
    return {
      ...this.look(),
      rewards: there.map(Number),
      terminated: [false, this.time === 6],
      truncated: [false, false],
      over: this.time === 9,
    };
  }
  save = () => [this.time];
  restore = (from: unknown) => void ([this.time] = from as number[]);
  private look() {
    const { time } = this;
    const [even, here] = [time % 2 === 0, time >= 3 && time < 6];
    return { observations: [even ? [time] : null, here ? [time] : null], alive: [even, here] };
  }
}

/** Acts by the number of the step, from 1. `each` may return the environment that goes on. */
function play(
  env: VectorEnv,
  steps: number,
  each: (step: number) => VectorEnv | undefined = () => undefined,
) {
  const action = columns(spec.action, 2) as Tensor;
  let now = env;
  for (let step = 1; step <= steps; step++) {
    action.data.fill(step);
    now.step(action);
    now = each(step) ?? now;
  }
}

describe("agents that wait, arrive and leave", () => {
  test("record: their own steps, with the rewards up to the next one", () => {
    const episodesOf = (row: number, resume: boolean) => {
      const make = () =>
        record(
          vectoriseMulti(() => new Turns(), 1),
          { row },
        );
      let env = make();
      env.reset();
      play(env, 18, () => {
        if (!resume) return undefined;
        const other = make();
        other.restore(env.save());
        return (env = other);
      });
      return env.episodes.map(({ observations, actions, rewards, terminated }) => [
        ...[observations, actions].map((tree) => leaves(tree).flatMap((t) => [...t.data])),
        [...rewards],
        terminated,
      ]);
    };
    for (const resume of [false, true]) {
      expect(episodesOf(0, resume).slice(0, 1)).toEqual([
        // In the last state it would wait, and has no observation of its own.
        [[0, 2, 4, 6, 8, 8], [1, 3, 5, 7, 9], [2, 2, 2, 2, 1], true],
      ]);
      expect(episodesOf(1, resume)[0]).toEqual([[3, 4, 5, 5], [4, 5, 6], [1, 1, 1], true]);
      expect(episodesOf(1, resume)).toHaveLength(2);
    }
  });

  test("frameStack: frames are observations that they act on", () => {
    const env = frameStack(
      vectoriseMulti(() => new Turns(), 1),
      3,
    );
    env.reset();
    const seen: number[][] = [];
    play(env, 8, () => {
      for (const row of [0, 1])
        if (env.alive!.data[row])
          seen.push([row, ...(env.observation as Tensor).data.slice(3 * row, 3 * row + 3)]);
    });
    expect(seen).toEqual([
      [0, 0, 0, 2],
      [1, 3, 3, 3],
      [0, 0, 2, 4],
      [1, 3, 3, 4],
      [1, 3, 4, 5],
      [0, 2, 4, 6],
      [0, 4, 6, 8],
    ]);
  });

  test("stickyActions: the repeated action is one that they took", () => {
    const inner = new Turns();
    const env = stickyActions(
      vectoriseMulti(() => inner, 1),
      0.7,
    );
    env.reset({ seed: 3 });
    play(env, 900);
    for (const slot of [0, 1]) {
      let taken: (Value | null)[] = [];
      let repeats = 0;
      inner.executed.forEach((actions, i) => {
        if (i % 9 === 0 || (slot === 1 && i % 9 === 3)) taken = [];
        const action = actions[slot];
        if (action === null) return;
        if (action !== i + 1) expect(action).toBe(taken.at(-1));
        if (action !== i + 1) repeats++;
        taken.push(action);
      });
      expect(repeats).toBeGreaterThan(100);
    }
  });

  test("normaliseReward: absent agents are not samples", () => {
    const env = normaliseReward(
      vectoriseMulti(() => new Turns(), 1),
      { gamma: 0.5 },
    );
    env.reset();
    play(env, 9);
    const expected = new RunningStatistics(1);
    const returns = [0, 0];
    for (let t = 0; t < 9; t++) {
      const there = t >= 3 && t < 6 ? [0, 1] : [0];
      // Gymnasium's formula: a terminated step counts with its reward alone.
      for (const i of there) returns[i] = 1 + (t === (i ? 5 : 8) ? 0 : 0.5 * returns[i]);
      expected.update(
        Float64Array.from(there, (i) => returns[i]),
        there.length,
      );
    }
    expect(env.statistics.count).toBeCloseTo(12, 3);
    expect(env.statistics.variance[0]).toBeCloseTo(expected.variance[0], 9);
  });

  test("adversary: the budget pays for what they act on", () => {
    const env = adversary(
      vectoriseMulti(() => new Turns(), 1),
      {
        budget: 2,
        attack: ({ observation }) =>
          tensor(new Float32Array(observation.size).fill(1), { shape: observation.shape }),
      },
    );
    env.reset();
    const seen = [(env.observation as Tensor).data[0]];
    play(env, 8, () => {
      if (env.alive!.data[0]) seen.push((env.observation as Tensor).data[0]);
    });
    // Four perturbations of norm 1 have norm 2.
    expect(seen).toEqual([1, 3, 5, 7, 8]);
  });
});
