import { box, discrete, ReinsError } from "@reins/core";
import { stream } from "@reins/core/random";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { BatchedEnv, type BatchedOptions } from "./batch-form.ts";
import { make } from "./registry.ts";

const ints = (...values: number[]) => tensor(Int32Array.from(values));

/** Counts to three, or to its limit; the reward has two components. */
class Count extends BatchedEnv {
  protected readonly state;
  constructor(options: BatchedOptions = {}) {
    super(
      { id: "Count-v0", observation: box([1]), action: discrete(2), rewards: ["steps", "ones"], maxSteps: 5 },
      options,
    );
    this.state = { count: new Int32Array(this.rows) };
  }
  protected begin(row: number): void {
    this.state.count[row] = 0;
  }
  protected observe(row: number): void {
    this.observation.data[row] = this.state.count[row];
  }
  protected move(action: Tensor, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.state.count[row] += action.data[row];
      this.reward.data[row * 2] = 1;
      this.reward.data[row * 2 + 1] = action.data[row];
      if (this.state.count[row] === 3) this.terminated.data[row] = 1;
      this.observe(row);
    }
  }
  render(row: number): string {
    return String(this.state.count[row]);
  }
}

describe("ends", () => {
  test("terminated rows reset in the same step, and `final` keeps the last observation", () => {
    const env = new Count({ rows: 2 });
    env.reset();
    for (let t = 0; t < 3; t++) env.step(ints(1, 0));
    expect([...env.terminated.data]).toEqual([1, 0]);
    expect([...env.truncated.data]).toEqual([0, 0]);
    expect([...env.observation.data]).toEqual([0, 0]);
    expect(env.final.data[0]).toBe(3);
    expect([...env.ended.length]).toEqual([3, 0]);
    // The sum of both components.
    expect([...env.ended.return]).toEqual([6, 0]);
    env.step(ints(0, 0));
    expect([...env.terminated.data]).toEqual([0, 0]);
    expect([...env.ended.length]).toEqual([0, 0]);
    env.step(ints(0, 0));
    expect([...env.truncated.data]).toEqual([0, 1]);
    expect([...env.ended.length]).toEqual([0, 5]);
  });

  test("a termination at the time limit sets both flags, as in Gymnasium", () => {
    const env = new Count({ maxSteps: 3 });
    env.reset();
    for (let t = 0; t < 3; t++) env.step(ints(1));
    expect([env.terminated.data[0], env.truncated.data[0], env.ended.length[0]]).toEqual([1, 1, 3]);
  });

  test("Infinity means no limit", () => {
    const env = new Count({ maxSteps: Number.POSITIVE_INFINITY });
    expect(env.spec.maxSteps).toBeUndefined();
    env.reset();
    for (let t = 0; t < 100; t++) {
      env.step(ints(0));
      expect(env.truncated.data[0]).toBe(0);
    }
  });

  test("reset clears the ended episodes", () => {
    const env = new Count();
    env.reset();
    for (let t = 0; t < 3; t++) env.step(ints(1));
    env.reset();
    expect([env.terminated.data[0], env.ended.length[0], env.reward.data[0]]).toEqual([0, 0, 0]);
  });
});

describe("seeds", () => {
  test.each([
    [
      "one number: row 0 uses it, the others children of it",
      10,
      [10, stream(10, "row", 1), stream(10, "row", 2)],
    ],
    ["a list: each row has its own", [10, 11, 12], [10, 11, 12]],
  ])("%s", (_, seed, each) => {
    const env = make("CartPole-v1", { rows: 3 });
    env.reset({ seed });
    const rows = (env.observation as Tensor).toArray() as number[][];
    each.forEach((own, i) => {
      const one = make("CartPole-v1");
      one.reset({ seed: own });
      expect((one.observation as Tensor).toArray()).toEqual([rows[i]]);
    });
  });

  test("a list of the wrong length is rejected", () => {
    const env = make("CartPole-v1", { rows: 3 });
    expect(() => env.reset({ seed: [1, 2] })).toThrow("CartPole-v1: reset() got 2 seeds for 3 copies.");
    expect(() => env.reset({ seed: 0.5 })).toThrow("CartPole-v1: reset() got the seed 0.5");
  });

  test("without a seed the streams continue", () => {
    const env = make("CartPole-v1");
    const first = () => [...(env.observation as Tensor).data];
    env.reset({ seed: 1 });
    const one = first();
    env.reset();
    expect(first()).not.toEqual(one);
    const two = first();
    env.reset({ seed: 1 });
    env.reset();
    expect(first()).toEqual(two);
  });
});

describe("errors", () => {
  test.each([
    [() => make("CartPole-v1"), ints(2), "CartPole-v1: action 2 is outside Discrete(2). Actions are 0 or 1."],
    [
      () => make("Acrobot-v1", { rows: 6 }),
      ints(0, 1, 2, 0, -1, 3),
      "Acrobot-v1: action -1 in row 4 is outside Discrete(3). Actions are 0 to 2.",
    ],
    [
      () => make("Acrobot-v1", { rows: 5 }),
      ints(0, 1, 2, 0, -2147483648),
      "Acrobot-v1: action -2147483648 in row 4 is outside Discrete(3).",
    ],
    [
      () => make("Pendulum-v1", { rows: 2 }),
      tensor([[0], [Number.NaN]]),
      "Pendulum-v1: action NaN in row 1 is not a number.",
    ],
    [
      () => make("CartPole-v1", { rows: 2 }),
      tensor([0, 1]),
      "CartPole-v1: actions must be a tensor i32 [2], one for each row; got f32 [2].",
    ],
    [
      () => make("Pendulum-v1", { rows: 2 }),
      tensor([0]),
      "Pendulum-v1: actions must be a tensor f32 [2,1], one for each row; got f32 [1].",
    ],
  ])("%#", (build, action, message) => {
    const env = build();
    env.reset({ seed: 1 });
    const before = env.save();
    expect(() => env.step(action)).toThrow(message);
    expect(() => env.step(action)).toThrow(ReinsError);
    // Nothing moved.
    expect(env.save()).toEqual(before);
  });

  test("calls before reset() and invalid options", () => {
    expect(() => make("CartPole-v1").step(ints(0))).toThrow("CartPole-v1: step() was called before reset().");
    expect(() => make("CartPole-v1", { rows: 0 })).toThrow("rows is 0");
    expect(() => make("CartPole-v1", { maxSteps: 0 })).toThrow("maxSteps is 0");
    const [two, three] = [make("CartPole-v1", { rows: 2 }), make("CartPole-v1", { rows: 3 })];
    expect(() => three.restore(two.save())).toThrow("restore: state.observation has shape [3,4]");
  });
});

test("contexts change the physics of their rows only", () => {
  const heavy = make("CartPole-v1", { rows: 2 });
  const plain = make("CartPole-v1", { rows: 2 });
  heavy.reset({ seed: 1, context: { gravity: 20 } });
  plain.reset({ seed: 1 });
  const third = () => [heavy, plain].map((env) => (env.observation as Tensor).data[3]);
  expect(third()[0]).toBe(third()[1]);
  for (const env of [heavy, plain]) env.step(ints(1, 0));
  expect(third()[0]).not.toBe(third()[1]);
  // Back to the default physics, row by row now: the same numbers as in one loop.
  heavy.reset({ seed: 1, context: { gravity: 9.8 } });
  plain.reset({ seed: 1 });
  for (let t = 0; t < 50; t++) for (const env of [heavy, plain]) env.step(ints(t % 2, (t >> 1) % 2));
  expect([...(heavy.observation as Tensor).data]).toEqual([...(plain.observation as Tensor).data]);
});
