import { Run } from "@reins/core";
import { offPolicy } from "@reins/core/loops";
import * as nn from "@reins/nn";
import { setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { dqn, dqnParts } from "../dqn.ts";
import { corridor, fingerprint, score } from "../testing-envs.ts";
import { type DistillationState, prunedEnsemble } from "./distillation.ts";

setBackend("wasm");

/** DQN with pruning in the corridor. */
const algorithm = dqn.with("eaudeqn", {
  options: { tau: 0, hidden: [16], batch: 32, learningStarts: 64, trainEvery: 1, targetEvery: 20 },
  parts: (_, o, context) => dqnParts(o, context, "eaudeqn", { optimiser: nn.keepZeros }),
  begin: (parts, context, o) =>
    offPolicy(
      { ...parts, learner: prunedEnsemble(parts.learner, { members: 3, every: o.targetEvery, stride: 0.1 }) },
      context,
    ),
});
const options = {
  algorithm: algorithm({ learningRate: 5e-3, gamma: 0.9, capacity: 500, epsilon: 0.3 }),
  env: corridor(),
  steps: 3000,
  seed: 1,
};
const membersOf = (run: Run) => (run.process.parts.state as DistillationState).members;
const sparsityOf = (run: Run) => membersOf(run).map((m) => nn.sparsity(m.online.weights).item());

it("becomes sparse during training, and resumes exactly", () => {
  const run = new Run(options);
  expect(sparsityOf(run)).toEqual([0, 0, 0]);
  run.advance(1536);
  const copy = run.fork();
  for (const one of [run, copy]) one.advance();
  const [kept, ...sparser] = sparsityOf(run);
  expect(kept).toBeGreaterThan(0.05);
  for (const share of sparser) expect(share).toBeGreaterThanOrEqual(kept);
  expect(score(run)).toBeCloseTo(1, 9);
  expect(fingerprint(copy)).toEqual(fingerprint(run));
});

it("all networks learn from one target network", () => {
  const run = new Run(options);
  run.advance(1000);
  const [first, ...others] = membersOf(run).map((m) => String(nn.globalNorm(m.target).item()));
  for (const other of others) expect(other).toBe(first);
});
