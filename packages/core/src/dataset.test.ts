import { random, setBackend, type Tensor, tensor, where } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { withSettings } from "./algorithm.ts";
import { dataset } from "./dataset.ts";
import { importanceSampling } from "./evaluations/off-policy.ts";
import { checkColumns, type Experience } from "./experience.ts";
import type { Learner } from "./learner.ts";
import { offline } from "./loop/offline.ts";
import { EpisodeRecorder } from "./loop/recorder.ts";
import type { ActingPolicy } from "./policy.ts";
import { mixed } from "./replay/mixture.ts";
import { Run } from "./run.ts";
import { box, discrete } from "./space.ts";

setBackend("wasm");

const shapes = (columns: object) =>
  Object.fromEntries(Object.entries(columns).map(([n, t]) => [n, (t as Tensor).shape]));

describe("dataset", () => {
  it("has a row for each step of a grid", () => {
    const x = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const data = dataset({ columns: { x }, index: { kind: "grid", time: 2, rows: 3 } });
    expect([data.capacity, data.size.item(), data.bytes]).toEqual([6, 6, 24]);
    expect([...(data.columns.x as Tensor).data]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("has a row for each list, in the given order", () => {
    const x = tensor([10, 11, 12, 13]);
    const pairs = dataset({
      columns: { x },
      index: {
        kind: "lists",
        members: [
          [2, 0],
          [1, 3],
        ],
      },
    });
    expect(shapes(pairs.columns)).toEqual({ x: [2, 2] });
    expect([...(pairs.columns.x as Tensor).data]).toEqual([12, 10, 11, 13]);
    const lists = dataset({ columns: { x }, index: { kind: "lists", members: [[0], [3, 2, 1]] } });
    expect([...(lists.columns.x as Tensor).data]).toEqual([10, 10, 10, 13, 12, 11]);
    expect([...(lists.columns.present as Tensor).data]).toEqual([1, 0, 0, 1, 1, 1]);
  });

  it("samples entries uniformly", () => {
    const { index } = dataset({ x: tensor([0, 1, 2, 3]) }).sample(4000, random.key(1));
    const counts = [0, 0, 0, 0];
    for (const i of index.data) counts[i]++;
    for (const n of counts) expect(Math.abs(n - 1000)).toBeLessThan(150);
  });

  it("rejects empty data, and columns of different lengths by name", () => {
    expect(() => dataset([])).toThrow("Pass at least one");
    expect(() => dataset({ x: tensor([1, 2]), y: tensor([1]) })).toThrow(
      "column `y` has 1 entries, but the others have 2",
    );
    const empty = { columns: { x: tensor([1]) }, index: { kind: "lists" as const, members: [[]] } };
    expect(() => dataset(empty)).toThrow("a list is empty");
    expect(() => mixed([], { batch: 4 })).toThrow("got no parts");
    const beyond = { columns: { x: tensor([1]) }, index: { kind: "lists" as const, members: [[0, 1]] } };
    expect(() => dataset(beyond)).toThrow("a list has member 1, but the rows are 0 to 0");
    const other = [dataset({ x: tensor([[1]]) }), dataset({ x: tensor([[1, 2]]) })];
    expect(() =>
      mixed(
        other.map((of) => ({ of, share: 1 })),
        { batch: 2 },
      ),
    ).toThrow("column `x` has entries of shape [1] in one part and [2] in another");
    for (const share of [-1, Number.POSITIVE_INFINITY, Number.NaN])
      expect(() => mixed([{ of: other[0], share }], { batch: 2 }).prepare!()).toThrow(
        "it must be a number from 0",
      );
  });

  it("is gathered by its own rule in a mixture", () => {
    const tens = { ...dataset({ x: tensor([1, 1]) }), gather: () => ({ x: tensor([10, 10]) }) };
    const both = mixed([{ of: tens, share: 1 }], { batch: 2 });
    both.prepare!();
    const { index } = both.sample(2, random.key(1));
    expect([...(both.gather!(both.columns, index).x as Tensor).data]).toEqual([10, 10]);
  });

  it("rejects a checkpoint of another dataset", () => {
    const [small, large] = [dataset({ x: tensor([1]) }), dataset({ x: tensor([1, 2]) })];
    expect(() => dataset(undefined as never)).toThrow("dataset: got undefined. Pass columns by name");
    expect(() => small.restore(small.save())).not.toThrow();
    expect(() => large.restore(small.save())).toThrow("a dataset of 1 entries; this one has 2");
  });
});

/** A run of a custom method on this experience. */
const runOf = (learner: Learner<Tensor>, experience: Experience) =>
  new Run({
    algorithm: {
      name: "mine",
      options: {},
      start: (context) =>
        withSettings(offline({ name: "mine", learner, experience, batch: 2, updates: 1 }, context), {}),
    },
    env: { spec: { id: "Log-v0", observation: box([1]), action: discrete(2) } },
    steps: 10,
  });

describe("experience that a learner cannot read is rejected", () => {
  const learner: Learner<Tensor> = {
    reads: ["observation", "reward"],
    init: () => tensor(0),
    update: (state) => ({ state, metrics: {} }),
    acting: (state) => state,
  };
  const refused =
    "it learns from columns `observation`, `reward`; the experience has `observation`, `action`. Add `reward`.";

  it("by the names of the columns", () => {
    const data = dataset({ observation: tensor([1, 2]), action: tensor([1, 2]) });
    expect(() => checkColumns("mine", learner, data.columns)).toThrow(refused);
  });

  it("by a reward with more than one number per entry", () => {
    const columns = { observation: tensor([[1], [2]]), reward: tensor([[1], [2]]) };
    expect(() => checkColumns("mine", learner, columns)).toThrow(
      "column `reward` is [2,1]; it must have one number per entry, without the last axis",
    );
    const windows = { ...columns, valid: tensor([[true], [true]]) };
    expect(() => checkColumns("mine", learner, windows)).not.toThrow();
  });

  it("by choices that are recorded as floating-point numbers", () => {
    const reads: Learner<Tensor> = { ...learner, reads: ["observation", "action"] };
    const data = (action: Tensor) => dataset({ observation: tensor([[1], [2]]), action });
    expect(() => runOf(reads, data(tensor([0, 1])))).toThrow(
      "mine: column `action` is f32; discrete actions are i32. Pass tensor(Int32Array.from(actions)).",
    );
    expect(() => runOf(reads, data(tensor(Int32Array.of(0, 1))))).not.toThrow();
  });

  it("before the first update, mixtures too", () => {
    const data = dataset({ observation: tensor([1, 2]), action: tensor([1, 2]) });
    for (const experience of [data, mixed([{ of: data, share: 1 }], { batch: 2 })])
      expect(() => runOf(learner, experience)).toThrow(refused);
  });
});

it("a metric that is not a scalar is rejected by name", () => {
  const learner: Learner<Tensor> = {
    init: () => tensor(0),
    update: (state) => ({ state, metrics: { "loss/each": tensor([1, 2]) } }),
    acting: (state) => state,
  };
  const experience = dataset({ observation: tensor([1, 2]) });
  expect(() => runOf(learner, experience)).toThrow(
    "mine: metric loss/each has shape [2]; it must be one number. Take its mean.",
  );
});

it("importance sampling sums the components of a reward", () => {
  const policy = {
    likelihood: "exact",
    init: () => ({}),
    act: (_: unknown, __: unknown, state: never) => ({ action: tensor([0]), state }),
    score: (_: unknown, { action }: { action: Tensor }) => ({
      logProb: where(action.gt(0), Math.log(0.5), Math.log(0.25)),
      entropy: where(action.gt(0), 0, 0),
    }),
  };
  const logs = [
    [1, 0, 1],
    [0, 0],
  ].map((actions, e) => {
    const recorder = new EpisodeRecorder();
    for (const action of actions)
      recorder.add({
        observation: tensor([[0]]),
        action: tensor(Int32Array.of(action)),
        logProb: Math.log(0.5),
        reward: tensor([[action + 1, 10 * e]]),
      });
    return recorder.finish({ terminated: true, truncated: false });
  });
  const { mean } = importanceSampling({ policy: policy as never, weights: {} }, { gamma: 0.5 })(logs);
  // Ratios 1, 1/2, 1/2 with rewards 2, 1, 2, and ratios 1/2, 1/4 with rewards 11, 11.
  expect(mean).toBeCloseTo((2 + 0.25 + 0.25 + 5.5 + 11 / 8) / 2, 5);
  const weighted = (per: "step" | "episode") =>
    importanceSampling({ policy: policy as never, weights: {} }, { gamma: 0.5, weighted: true, per })(logs)
      .mean;
  // Weights per step: 1 and 1/2, 1/2 and 1/4, 1/2 and 1/4 (of the episode that has ended).
  expect(weighted("step")).toBeCloseTo((2 + 5.5) / 1.5 + (0.25 + 11 / 8) / 0.75 + 0.25 / 0.75, 5);
  // Weights 1/2 and 1/4 of the returns 3 and 16.5.
  expect(weighted("episode")).toBeCloseTo((1.5 + 16.5 / 4) / 0.75, 5);
});

it("importance sampling rejects a policy that only acts", () => {
  const policy: ActingPolicy = { init: () => ({}), act: (_, __, state) => ({ action: tensor([0]), state }) };
  expect(() => importanceSampling({ policy, weights: {} })).toThrow(
    "importanceSampling: it needs the likelihood of actions, but this policy only acts.",
  );
});
