import {
  actorCritic,
  box,
  discrete,
  type Env,
  type Improved,
  type Learned,
  type Learner,
  losses,
  policyLearner,
} from "@reins/core";
import { adam, fillTree, flattenNames, readSafetensors, unflattenNames, writeSafetensors } from "@reins/nn";
import { compile, mean, random, reshape, sub, type Tensor, type Tree, treeMap } from "@reins/tensor";

/** Sort numbers by their sign: one step an episode. */
export function sorting(): Env {
  let x = 0;
  let turn = 0;
  const draw = () => (x = Math.sin(++turn));
  return {
    spec: { id: "Signs-v0", observation: box([1], -1, 1), action: discrete(2) },
    reset: () => ({ observation: [draw()] }),
    step: (a) => ({ observation: [x], reward: Number(a === Number(x > 0)), terminated: true, truncated: false }),
    save: () => [x, turn],
    restore: (s) => {
      [x, turn] = s as [number, number];
    },
  };
}

export const policy = actorCritic(sorting().spec, { hidden: [16], critic: false });

const inner = policyLearner(policy, {
  loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
  optimiser: adam(),
  learningRate: 0.03,
  epochs: 2,
  minibatches: 2,
  normalise: "batch",
});
/** Learns from a grid of steps: what each earned beyond the mean. */
export const learner: Learner<Learned> = {
  ...inner,
  reads: ["observation", "action", "logProb", "reward"],
  update(learned, { observation, action, logProb, reward }, chance) {
    const flat = treeMap((t) => reshape(t, [t.shape[0] * t.shape[1], ...t.shape.slice(2)]), {
      observation,
      action,
      logProb,
      advantage: sub(reward as Tensor, mean(reward as Tensor)),
    });
    return inner.update(learned, flat, chance);
  },
};

/** What an update is made from, as it crosses between processes. */
export type Order = { readonly state: Tree; readonly batch: Tree; readonly key: Tensor; readonly count: Tensor };

const update = compile((learned: Learned, batch: { readonly [name: string]: Tree }, key: Tensor, n: Tensor) =>
  learner.update(learned, batch, { key: random.foldKey(key, n) }),
);

/** One update, wherever this is called. */
export function updated(state: Learned, batch: { readonly [name: string]: Tree }, key: Tensor, n: Tensor): Improved<Learned> {
  return update(state, batch, key, n);
}
