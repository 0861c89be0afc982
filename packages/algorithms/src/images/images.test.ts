import { type Learner, Run } from "@reins/core";
import { convolutional } from "@reins/core/policies";
import type { TransitionColumns } from "@reins/core/replay";
import { source } from "@reins/envs";
import { compile, random, type Tensor, type Tree, tensor } from "@reins/tensor";
import { describe, expect, it, test } from "vitest";
import { dqn, dqnParts } from "../dqn.ts";
import { sac } from "../sac.ts";
import { withAugmentation } from "./augment.ts";
import { cutout, randomColor, randomShift, sequential } from "./augmentations.ts";
import { type AuxiliaryInputs, contrastive, reconstruction, selfPrediction } from "./auxiliary.ts";

/** An image of 3 × 4 pixels whose values encode their position, as `rows` equal rows with one channel. */
const numbered = (rows: number) =>
  tensor(Uint8Array.from({ length: rows * 12 }, (_, i) => (i % 12) + 1)).reshape([rows, 3, 4, 1]);
const key = (seed: number) => random.key(seed);
const rowOf = (picture: Tensor, row: number) => [...picture.data.slice(row * 12, row * 12 + 12)];

describe("randomShift", () => {
  test("shifts each image by whole pixels, and repeats its edges", () => {
    const rows = 200;
    const moved = compile((x: Tensor, k: Tensor) => randomShift(1)(x, k) as Tensor)(numbered(rows), key(0));
    expect(moved.dtype).toBe("u8");
    const at = (y: number, x: number) => 4 * Math.min(2, Math.max(0, y)) + Math.min(3, Math.max(0, x)) + 1;
    const possible = [-1, 0, 1].flatMap((dy) =>
      [-1, 0, 1].map((dx) =>
        Array.from({ length: 12 }, (_, i) => at(Math.floor(i / 4) + dy, (i % 4) + dx)).join(),
      ),
    );
    const seen = new Set(Array.from({ length: rows }, (_, row) => rowOf(moved, row).join()));
    expect([...seen].sort()).toEqual([...possible].sort());
  });

  test("rejects other observations and invalid pixel counts", () => {
    expect(() => randomShift(0)).toThrow(/pixels is/);
    expect(() => randomShift(1)(tensor([[1, 2]]), key(0))).toThrow(/augments images/);
  });
});

test("cutout blackens one square, and nothing else", () => {
  const rows = 100;
  const cut = cutout(2)(numbered(rows), key(1)) as Tensor;
  const corners = new Set<number>();
  for (let row = 0; row < rows; row++) {
    const dark = rowOf(cut, row).flatMap((v, i) => (v === 0 ? [i] : []));
    expect(dark).toEqual([dark[0], dark[0] + 1, dark[0] + 4, dark[0] + 5]);
    corners.add(dark[0]);
    rowOf(cut, row).forEach((v, i) => {
      expect(v === 0 || v === i + 1).toBe(true);
    });
  }
  expect([...corners].sort((a, b) => a - b)).toEqual([0, 1, 2, 4, 5, 6]);
});

test("randomColor scales and shifts all pixels of a row alike, within bytes", () => {
  const painted = randomColor(0.5)(numbered(50), key(2)) as Tensor;
  const [a, b] = [rowOf(painted, 0), rowOf(painted, 1)];
  expect(a).not.toEqual(b);
  for (const row of [a, b])
    for (let i = 1; i < 12; i++) {
      expect(row[i] - row[i - 1]).toBeGreaterThanOrEqual(0);
      expect(row[i] - row[i - 1]).toBeLessThanOrEqual(1);
    }
  const bright = randomColor(1)(
    tensor(Uint8Array.from({ length: 48 }, () => 255)).reshape([4, 3, 4, 1]),
    key(3),
  );
  expect(Math.max(...(bright as Tensor).data)).toBeLessThanOrEqual(255);
});

test("inTurn passes each augmentation the output of the previous one", () => {
  const both = sequential(cutout(2), randomShift(1))(numbered(20), key(4)) as Tensor;
  const cut = cutout(2)(numbered(20), random.foldKey(key(4), 0));
  expect([...both.data]).toEqual([...(randomShift(1)(cut, random.foldKey(key(4), 1)) as Tensor).data]);
});

it("augments observations and next observations independently, before the learner sees them", () => {
  let seen: TransitionColumns | undefined;
  const learner: Learner<Tree, TransitionColumns> = {
    init: () => ({}),
    acting: (s) => s,
    update(state, batch) {
      seen = batch;
      return { state, metrics: {} };
    },
  };
  expect(withAugmentation(learner, undefined)).toBe(learner);
  const batch = { observation: numbered(30), next: numbered(30) } as Partial<TransitionColumns>;
  withAugmentation(learner, randomShift(1)).update({}, batch as TransitionColumns, { key: key(0) });
  const [now, later] = [seen!.observation as Tensor, seen!.next as Tensor].map((t) => [...t.data]);
  expect(now).not.toEqual([...numbered(30).data]);
  expect(now).not.toEqual(later);
});

describe("auxiliary tasks", () => {
  const body = { features: 2, apply: () => tensor([[0]]) };
  const sightOf = (
    features: number[][],
    slow: number[][],
    batch: Partial<TransitionColumns>,
  ): AuxiliaryInputs => ({
    features: () => tensor(features),
    slow: () => tensor(slow),
    batch: batch as TransitionColumns,
    key: key(0),
  });

  test("contrastive: −log softmax of the similarities, on the diagonal", () => {
    const task = contrastive((x) => x)(body);
    const own = {
      join: tensor([
        [1, 0],
        [0, 1],
      ]),
    };
    // Products are [[1, 0], [2, 4]].
    const loss = task.loss(
      own,
      sightOf(
        [
          [1, 0],
          [2, 2],
        ],
        [
          [1, 0],
          [0, 2],
        ],
        { observation: numbered(2) },
      ),
    );
    // Rows of products: (1, 0) · keys = 1, 0 and (2, 2) · keys = 2, 4.
    const by = (a: number, b: number) => Math.log(1 + Math.exp(b - a));
    expect(loss.item()).toBeCloseTo((by(1, 0) + by(4, 2)) / 2, 5);
  });

  test("reconstruction: half the mean squared error of the decoded image", () => {
    const { spec } = source("Catch-v0", { width: 4, height: 3 });
    const task = reconstruction({ weight: 2 })(body, spec);
    const picture = tensor(Uint8Array.from({ length: 36 }, () => 51)).reshape([1, 3, 4, 3]);
    // Every pixel is decoded as the first feature.
    const own = {
      weight: tensor([1, 0].map((w) => new Array<number>(36).fill(w))),
      bias: tensor(new Array<number>(36).fill(0)),
    };
    const loss = task.loss(own, sightOf([[0.5, 9]], [[0, 0]], { observation: picture }));
    expect(loss.item()).toBeCloseTo(0.3 ** 2, 5);
  });

  test("self-prediction: 0 for equal directions, 2 for opposite ones", () => {
    const { spec } = source("Catch-v0");
    const task = selfPrediction()(body, spec);
    const own = task.init(key(0));
    const batch = { observation: numbered(1), next: numbered(1), action: tensor(Int32Array.from([1])) };
    const at = (angle: number) =>
      task.loss(own, sightOf([[1, 1]], [[Math.cos(angle), Math.sin(angle)]], batch)).item();
    // Opposite targets: 1 − c and 1 + c.
    expect(at(0.3) + at(0.3 + Math.PI)).toBeCloseTo(2, 4);
    expect(Math.abs(at(0.3) - 1)).toBeLessThanOrEqual(1.0001);
  });
});

const small = {
  encoder: convolutional({ channels: [4], features: 8 }),
  hidden: [8],
  batch: 8,
  learningStarts: 16,
  trainEvery: 4,
};
const env = source("Catch-v0", { width: 5, height: 5 });
const weightsAfter = (algorithm: ReturnType<typeof dqn>, stop?: number) => {
  const make = () => new Run({ algorithm, env, steps: 96, seed: 1 });
  let run = make();
  while (!run.finished) {
    run.round();
    if (stop !== undefined && run.steps >= stop) {
      const saved = run.save();
      run = make();
      run.restore(saved);
      stop = undefined;
    }
  }
  return JSON.stringify(run.save());
};

describe("DQN with auxiliary training of its features", () => {
  const taught = (own: Parameters<typeof dqnParts>[3]) =>
    dqn.with("taught", { parts: (_, o, context) => dqnParts(o, context, "taught", own) })(small);
  const plain = weightsAfter(taught({}));

  test.each([
    ["contrastive", { auxiliary: contrastive(randomShift(1)) }],
    ["reconstruction", { auxiliary: reconstruction() }],
    ["self-prediction", { auxiliary: selfPrediction() }],
    ["sample weights", { weigh: (features: Tensor) => features.sum(1).add(1) }],
    ["views", { views: { each: [randomShift(1), cutout(1)], join: ([a]: readonly Tree[]) => a } }],
  ] as const)("%s changes training, and resumes exactly", (_, own) => {
    const learned = weightsAfter(taught(own));
    expect(learned).not.toBe(plain);
    expect(weightsAfter(taught(own), 48)).toBe(learned);
  });

  it("rejects bodies without trainable weights", () => {
    const flat = dqn.with("flat", {
      parts: (_, o, context) => dqnParts(o, context, "flat", { auxiliary: reconstruction() }),
    })();
    expect(() => new Run({ algorithm: flat, env: source("CartPole-v1"), steps: 32, seed: 0 })).toThrow(
      /has no trainable weights/,
    );
  });
});

test.each([
  ["dqn", () => dqn({ ...small, augment: randomShift(1) })],
  ["sac", () => sac({ ...small, trainEvery: 8, augment: randomShift(1) })],
] as const)("%s with augment trains differently than without", (name, algorithm) => {
  const without = name === "dqn" ? dqn(small) : sac({ ...small, trainEvery: 8 });
  expect(weightsAfter(algorithm())).not.toBe(weightsAfter(without));
});
