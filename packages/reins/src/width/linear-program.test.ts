import { box, type Env } from "@reins/core";
import { vectorise } from "@reins/core/forms";
import { onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic, withActionTransform } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import { leaves, type Tensor, tensor } from "@reins/tensor";
import loadHighs from "highs";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

type Solver = { solve(program: string): { Columns: Record<string, { Primal: number }> } };

/** Three machines share 1.5 units of power. Machine i turns a unit into i + 1 parts. */
const plant = (): Env => ({
  spec: { id: "Plant-v0", observation: box([1]), action: box([3], 0, 1), maxSteps: 4 },
  reset: () => ({ observation: [1] }),
  step: (given) => {
    const power = Array.from(given as ArrayLike<number>);
    expect(power.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(1.5 + 1e-4);
    return {
      observation: [1],
      reward: power.reduce((sum, p, i) => sum + p * (i + 1), 0),
      terminated: false,
      truncated: false,
    };
  },
  save: () => null,
  restore() {},
});

it("a linear program between policy and environment: proposals are projected onto the budget", async () => {
  // Its types describe the CommonJS build.
  const load: unknown = loadHighs;
  const highs: Solver = typeof load === "function" ? await load() : expect.unreachable();
  /** The allocation within the budget that is nearest to the proposal (sum of absolute differences). */
  const allot = (asked: readonly number[]): number[] => {
    const program = `Minimize obj: d1 + d2 + d3
Subject To
 budget: x1 + x2 + x3 <= 1.5
${asked.flatMap((a, i) => [` u${i}: x${i + 1} - d${i + 1} <= ${a.toFixed(6)}`, ` l${i}: x${i + 1} + d${i + 1} >= ${a.toFixed(6)}`]).join("\n")}
Bounds
 0 <= x1 <= 1
 0 <= x2 <= 1
 0 <= x3 <= 1
End`;
    const { Columns: c } = highs.solve(program);
    return [c.x1.Primal, c.x2.Primal, c.x3.Primal];
  };
  const run = await expectResumes(() =>
    runOf((context) =>
      onPolicy(
        {
          name: "allocation",
          policy: withActionTransform(
            actorCritic(plant().spec, { hidden: [8] }),
            (asked) => tensor(((asked as Tensor).toArray() as number[][]).map(allot)),
            { host: true },
          ),
          target: targets.gae({ gamma: 0, lambda: 0 }),
          loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
          optimiser: adam(),
          learningRate: 0.01,
          envs: 4,
          steps: 8,
          epochs: 2,
          minibatches: 1,
          normalise: "batch",
        },
        { ...context, env: (rows) => vectorise(plant, rows) },
      ),
    ),
  );
  const { trace, action } = run.process.inspect?.().columns ?? {};
  // The proposal comes first in the trace.
  const [proposed, executed] = [leaves(trace)[0], leaves(action)[0]];
  expect(Array.from(proposed.data)).not.toEqual(Array.from(executed.data));
  expect(run.metrics["return/mean"]).toBeGreaterThan(0);
});
