import {
  box,
  type Columns,
  discrete,
  type Env,
  type Learner,
  type TrainState,
  type UpdateResult,
} from "@reins/core";
import { policyLearner } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import { adam, fillTree, flattenNames, readSafetensors, writeSafetensors } from "@reins/nn";
import { compile, mean, random, reshape, scalar, sub, type Tensor, type Tree, treeMap } from "@reins/tensor";

/** Classifies numbers by sign: one step per episode. */
export function signs(): Env {
  let turn = 0;
  const x = () => Math.sin(turn);
  return {
    spec: { id: "Signs-v0", observation: box([1], -1, 1), action: discrete(2) },
    reset({ seed } = {}) {
      turn = (seed === undefined ? turn : seed % 1000) + 1;
      return { observation: [x()] };
    },
    step: (a) => ({
      observation: [x()],
      reward: Number(a === Number(x() > 0)),
      terminated: true,
      truncated: false,
    }),
    save: () => turn,
    restore: (s) => {
      turn = Number(s);
    },
  };
}

export const policy = actorCritic(signs().spec, { hidden: [16], critic: false });

const inner = policyLearner(policy, {
  loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
  optimiser: adam(),
  learningRate: 0.03,
  epochs: 2,
  minibatches: 2,
  normalise: "batch",
});
/** Policy gradient on a grid of steps, with the mean reward as baseline. */
export const learner: Learner<TrainState> = {
  ...inner,
  reads: ["observation", "action", "logProb", "reward"],
  update(learned, { observation, action, logProb, reward }, chance) {
    const advantage = sub(reward as Tensor, mean(reward as Tensor));
    const flat = (t: Tensor) => reshape(t, [t.shape[0] * t.shape[1], ...t.shape.slice(2)]);
    return inner.update(learned, treeMap(flat, { observation, action, logProb, advantage }), chance);
  },
};

/** One update, in whichever process: the same function of the same bits. */
export const update: (
  learned: TrainState,
  batch: Columns,
  key: Tensor,
  count: Tensor,
) => UpdateResult<TrainState> = compile((learned: TrainState, batch: Columns, key: Tensor, count: Tensor) =>
  learner.update(learned, batch, { key: random.foldKey(key, count) }),
);

/** Tensors by name, for another process. */
export const toBytes = (tree: Tree) => writeSafetensors(flattenNames(tree));
export const fromBytes = (bytes: Uint8Array) => readSafetensors(bytes).tensors;

/** A request for an update, and its result. */
export type Order = { readonly state: Uint8Array; readonly batch: Uint8Array; readonly chance: Uint8Array };
export type Delivery = { readonly state: Uint8Array; readonly metrics: Uint8Array };

/** Handles a request. */
export function serve({ state, batch, chance }: Order): Delivery {
  const { key, count } = fillTree({ key: random.key(0), count: scalar(0, "i32") }, fromBytes(chance));
  const learned = fillTree(learner.init(random.key(0)), fromBytes(state));
  const improved = update(learned, Object.fromEntries(fromBytes(batch)), key, count);
  return { state: toBytes(improved.state), metrics: toBytes(improved.metrics) };
}
