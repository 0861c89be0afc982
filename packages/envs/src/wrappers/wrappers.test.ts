import { box, dict, discrete, type Env, type MultiEnv, type VectorEnv } from "@reins/core";
import { vectorise, vectoriseMulti } from "@reins/core/forms";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { checkEnv, showFinding } from "../check/index.ts";
import { make } from "../registry.ts";
import {
  adversary,
  clipAction,
  clipReward,
  compose,
  context,
  flattenObservation,
  frameStack,
  noise,
  normaliseObservation,
  normaliseReward,
  record,
  rescaleAction,
  rescaleObservation,
  sparseReward,
  stickyActions,
  stochasticReward,
  timeLimit,
} from "./index.ts";

/** The numbers of a tree. */
const numbers = (tree: unknown): number[] => leaves(tree as Tensor).flatMap((t) => [...t.data]);

/** Plays pseudo-random actions; returns the results of every step. */
function play(env: VectorEnv, steps: number, from = 0): number[][] {
  const action = columns(env.spec.action, env.rows) as Tensor;
  const space = env.spec.action;
  return Array.from({ length: steps }, (_, t) => {
    for (let i = 0; i < action.size; i++) {
      const u = Math.abs(Math.sin((from + t + 1) * 12.9898 + i * 78.233) * 43758.5453) % 1;
      action.data[i] = space.kind === "discrete" ? Math.floor(u * space.n) : 4 * u - 2;
    }
    env.step(action);
    return [env.observation, env.reward, env.terminated, env.truncated]
      .flatMap(numbers)
      .concat([...env.ended.return, ...env.ended.length]);
  });
}

/** Adds 0.1 to the first number of each observation. */
const lean = ({ observation }: { observation: Tensor }) =>
  tensor(
    observation.data.map((_, i) => (i % observation.shape[1] ? 0 : 0.1)),
    { shape: observation.shape },
  );

describe.each<[string, () => VectorEnv]>([
  ["nothing", () => make("CartPole-v1", { rows: 3 })],
  ["timeLimit", () => timeLimit(make("Pendulum-v1", { rows: 3 }), 13)],
  ["normaliseObservation", () => normaliseObservation(make("CartPole-v1", { rows: 3 }))],
  ["normaliseReward", () => normaliseReward(make("CartPole-v1", { rows: 3 }))],
  ["frameStack", () => frameStack(make("CartPole-v1", { rows: 3 }), 4)],
  ["clipReward", () => clipReward(make("Pendulum-v1", { rows: 3, maxSteps: 13 }))],
  ["sparseReward", () => sparseReward(make("Pendulum-v1", { rows: 3, maxSteps: 13 }), { least: -5 })],
  ["lottery", () => stochasticReward(make("Pendulum-v1", { rows: 3, maxSteps: 13 }), { chance: 0.25 })],
  ["clipAction", () => clipAction(make("MountainCarContinuous-v0", { rows: 3 }))],
  ["rescaleAction", () => rescaleAction(make("Pendulum-v1", { rows: 3 }))],
  ["rescaleObservation", () => rescaleObservation(make("MountainCar-v0", { rows: 3, maxSteps: 13 }))],
  ["flattenObservation", () => flattenObservation(make("Blackjack-v1", { rows: 3 }))],
  ["record", () => record(make("CartPole-v1", { rows: 3 }))],
  ["stickyActions", () => stickyActions(make("CartPole-v1", { rows: 3 }))],
  ["noise", () => noise(make("CartPole-v1", { rows: 3 }), 0.1)],
  ["adversary", () => adversary(make("CartPole-v1", { rows: 3 }), { budget: 0.3, attack: lean })],
  [
    "context",
    () => context(make("CartPole-v1", { rows: 3 }), (random) => ({ poleLength: random.uniform(0.3, 0.9) })),
  ],
  [
    "compose",
    () =>
      compose(
        make("Pendulum-v1", { rows: 3, maxSteps: 13 }),
        rescaleAction,
        stickyActions,
        normaliseObservation,
        (env) => frameStack(env, 2),
        normaliseReward,
        record,
      ),
  ],
])("%s", (name, build) => {
  test("continues exactly after save and restore, also in another copy", () => {
    const env = build();
    env.reset({ seed: 5 });
    play(env, 40);
    const saved = env.save();
    const went = play(env, 60, 40);
    env.restore(saved);
    expect(play(env, 60, 40)).toEqual(went);
    const other = build();
    other.reset({ seed: 77 });
    other.restore(saved);
    expect(play(other, 60, 40)).toEqual(went);
  });

  test("equal seeds give equal episodes", () => {
    const [a, b] = [build(), build()];
    a.reset({ seed: 9 });
    b.reset({ seed: 9 });
    expect(play(a, 50)).toEqual(play(b, 50));
    expect(play(a, 5)).not.toEqual(play(b, 6).slice(1));
  });

  // Statistics persist across a reset, so normalised observations differ the second time.
  if (!/normalise|compose/.test(name))
    test("the checker finds nothing", () => {
      expect(checkEnv(build, { seeds: [0], steps: 40 }).map(showFinding)).toEqual([]);
    });

  test("columns have the shapes of the spaces", () => {
    const env = build();
    const shapes = (tree: unknown) => leaves(tree as Tensor).map((t) => `${t.dtype} ${t.shape}`);
    expect(shapes(env.observation)).toEqual(shapes(columns(env.spec.observation, 3)));
    expect(shapes(env.final)).toEqual(shapes(columns(env.spec.observation, 3)));
  });
});

/** Returns of all episodes that end in some steps. */
function returns(env: VectorEnv, steps: number): number[] {
  env.reset({ seed: 3 });
  return play(env, steps).flatMap((row) => row.slice(-2 * env.rows, -env.rows).filter((r) => r !== 0));
}

test("wrappers leave episode returns unchanged", () => {
  const plain = returns(make("CartPole-v1", { rows: 4 }), 100);
  expect(plain.length).toBeGreaterThan(5);
  const wrapped = compose(make("CartPole-v1", { rows: 4 }), normaliseReward, (env) =>
    clipReward(env, { high: 0.1 }),
  );
  expect(returns(wrapped, 100)).toEqual(plain);
});

test("sparseReward pays for rewards above the threshold, and for nothing else", () => {
  const plain = make("Pendulum-v1", { rows: 64 });
  const env = sparseReward(make("Pendulum-v1", { rows: 64 }), { least: -2 });
  for (const e of [plain, env]) e.reset({ seed: 1 });
  for (const e of [plain, env]) play(e, 1);
  const paid = Array.from(plain.reward.data, (r) => (r >= -2 ? 1 : 0));
  expect(new Set(paid).size).toBe(2);
  expect([...env.reward.data]).toEqual(paid);
});

test("lottery pays seldom and more, with the same mean, and returns are unchanged", () => {
  const plain = make("Pendulum-v1", { rows: 800, maxSteps: 3 });
  const env = stochasticReward(make("Pendulum-v1", { rows: 800, maxSteps: 3 }), { chance: 0.25 });
  for (const e of [plain, env]) e.reset({ seed: 1 });
  for (const e of [plain, env]) play(e, 3);
  const paid = [...env.reward.data];
  expect(paid.filter((r, i) => r !== 0 && r !== 4 * plain.reward.data[i])).toEqual([]);
  const mean = (x: ArrayLike<number>) => Array.from(x).reduce((a, b) => a + b) / x.length;
  expect(mean(paid) / mean(plain.reward.data)).toBeGreaterThan(0.8);
  expect(mean(paid) / mean(plain.reward.data)).toBeLessThan(1.2);
  expect([...env.ended.return]).toEqual([...plain.ended.return]);
});

test("timeLimit truncates, and sets maxSteps in the spec", () => {
  const env = timeLimit(make("Pendulum-v1", { rows: 2 }), 7);
  expect(env.spec.maxSteps).toBe(7);
  env.reset({ seed: 1 });
  play(env, 6);
  expect([...env.truncated.data]).toEqual([0, 0]);
  play(env, 1);
  expect([...env.truncated.data]).toEqual([1, 1]);
  expect([...env.ended.length]).toEqual([7, 7]);
  const other = vectorise(() => never, 1);
  expect(() => timeLimit(other, 7)).toThrow("timeLimit: Never-v0 truncates its own episodes");
});

test("stickyActions supports actions with named parts", () => {
  const add: Env = {
    spec: { id: "Add-v0", observation: discrete(1), action: dict({ a: discrete(10), b: discrete(10) }) },
    reset: () => ({ observation: 0 }),
    step: (action) => {
      const { a, b } = action as { a: number; b: number };
      return { observation: 0, reward: 10 * a + b, terminated: false, truncated: false };
    },
  };
  const env = stickyActions(
    vectorise(() => add, 1),
    0,
  );
  env.reset({ seed: 1 });
  env.step({ b: tensor(Int32Array.of(2)), a: tensor(Int32Array.of(7)) });
  expect(env.reward.item()).toBe(72);
  expect(() => env.step({ a: tensor(Int32Array.of(2)) })).toThrow("the action has another structure");
});

const never: Env = {
  spec: { id: "Never-v0", observation: discrete(1), action: discrete(1) },
  reset: () => ({ observation: 0 }),
  step: () => ({ observation: 0, reward: 0, terminated: false, truncated: false }),
};

describe("normaliseObservation", () => {
  test("uses mean and variance of all observations", () => {
    const env = normaliseObservation(make("CartPole-v1", { rows: 1 }));
    const seen: number[][] = [];
    const look = (tensor: unknown) => seen.push([...(tensor as Tensor).data]);
    env.reset({ seed: 2 });
    look(env.inner.observation);
    for (let t = 0; t < 200; t++) {
      play(env, 1, t);
      if (env.ended.length[0]) look(env.inner.final);
      look(env.inner.observation);
    }
    // Gymnasium's prior: 1/10000 of an observation with mean 0 and variance 1.
    const n = seen.length + 1e-4;
    for (let i = 0; i < 4; i++) {
      const mean = seen.reduce((sum, o) => sum + o[i], 0) / n;
      const square = (seen.reduce((sum, o) => sum + o[i] ** 2, 0) + 1e-4) / n;
      expect(env.statistics.mean[i]).toBeCloseTo(mean, 9);
      expect(env.statistics.variance[i]).toBeCloseTo(square - mean ** 2, 9);
      const expected = (seen.at(-1)![i] - mean) / Math.sqrt(square - mean ** 2 + 1e-8);
      expect((env.observation as Tensor).data[i]).toBeCloseTo(expected, 5);
    }
  });

  test("evaluation uses the training statistics without changing them", () => {
    const train = normaliseObservation(make("CartPole-v1", { rows: 4 }));
    train.reset({ seed: 1 });
    play(train, 100);
    const { count } = train.statistics;
    const evaluation = normaliseObservation(make("CartPole-v1"), {
      training: false,
      statistics: train.statistics,
    });
    evaluation.reset({ seed: 1 });
    play(evaluation, 20);
    expect(train.statistics.count).toBe(count);
    const raw = (evaluation.inner.observation as Tensor).data[0];
    const { mean, variance } = train.statistics;
    expect((evaluation.observation as Tensor).data[0]).toBeCloseTo(
      (raw - mean[0]) / Math.sqrt(variance[0] + 1e-8),
      5,
    );
  });

  test("rejects observations that are not a box", () => {
    expect(() => normaliseObservation(make("Taxi-v4"))).toThrow(
      "normaliseObservation: Taxi-v4 observes Discrete(500), but this wrapper needs a box. Apply flattenObservation() first.",
    );
  });
});

test("normaliseReward divides by the standard deviation of discounted returns, as in Gymnasium", () => {
  const env = normaliseReward(
    vectorise(() => counted([3, 2]), 1),
    { gamma: 0.9 },
  );
  env.reset();
  // Gymnasium 1.4's vector NormalizeReward(gamma=0.9) in same-step mode, on the same environment.
  const gymnasium = [
    70.71421321062337, 2.1050356614916224, 3.2600066340058143, 1.024914197797624, 2.291621046535556,
    1.1410036327777187,
  ];
  for (const expected of gymnasium) {
    env.step(tensor(Int32Array.of(0)));
    // Gymnasium adds returns in single precision.
    expect(env.reward.data[0] / expected).toBeCloseTo(1, 6);
  }
});

/** Episodes of given lengths whose rewards count their steps. */
function counted(lengths: number[]): Env {
  let [episode, t] = [-1, 0];
  return {
    spec: { id: "Counted-v0", observation: box([1]), action: discrete(1) },
    reset: () => {
      episode++;
      t = 0;
      return { observation: [0] };
    },
    step: () => {
      t++;
      const terminated = t === lengths[episode % lengths.length];
      return { observation: [t], reward: t, terminated, truncated: false };
    },
  };
}

test("frameStack keeps the last observations and repeats the first of an episode", () => {
  const env = frameStack(
    vectorise(() => counted([3]), 1),
    3,
  );
  env.reset();
  const step = () => {
    env.step(tensor(Int32Array.of(0)));
    return [...(env.observation as Tensor).data];
  };
  expect([...(env.observation as Tensor).data]).toEqual([0, 0, 0]);
  expect(step()).toEqual([0, 0, 1]);
  expect(step()).toEqual([0, 1, 2]);
  expect(step()).toEqual([0, 0, 0]);
  expect([...(env.final as Tensor).data]).toEqual([1, 2, 3]);
  expect(env.spec.observation).toEqual(box([3, 1]));
});

test("rescaleObservation keeps a constant number at the lower bound", () => {
  const spec = { id: "Constant-v0", observation: box([2], [3, 0], [3, 4]), action: discrete(2) };
  const result = { observation: [3, 1], reward: 0, terminated: false, truncated: false };
  const env = rescaleObservation(
    vectorise(() => ({ spec, reset: () => result, step: () => result }), 1),
    { low: -2, high: 2 },
  );
  env.reset();
  expect(numbers(env.observation)).toEqual([-2, -1]);
});

test("rescaleAction and rescaleObservation map bounds to bounds", () => {
  const env = rescaleObservation(rescaleAction(make("MountainCarContinuous-v0")), { low: 0, high: 1 });
  expect(env.spec.action).toEqual(box([1], -1, 1));
  env.reset({ seed: 1 });
  const inner = (env as unknown as { inner: VectorEnv }).inner.observation as Tensor;
  expect((env.observation as Tensor).data[0]).toBeCloseTo((inner.data[0] + 1.2) / 1.8, 6);
  expect(() => rescaleObservation(make("CartPole-v1"))).toThrow(
    "element 1 of the observation of CartPole-v1",
  );
  const pendulum = rescaleAction(make("Pendulum-v1"));
  const plain = make("Pendulum-v1");
  for (const [e, a] of [
    [pendulum, 0.25],
    [plain, 0.5],
  ] as const) {
    e.reset({ seed: 4 });
    e.step(tensor(Float32Array.of(a), { shape: [1, 1] }));
  }
  expect(numbers(pendulum.observation)).toEqual(numbers(plain.observation));
});

test("flattenObservation one-hot encodes choices", () => {
  const env = flattenObservation(make("Blackjack-v1"));
  env.reset({ seed: 1 });
  const [sum, dealer, ace] = numbers((env as unknown as { inner: VectorEnv }).inner.observation);
  const flat = numbers(env.observation);
  expect(flat.length).toBe(32 + 11 + 2);
  expect(flat.flatMap((x, i) => (x === 1 ? [i] : []))).toEqual([sum, 32 + dealer, 43 + ace]);
  const nested = vectorise(
    () => ({
      ...never,
      spec: { ...never.spec, observation: dict({ a: box([2], 0, 5), b: discrete(3, 1) }) },
      reset: () => ({ observation: { a: [1, 2], b: 2 } }),
    }),
    2,
  );
  const both = flattenObservation(nested);
  both.reset();
  expect(numbers(both.observation)).toEqual([1, 2, 0, 1, 0, 1, 2, 0, 1, 0]);
});

test("record keeps the episodes of row 0", () => {
  const env = record(make("CartPole-v1", { rows: 2 }), { keep: 3 });
  env.reset({ seed: 6 });
  const lengths: number[] = [];
  for (let t = 0; t < 200; t++) {
    play(env, 1, t);
    if (env.ended.length[0]) lengths.push(env.ended.length[0]);
  }
  expect(env.episodes.map((e) => e.rewards.length)).toEqual(lengths.slice(-3));
  const { observations, actions, rewards, terminated } = env.episodes[2];
  expect((observations as Tensor).shape).toEqual([rewards.length + 1, 4]);
  expect((actions as Tensor).shape).toEqual([rewards.length]);
  expect(terminated).toBe(true);
  const saved = env.save();
  const before = env.episodes.map((e) => numbers(e.observations));
  play(env, 100);
  env.restore(saved);
  expect(env.episodes.map((e) => numbers(e.observations))).toEqual(before);
});

test("stickyActions repeats about one action in four, never one of another episode", () => {
  let taken: number[] = [];
  const spy: Env = {
    ...never,
    spec: { ...never.spec, action: discrete(1000) },
    step: (a) => {
      taken.push(a as number);
      return { observation: 0, reward: 0, terminated: taken.length % 10 === 0, truncated: false };
    },
  };
  const env = stickyActions(vectorise(() => spy, 1));
  env.reset({ seed: 1 });
  for (let t = 0; t < 1000; t++) env.step(tensor(Int32Array.of(t)));
  const kept = taken.filter((a, t) => a !== t);
  expect(kept.length).toBeGreaterThan(170);
  expect(kept.length).toBeLessThan(280);
  expect(taken.filter((a, t) => t % 10 === 0 && a !== t)).toEqual([]);
  taken = [];
});

test("noise has the given standard deviation", () => {
  const env = noise(make("CartPole-v1", { rows: 500 }), 0.3);
  env.reset({ seed: 1 });
  const inner = numbers((env as unknown as { inner: VectorEnv }).inner.observation);
  const added = numbers(env.observation).map((x, i) => x - inner[i]);
  expect(Math.sqrt(added.reduce((s, x) => s + x * x, 0) / added.length)).toBeCloseTo(0.3, 1);
});

describe("context", () => {
  test("each episode has its own; reset's takes precedence", () => {
    const seen = new Set<number>();
    const env = context(make("CartPole-v1", { rows: 2 }), (random) => {
      const gravity = random.integers(5, 15);
      seen.add(gravity);
      return { gravity };
    });
    env.reset({ seed: 1 });
    play(env, 200);
    expect(seen.size).toBeGreaterThan(5);
    const count = seen.size;
    env.reset({ seed: 1, context: { gravity: 9.8 } });
    const same = play(env, 50);
    expect(seen.size).toBe(count);
    const plain = make("CartPole-v1", { rows: 2 });
    plain.reset({ seed: 1 });
    expect(play(plain, 50)).toEqual(same);
  });

  test("lists the parameters of a context", () => {
    const env = context(make("CartPole-v1"), [{ gravty: 3 }]);
    expect(() => env.reset()).toThrow(
      'CartPole-v1: unknown parameter "gravty" in the context. It may have gravity, cartMass, poleMass, poleLength, force.',
    );
  });
});

describe("adversary", () => {
  test("perturbs observations until the budget of the episode is spent", () => {
    const plain = make("CartPole-v1", { rows: 2, maxSteps: 12 });
    const inner = make("CartPole-v1", { rows: 2, maxSteps: 12 });
    // 0.1 nine times has norm 0.3; the tenth exceeds the budget.
    const env = adversary(inner, { budget: 0.3, attack: lean });
    plain.reset({ seed: 1 });
    env.reset({ seed: 1 });
    const action = columns(env.spec.action, 2) as Tensor;
    const added: number[] = [];
    for (let t = 0; t < 14; t++) {
      const [truth, seen] = [plain, env].map((e) => (e.observation as Tensor).data);
      added.push(seen[0] - truth[0]);
      expect(seen[1]).toBe(truth[1]);
      for (const e of [plain, env]) {
        action.data.fill(t % 2);
        e.step(action);
      }
    }
    added.forEach((a, t) => expect(a).toBeCloseTo(t % 12 < 9 ? 0.1 : 0, 3));
    expect(env.ended).toBe(inner.ended);
  });

  test("shortens perturbations that are too long", () => {
    const env = adversary(make("CartPole-v1"), { budget: 0.05, attack: lean });
    env.reset({ seed: 1 });
    const plain = make("CartPole-v1");
    plain.reset({ seed: 1 });
    const [truth, seen] = [plain, env].map((e) => (e.observation as Tensor).data);
    expect(seen[0] - truth[0]).toBeCloseTo(0.05, 6);
  });
});

test("frames of an agent that comes back are those of its new episode", () => {
  let time = 0;
  const spec = {
    id: "Return-v0",
    observation: box([1]),
    action: discrete(2),
    agents: { names: ["a", "b"], order: "parallel" as const },
  };
  const look = () => ({ observations: [[time], time === 0 || time > 2 ? [time] : null] });
  const env: MultiEnv = {
    spec,
    reset: () => {
      time = 0;
      return look();
    },
    // b leaves in the first step, and is back in the third.
    step: () => {
      time++;
      const left = [false, time === 1];
      return { ...look(), rewards: [0, 0], terminated: left, truncated: [false, false], over: time === 9 };
    },
  };
  const stacked = frameStack(
    vectoriseMulti(() => env, 1),
    2,
  );
  stacked.reset();
  const action = columns(spec.action, 2);
  for (let t = 0; t < 4; t++) {
    stacked.step(action);
    if (time === 3) expect(numbers(stacked.observation)).toEqual([2, 3, 3, 3]);
  }
  expect(numbers(stacked.observation)).toEqual([3, 4, 3, 4]);
});
