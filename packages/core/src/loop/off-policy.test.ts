import { add, mean, scalar, type Tensor, type Tree, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { AlgorithmContext } from "../algorithm.ts";
import { define } from "../define.ts";
import { encode } from "../directory/tree.ts";
import type { Env } from "../env.ts";
import { vectorise } from "../forms/vectorise.ts";
import type { ExecutionPlan } from "../plan.ts";
import type { ActingPolicy } from "../policy.ts";
import { prioritisedSampler } from "../replay/priorities.ts";
import { replay } from "../replay/replay.ts";
import { Run } from "../run.ts";
import { LiveValue } from "../signals/live.ts";
import type { Snapshot } from "../snapshot.ts";
import { box, discrete } from "../space.ts";
import { type OffPolicyParts, offPolicy } from "./off-policy.ts";

/** Counts to four and is truncated; the reward is the action. */
function counter(): Env {
  let at = 0;
  return {
    spec: { id: "Counter-v0", observation: box([1]), action: discrete(3), maxSteps: 4 },
    reset: () => ({ observation: [(at = 0)] }),
    step: (action) => ({
      observation: [++at],
      reward: action as number,
      terminated: false,
      truncated: false,
    }),
    save: (): Snapshot => at,
    restore: (from) => {
      at = from as number;
    },
  };
}

const always: ActingPolicy = {
  init: () => ({}),
  act: (_, { observation }, state) => ({
    action: zeros([(observation as Tensor).shape[0]], "i32").add(2),
    state,
  }),
};

type Sum = { total: Tensor; count: Tensor };
const parts = (changes: Partial<OffPolicyParts<Sum>> = {}): OffPolicyParts<Sum> => ({
  name: "summing",
  policy: always,
  learner: {
    init: () => ({ total: scalar(0), count: scalar(0, "i32") }),
    acting: () => ({}) as Tree,
    update: ({ total, count }, { reward }) => ({
      state: { total: add(total, mean(reward as Tensor)), count: add(count, 1) },
      metrics: { "value/mean": mean(reward as Tensor) },
      errors: reward as Tensor,
    }),
  },
  replay: replay({ capacity: 100 }),
  batch: 4,
  envs: 1,
  trainEvery: 1,
  updates: 1,
  learningStarts: 0,
  round: 20,
  ...changes,
});

function run(changes: Partial<OffPolicyParts<Sum>> = {}, plan?: ExecutionPlan): Run {
  const start = (_: unknown, context: AlgorithmContext) => offPolicy(parts(changes), context);
  const algorithm = define({ name: "summing", summary: "Adds rewards.", options: {}, start })();
  const env = { spec: counter().spec, make: (rows: number) => vectorise(counter, rows) };
  return new Run({ algorithm, env, steps: 40, ...(plan ? { plan } : {}) });
}
const stateOf = (r: Run) => {
  const { total, count } = r.process.parts.state as Sum;
  return { total: total.item(), count: count.item() };
};

const written = (r: Run) => JSON.stringify(encode(r.save(), new Map()));

describe("offPolicy", () => {
  it("learns after every step from the replay buffer", () => {
    const r = run();
    r.advance(20);
    expect(r.rounds).toBe(1);
    expect(stateOf(r)).toEqual({ total: 40, count: 20 });
    expect(r.metrics).toMatchObject({
      "value/mean": 2,
      "replay/size": 20,
      updates: 20,
      "return/mean": 8,
      episodes: 5,
    });
  });

  it("keeps the ratio of updates to steps: several at once, fractions, and rows", () => {
    const made = (changes: Partial<OffPolicyParts<Sum>>) => {
      const r = run(changes);
      r.advance(40);
      expect(stateOf(r).count).toBe(r.metrics.updates);
      return r.metrics.updates;
    };
    const several = { choose: prioritisedSampler() };
    expect(made({ updates: 3 })).toBe(120);
    expect(made({ updates: 3, replay: replay({ capacity: 100, ...several }) })).toBe(120);
    expect(made({ updates: new LiveValue("updates", 0.25) })).toBe(10);
    expect(made({ trainEvery: 5, updates: 2 })).toBe(16);
    expect(made({ envs: 2, trainEvery: 2 })).toBe(10);
  });

  it("acts randomly and does not learn before learningStarts", () => {
    const r = run({ learningStarts: 20 });
    r.advance(20);
    const { action } = (r.process.parts.replay as { columns: { action: Tensor } }).columns;
    expect(new Set(action.data.slice(0, 20)).size).toBe(3);
    expect(r.metrics.updates).toBe(1);
    r.advance(40);
    expect(new Set(action.data.slice(20, 40))).toEqual(new Set([2]));
    expect(r.metrics.updates).toBe(21);
  });

  it("keeps the order of metrics after a resume, and those that are not measured in every round", () => {
    // Learns from the second round on, and then in every other one.
    const make = () => run({ learningStarts: 6, round: 4, updates: new LiveValue("updates", 0.125) });
    const whole = make();
    const rows = [4, 8, 12, 16, 20].map((steps) => {
      whole.advance(steps);
      return { row: JSON.stringify(whole.metrics), saved: whole.save() };
    });
    expect(rows[0].row).not.toContain("value/mean");
    expect(rows[4].row).toContain("value/mean");
    for (const [i, { saved }] of rows.slice(0, -1).entries()) {
      const again = make();
      again.restore(saved);
      for (const { row } of rows.slice(i + 1)) {
        again.round();
        expect(JSON.stringify(again.metrics)).toBe(row);
      }
      // Checkpoints have their names in the same order too.
      expect(written(again)).toBe(written(whole));
    }
  });

  it("gives the same numbers with remote steps", async () => {
    const elsewhere: ExecutionPlan = {
      name: "elsewhere",
      maxStaleness: 1,
      place: (_name, source) => ({ next: () => Promise.resolve(source.next()), publish() {}, staleness: 0 }),
    };
    const [here, there] = [run({ learningStarts: 8 }), run({ learningStarts: 8 }, elsewhere)];
    here.advance(40);
    await there.advanceAsync(40);
    expect(stateOf(there)).toEqual(stateOf(here));
    expect(there.metrics).toEqual(here.metrics);
  });

  it("rejects invalid sizes", () => {
    expect(() => run({ batch: 0 })).toThrow("summing: batch is 0");
    expect(() => run({ envs: 1.5 })).toThrow("envs is 1.5");
  });
});
