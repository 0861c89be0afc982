import { compile, random, scalar, type Tensor, type Tree } from "@reins/tensor";
import type { Context, Metrics, Process } from "../algorithm.ts";
import type { Experience } from "../experience.ts";
import { copyTree } from "../forms/copy.ts";
import type { Learner } from "../learner.ts";
import type { Policy } from "../policy.ts";
import type { Columns } from "../target.ts";

/** The parts of a method that learns from recorded experience alone. */
export interface OfflineParts<S extends Tree> {
  readonly name: string;
  readonly learner: Learner<S>;
  readonly data: Experience;
  /** Entries of a minibatch. */
  readonly batch: number;
  /** Minibatches of a round. */
  readonly updates: number;
  /** What acts with the learned weights. */
  readonly policy?: Policy;
}

/** Sample, learn, repeat: a dataset where others have a rollout. Its steps are the entries it has learned from. */
export function offline<S extends Tree>(parts: OfflineParts<S>, context: Context): Omit<Process, "settings"> {
  const { name, learner, data, batch, updates, policy } = parts;
  const [initKey, sampleKey, learnKey] = random.splitKey(context.key, 3);
  const state = learner.init(initKey);
  const count = scalar(0, "i32");
  const draw = () => data.sample(batch, random.foldKey(sampleKey, count)).columns as Columns;
  const columns = draw();
  const update = compile(
    (s: S, c: Columns, key: Tensor, n: Tensor) => learner.update(s, c, { key: random.foldKey(key, n) }),
    { name: `${name} update`, donate: [0] },
  ).bind(state, columns as never, learnKey, count);
  const { metrics: measured } = update.result;
  const metrics: Metrics = {};
  return {
    get steps() {
      return count.data[0] * batch;
    },
    step() {
      for (let u = 0; u < updates; u++) {
        copyTree(columns as Tree, draw() as Tree);
        update.run();
        count.data[0]++;
      }
      for (const [n, t] of Object.entries(measured)) {
        metrics[n] = t.data[0];
        context.statistics.record(n, metrics[n]);
      }
      return metrics;
    },
    parts: { state, count },
    acting: policy && { policy, weights: learner.acting(state) },
  };
}
