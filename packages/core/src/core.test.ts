import { type Tensor, type Tree, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { pack } from "./batch.ts";
import { define } from "./define.ts";
import { History } from "./diagnostics/history.ts";
import { pathOf } from "./episode.ts";
import { closestNames, didYouMean } from "./errors.ts";
import { estimate } from "./evaluations/estimate.ts";
import { Writer } from "./loop/grid.ts";
import { EpisodeMeter } from "./loop/meter.ts";
import { EpisodeRecorder } from "./loop/recorder.ts";
import { setting, size } from "./option.ts";
import { admit, inline, whenReady } from "./plan.ts";
import { type Policy, withActionTransform } from "./policy.ts";
import { filledRows, restoreRows } from "./replay/filled-rows.ts";
import { RowCopy } from "./replay/rows.ts";
import { Run } from "./run.ts";
import { restore, save } from "./snapshot.ts";
import { discrete } from "./space.ts";
import { Statistics } from "./statistics.ts";

describe("columns within trees", () => {
  const [from, to] = [() => ({ a: tensor([1]), b: tensor([2]) }), () => ({ b: zeros([1]), a: zeros([1]) })];
  const read = ({ a, b }: { a: Tensor; b: Tensor }) => [a.item(), b.item()];
  it("are copied to those of the same name", () => {
    const [moment, rows, saved] = [to(), to(), to()];
    new Writer(from(), moment).write(0);
    new RowCopy(from(), rows).copy(0, 0);
    restoreRows(saved, filledRows(from(), 1));
    expect([moment, rows, saved].map(read)).toEqual(Array(3).fill([1, 2]));
    expect(() => new RowCopy(from(), { a: zeros([1]) })).toThrow(
      "the destination of a row copy has another structure",
    );
  });
});

const spec = { id: "Nothing-v0", observation: discrete(1), action: discrete(2) };
const episode = (rewards: readonly number[], group?: string) => {
  const recorder = new EpisodeRecorder();
  for (const reward of rewards) recorder.add({ reward, action: tensor(Int32Array.of(0)) });
  return recorder.finish({ terminated: true, truncated: false, group });
};

describe("names", () => {
  it("finds the nearest ones and nothing far away", () => {
    expect(closestNames("CartPole-v2", ["CartPole-v0", "CartPole-v1", "Taxi-v4"])).toEqual([
      "CartPole-v0",
      "CartPole-v1",
    ]);
    expect(didYouMean("pop", ["ppo", "dqn"])).toBe(" Did you mean ppo?");
    expect(didYouMean("MaskablePPO", ["ppo", "dqn"])).toBe(" Did you mean ppo?");
    expect(didYouMean("zzzzzz", ["ppo", "dqn"])).toBe("");
  });
});

describe("snapshots", () => {
  const make = () => ({
    t: zeros([2, 2]),
    list: [new Float64Array(2), { n: 1, name: "a" }],
    own: {
      save: () => 5,
      restore(this: { got?: unknown }, s: unknown) {
        this.got = s;
      },
    },
    none: undefined,
  });
  it("restore in place what they saved", () => {
    const a = make();
    a.t.set([1, 2, 3, 4]);
    (a.list[0] as Float64Array)[1] = 0.1;
    (a.list[1] as { n: number }).n = 9;
    const b = make();
    const { t } = b;
    restore(b, save(a));
    expect(b.t).toBe(t);
    expect(Array.from(b.t.data)).toEqual([1, 2, 3, 4]);
    expect(b.list).toEqual([Float64Array.of(0, 0.1), { n: 9, name: "a" }]);
    expect((b.own as { got?: unknown }).got).toBe(5);
  });
  it("are copies", () => {
    const a = { t: zeros([1]) };
    const saved = save(a) as { t: Tensor };
    a.t.set(3);
    expect(saved.t.item()).toBe(0);
  });
  it("name what does not fit", () => {
    expect(() => restore({ w: zeros([4, 2]) }, save({ w: zeros([8, 2]) }))).toThrow(
      "state.w has shape [4,2] here; in the checkpoint it has shape [8,2]",
    );
    expect(() => restore({ w: zeros([4]) }, {})).toThrow("the checkpoint has no state.w");
    expect(() => save({ f: () => 1 })).toThrow("state.f is a function, which cannot be saved");
  });
});

describe("statistics and history", () => {
  it("keep a few numbers per name and task", () => {
    const s = new Statistics();
    for (const x of [1, 2, 6]) s.record("r", x);
    s.record("solved", 1, "a");
    expect(s.get("r")).toSatisfy((m) => m.last === 6 && m.count === 3 && m.mean === 3);
    expect([...s.byTask("solved").keys()]).toEqual(["a"]);
    const copy = new Statistics();
    copy.restore(structuredClone(s.save()));
    expect(copy.get("r")).toEqual(s.get("r"));
    expect(copy.last("nothing", 7)).toBe(7);
  });
  it("keep the order of names, also if some were read before restoring", () => {
    const s = new Statistics();
    for (const name of ["loss/a", "b", "loss/c"]) s.record(name, 1);
    const copy = new Statistics();
    const held = copy.of("loss/c");
    copy.record("new", 1);
    copy.restore(structuredClone(s.save()));
    expect(copy.names()).toEqual(["loss/a", "b", "loss/c", "new"]);
    expect(copy.get("new")).toBeUndefined();
    held.note(Number.NaN);
    expect(copy.broken()).toBe("loss/c");
  });
  it("span the whole run in fixed memory", () => {
    const h = new History(8);
    for (let i = 0; i < 100; i++) h.note({ x: i });
    const values = h.of("x");
    expect(values.length).toBeLessThanOrEqual(8);
    expect(values[0]).toBe(0);
    expect(values.at(-1)).toBeGreaterThan(80);
    expect(values).toEqual([...values].sort((a, b) => a - b));
  });
  it("Meter averages the last episodes", () => {
    const m = new EpisodeMeter(3);
    for (const r of [100, 1, 2, 3]) m.add(r, 10 * r, 2);
    expect([m.mean, m.length, m.std, m.episodes]).toEqual([2, 20, 1, 4]);
    expect(m.recent().every((e) => e.truncated)).toBe(true);
  });
});

describe("episodes", () => {
  it("pack end to end, in groups", () => {
    const { columns, index } = pack([episode([1, 2], "a"), episode([3], "b"), episode([4], "a")]);
    expect(Array.from((columns.reward as Tensor).data)).toEqual([1, 2, 3, 4]);
    expect(index).toEqual({ kind: "episodes", starts: [0, 2, 3, 4], groups: [0, 1, 0] });
  });
  it("pack by the names within a column", () => {
    const recorded = (observation: Tree) => {
      const recorder = new EpisodeRecorder();
      recorder.add({ observation });
      return recorder.finish({ terminated: true, truncated: false });
    };
    const [one, two] = [tensor([1]), tensor([2])];
    const { columns } = pack([recorded({ a: one, b: two }), recorded({ b: two, a: one })]);
    const { a, b } = columns.observation as { a: Tensor; b: Tensor };
    expect([a.toArray(), b.toArray()]).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(() => pack([recorded({ a: one }), recorded({ b: one })])).toThrow("is an object {b}");
  });
  it("pack in any number, also more than a call can have arguments", () => {
    const { columns, index } = pack(Array(200_000).fill(episode([1], "a")));
    expect((columns.reward as Tensor).shape).toEqual([200_000]);
    expect(index).toMatchObject({ kind: "episodes", groups: { length: 200_000 } });
  });
  it("refuse to lose a trace that only some have", () => {
    const plain = episode([1, 2]);
    const traced = { ...plain, columns: { ...plain.columns, trace: tensor([1, 1]) } };
    expect(Object.keys(pack([traced, traced]).columns)).toContain("trace");
    expect(() => pack([traced, plain])).toThrow("1 of 2 episodes have a column `trace`");
  });
  it("paths of a tree share their prefix", () => {
    const r = new EpisodeRecorder();
    r.open();
    for (const reward of [0, 0]) r.add({ reward });
    r.open({ parent: { segment: 0, step: 0 } });
    r.add({ reward: 5 });
    const e = r.finish({ terminated: true, truncated: false });
    expect(pathOf(e, 1)).toEqual([0, 2]);
    expect(e.return).toEqual([5]);
  });
});

describe("plans", () => {
  it("inline gives fresh batches at once", () => {
    let n = 0;
    const stream = inline.place("x", { next: () => ++n }, { likelihood: "none", corrects: false });
    expect([stream.next(), stream.next(), stream.staleness]).toEqual([1, 2, 0]);
    expect(whenReady(2, (x) => x + 1)).toBe(3);
  });
  it("with stale batches are accepted only if the loss corrects for them", () => {
    const late = { ...inline, name: "late", maxStaleness: 2 };
    expect(() => admit(late, "ppo", { likelihood: "exact", corrects: true })).not.toThrow();
    expect(() => admit(late, "a2c", { likelihood: "exact", corrects: false })).toThrow(
      "the loss does not correct for that",
    );
    expect(() => admit(late, "x", { likelihood: "none", corrects: true })).toThrow(
      "needs a policy with exact likelihoods",
    );
    expect(() => admit(inline, "x", { likelihood: "none", corrects: false })).not.toThrow();
  });
});

it("through() executes a function of the proposed action, and scores the proposal", () => {
  const policy: Policy = {
    likelihood: "exact",
    init: () => ({}),
    act: (_w, _v, state) => ({ action: tensor([5]), state }),
    score: (_w, { action }) => ({ logProb: action as Tensor, entropy: zeros([1]) }),
  };
  const safe = withActionTransform(policy, (a) => (a as Tensor).mul(0.1));
  const acted = safe.act({}, { observation: zeros([1]) }, {});
  expect((acted.action as Tensor).item()).toBeCloseTo(0.5);
  expect(safe.score({}, { view: { observation: zeros([1]) }, ...acted }).logProb.item()).toBe(5);
});

it("estimates have the t interval", () => {
  const e = estimate([1, 2, 3, 4]);
  expect([e.mean, e.count]).toEqual([2.5, 4]);
  expect(e.std).toBeCloseTo(1.29099);
  expect(e.interval[1] - e.mean).toBeCloseTo(3.182 * (1.29099 / 2), 3);
});

describe("algorithms and runs", () => {
  const counter = define({
    name: "counter",
    summary: "Counts.",
    options: { rate: setting(1, "How fast."), width: size(2, "How wide.") },
    actions: ["discrete"],
    start({ rate, width }) {
      const state = { steps: 0, sum: 0 };
      return {
        get steps() {
          return state.steps;
        },
        step() {
          state.steps += width;
          state.sum += rate.value;
          return { sum: state.sum };
        },
        parts: { state },
      };
    },
  });
  const source = {
    spec,
    make: () => {
      throw new Error("no environment");
    },
  };
  const run = (options = {}, steps = 100) => new Run({ algorithm: counter(options), env: source, steps });

  it("check their options", () => {
    expect(() => counter({ raet: 1 } as never)).toThrow(
      "counter: there is no option raet. Did you mean rate?",
    );
    expect(() => counter({ rate: "fast" } as never)).toThrow(
      "must be a number or a signal such as linear(1e-3, 0)",
    );
    const boxed = {
      ...source,
      spec: { ...spec, action: { kind: "box", shape: [1], low: 0, high: 1 } as const },
    };
    expect(() => new Run({ algorithm: counter(), env: boxed, steps: 1 })).toThrow(
      "has box actions; counter needs discrete actions",
    );
    expect(() => run({}, 0)).toThrow("steps is 0; it must be a number above 0");
    expect(() => new Run({ algorithm: counter(), env: source, steps: 1, seed: -1 })).toThrow(
      "whole number from 0",
    );
  });
  it("advance, fork, set and resume exactly", () => {
    const schedule = { signal: "linear", from: 1, to: 0 } as const;
    const a = run({ rate: schedule });
    a.advance(40);
    const saved = a.save();
    const b = a.fork();
    b.set("rate", 10);
    b.advance(44);
    a.advance(100);
    const c = run({ rate: schedule });
    c.restore(saved);
    c.advance(100);
    expect(c.metrics).toEqual(a.metrics);
    expect(b.metrics.sum).toBeGreaterThan(30);
    expect(a.finished).toBe(true);
    expect(() => a.set("wdith", 1)).toThrow("counter has no setting wdith");
    expect(() => a.set("toString", 1)).toThrow("counter has no setting toString");
  });
  it("yield to the event loop", async () => {
    const a = run();
    let rounds = 0;
    await a.advanceAsync(100, () => ++rounds < 5);
    expect(a.steps).toBe(10);
  });
});
