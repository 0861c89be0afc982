import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Columns, Metrics, TrainState, UpdateResult } from "@reins/core";
import { copyTree, vectorise } from "@reins/core/forms";
import { StepRollout } from "@reins/core/loops";
import { whenReady } from "@reins/core/plans";
import { stream } from "@reins/core/random";
import { fillTree } from "@reins/nn";
import { random, scalar, setBackend, type Tensor } from "@reins/tensor";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";
import {
  type Delivery,
  fromBytes,
  learner,
  type Order,
  policy,
  signs,
  toBytes,
  update,
} from "./testing-signs.ts";

setBackend("wasm");

type Update = (
  learned: TrainState,
  batch: Columns,
  key: Tensor,
  count: Tensor,
) => UpdateResult<TrainState> | Promise<UpdateResult<TrainState>>;

let child: ChildProcess;
/** Rejected when the other process ends, so that no answer is awaited forever. */
let gone: Promise<never>;
beforeAll(() => {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const root = at("../../../..");
  const args = ["--config", "vitest.config.ts", at("testing-signs-child.ts")];
  child = fork(`${root}node_modules/vite-node/vite-node.mjs`, args, {
    cwd: root,
    execArgv: [],
    serialization: "advanced",
  });
  gone = once(child, "exit").then(([code]) => Promise.reject(new Error(`the learner exited with ${code}.`)));
  gone.catch(() => {});
});
afterAll(() => void child.kill());

/** An update in the other process, exchanged as bytes. */
const elsewhere: Update = async (learned, batch, key, count) => {
  const order: Order = { state: toBytes(learned), batch: toBytes(batch), chance: toBytes({ key, count }) };
  child.send(order);
  const [{ state, metrics }] = (await Promise.race([once(child, "message"), gone])) as [Delivery];
  return {
    state: fillTree(learned, fromBytes(state)),
    metrics: Object.fromEntries(fromBytes(metrics)),
  };
};

/** Acts in this process; `update` computes the updates. */
const learning = (update: Update) => () =>
  runOf(({ key, seed, statistics }) => {
    const [initKey, actKey, learnKey] = random.splitKey(key, 3);
    const state = learner.init(initKey);
    const weights = learner.acting(state);
    const count = scalar(0, "i32");
    const rollout = new StepRollout({
      env: vectorise(signs, 16),
      policy,
      weights,
      steps: 8,
      key: actKey,
      seed: stream(seed, "environments"),
    });
    return {
      get steps() {
        return rollout.steps;
      },
      step() {
        rollout.next();
        const { observation, action, logProb, reward } = rollout.columns;
        return whenReady(
          update(state, { observation, action, logProb, reward }, learnKey, count),
          (improved) => {
            copyTree(state, improved.state);
            count.data[0]++;
            const metrics: Metrics = {};
            for (const [name, t] of Object.entries(improved.metrics)) metrics[name] = t.data[0];
            rollout.meter.report(metrics, statistics);
            return metrics;
          },
        );
      },
      parts: { state, rollout, count },
      acting: { policy, weights },
    };
  });

it("a learner in another process: acting here and training there give the same bits", async () => {
  const there = await expectResumes(learning(elsewhere));
  const here = learning(update)();
  for (let i = 0; i < 4; i++) here.round();
  expect(there.save()).toEqual(here.save());

  const round = there.round();
  expect(round).toBeInstanceOf(Promise);
  await round;
  for (let i = 0; i < 40; i++) await there.round();
  expect(there.metrics["return/mean"]).toBeGreaterThan(0.9);
});
