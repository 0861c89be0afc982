import { box, discrete } from "@reins/core";
import { type ActorCriticWeights, actorCritic } from "@reins/core/policies";
import {
  compile,
  concat,
  grad,
  leaves,
  matmul,
  mean,
  random,
  reshape,
  setBackend,
  slice,
  sum,
  type Tensor,
  type Tree,
  tensor,
  unflattenTree,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { conjugateGradient } from "./conjugate-gradient.ts";
import { fisherProduct } from "./fisher.ts";

setBackend("wasm");

const flat = (tree: Tree): number[] => leaves(tree).flatMap((t) => [...t.data]);
/** A tree like another, from a flat list of numbers. */
function like<T extends Tree>(tree: T, numbers: readonly number[]): T {
  let at = 0;
  const parts = leaves(tree).map((t) => {
    at += t.size;
    return tensor(numbers.slice(at - t.size, at), { shape: t.shape });
  });
  return unflattenTree(tree, parts);
}

it("conjugate gradients solve as many equations as steps", () => {
  const rows = [
    [4, 1, 0],
    [1, 3, -1],
    [0, -1, 2],
  ];
  type Pair = { first: Tensor; rest: Tensor };
  const product = ({ first, rest }: Pair): Pair => {
    const y = reshape(matmul(tensor(rows), reshape(concat([first, rest]), [3, 1])), [3]);
    return { first: slice(y, [[0, 1]]), rest: slice(y, [[1, 3]]) };
  };
  const solve = (steps: number) =>
    flat(
      compile((b: Pair) => conjugateGradient(product, b, steps))({
        first: tensor([1]),
        rest: tensor([2, -3]),
      }),
    );
  const x = solve(3);
  [1, 2, -3].forEach((want, i) => {
    expect(rows[i].reduce((total, a, k) => total + a * x[k], 0)).toBeCloseTo(want, 4);
  });
  // Steps beyond the solution change nothing.
  solve(8).forEach((v, i) => void expect(v).toBeCloseTo(x[i], 5));
});

const observation = random.normal(random.key(1), [3, 2]);
const states = [0, 1, 2];
const at = (state: number) => slice(observation, [[state, state + 1]]);
const outer = (g: readonly number[], weight: number, into: number[][]) => {
  for (let i = 0; i < g.length; i++) for (let j = 0; j < g.length; j++) into[i][j] += weight * g[i] * g[j];
};

/** Expects Fisher products to equal those of an explicit matrix. */
function expectFisher(
  policy: ReturnType<typeof actorCritic>,
  full: (w: ActorCriticWeights, matrix: number[][]) => void,
  action: Tree,
) {
  const weights = policy.init(random.key(2));
  const numbers = flat(weights);
  const matrix = numbers.map(() => numbers.map(() => 0));
  full(weights, matrix);
  const v = numbers.map((_, i) => ((i * 7) % 5) - 2);
  const moment = { view: { observation }, action, trace: action };
  const damping = 0.1;
  const product = compile((w: typeof weights, x: typeof weights) =>
    fisherProduct((other: typeof weights) => mean(policy.divergence!(w, other, moment)), w, damping)(x),
  )(weights, like(weights, v));
  flat(product).forEach((got, i) => {
    const want = matrix[i].reduce((total, f, j) => total + f * v[j], damping * v[i]);
    expect(got).toBeCloseTo(want, 4);
  });
}

const options = { hidden: [3], critic: false };

it("Fisher products of a categorical policy are those of the mean of ∇log π ∇log πᵀ over all choices", () => {
  const policy = actorCritic({ id: "Tiny-v0", observation: box([2]), action: discrete(3) }, options);
  const logProb = grad((w: ActorCriticWeights, seen: Tensor, action: Tensor) =>
    sum(policy.score(w, { view: { observation: seen }, action }).logProb),
  );
  expectFisher(
    policy,
    (w, matrix) => {
      for (const state of states)
        for (const choice of [0, 1, 2]) {
          const action = tensor(Int32Array.of(choice));
          const { logProb: known } = policy.score(w, { view: { observation: at(state) }, action });
          const slope = flat(logProb(w, at(state), action));
          outer(slope, Math.exp(known.item()) / states.length, matrix);
        }
    },
    tensor(Int32Array.of(0, 1, 2)),
  );
});

it("Fisher products of a Gaussian policy are those of its mean and standard deviation", () => {
  const policy = actorCritic(
    { id: "Tiny-v0", observation: box([2]), action: box([1], -1, 1) },
    { ...options, logStd: -0.5 },
  );
  const middle = grad((w: ActorCriticWeights, seen: Tensor) =>
    sum(policy.act(w, { observation: seen }, {}).trace as Tensor),
  );
  expectFisher(
    policy,
    (w, matrix) => {
      const spread = leaves(w.head)[0].item();
      for (const state of states)
        outer(flat(middle(w, at(state))), Math.exp(-2 * spread) / states.length, matrix);
      // The log standard deviation is the last weight, and its information is 2.
      matrix[matrix.length - 1][matrix.length - 1] += 2;
    },
    random.normal(random.key(4), [3, 1]),
  );
});
