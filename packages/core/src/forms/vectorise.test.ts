import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { VectorEnv } from "../env.ts";
import { box, dict, discrete, list, multiBinary, type Value } from "../space.ts";
import { stream } from "../stream.ts";
import { i32, patched, Walk } from "./testing.ts";
import { vectorise } from "./vectorise.ts";

/** Actions that depend on step and row only. */
const actions = (t: number, rows: number) =>
  i32(...Array.from({ length: rows }, (_, i) => (t * 7 + i * 3) % 3));

/** All columns of a vector after each of `steps` steps. */
function record(vector: VectorEnv, steps: number, from = 0): string[] {
  return Array.from({ length: steps }, (_, t) => {
    vector.step(actions(from + t, vector.rows));
    const { observation, reward, terminated, truncated, ended } = vector;
    const shown = [observation as Tensor, reward, terminated, truncated].map((c) => [...c.data]);
    return JSON.stringify([shown, [...ended.return], [...ended.length]]);
  });
}

describe("vectorise", () => {
  it.each([0, -1, Number.NaN, "5"])("refuses a time limit of %s", (maxSteps) => {
    const env = () => new Walk({ maxSteps: maxSteps as number });
    expect(() => vectorise(env, 2)).toThrow(
      "it must be a number of steps from 1. Leave it out for no limit.",
    );
  });

  it("steps every row as its own environment would, and restarts ended rows in the same step", () => {
    const rows = 3;
    const vector = vectorise(() => new Walk(), rows);
    const alone = Array.from({ length: rows }, () => new Walk());
    vector.reset({ seed: 5 });
    const seen = alone.map((env, i) => env.reset({ seed: i ? stream(5, "row", i) : 5 }).observation);
    const totals = alone.map(() => 0);
    expect([...(vector.observation as Tensor).data]).toEqual(seen.flatMap((o) => [...o]));
    let ends = 0;
    for (let t = 0; t < 200; t++) {
      const a = i32(2, 0, 1);
      vector.step(a);
      alone.forEach((env, row) => {
        const step = env.step(a.data[row]);
        const truncated = env.time >= 20 && !step.terminated;
        totals[row] += step.reward as number;
        const pick = (c: Tensor) => [...c.data.slice(row * 2, row * 2 + 2)];
        expect(vector.terminated.data[row] !== 0).toBe(step.terminated);
        expect(vector.truncated.data[row] !== 0).toBe(truncated);
        expect(vector.reward.data[row]).toBe(step.reward);
        if (!step.terminated && !truncated) {
          expect(pick(vector.observation as Tensor)).toEqual([...step.observation]);
          expect(vector.ended.length[row]).toBe(0);
          return;
        }
        ends++;
        expect(pick(vector.final as Tensor)).toEqual([...step.observation]);
        expect(vector.ended.return[row]).toBe(totals[row]);
        expect(vector.ended.length[row]).toBe(env.time);
        totals[row] = 0;
        expect(pick(vector.observation as Tensor)).toEqual([...env.reset().observation]);
      });
    }
    expect(ends).toBeGreaterThan(50);
  });

  it("gives each copy its own seed of a list", () => {
    const vector = vectorise(() => new Walk(), 3);
    vector.reset({ seed: [9, 7, 8] });
    const alone = [9, 7, 8].flatMap((seed) => [...new Walk().reset({ seed }).observation]);
    expect([...(vector.observation as Tensor).data]).toEqual(alone);
    expect(() => vector.reset({ seed: [1] })).toThrow("reset() got 1 seeds for 3 copies.");
  });

  it("is equal for equal seeds", () => {
    const run = (seed: number) => {
      const vector = vectorise(() => new Walk(), 2);
      vector.reset({ seed });
      return record(vector, 60);
    };
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
  });

  it("resumes exactly, in the same vector and in another", () => {
    const vector = vectorise(() => new Walk(), 2);
    vector.reset({ seed: 3, context: { start: 2 } });
    record(vector, 13);
    const saved = vector.save();
    const on = record(vector, 50, 13);
    vector.restore(saved);
    expect(record(vector, 50, 13)).toEqual(on);
    const other = vectorise(() => new Walk(), 2);
    other.restore(saved);
    expect(record(other, 50, 13)).toEqual(on);
  });

  it("keeps the context for the episodes that follow", () => {
    const vector = vectorise(() => new Walk({ maxSteps: 1 }), 1);
    vector.reset({ seed: 0, context: { start: 3 } });
    vector.step(i32(1));
    expect((vector.observation as Tensor).data[0]).toBeGreaterThan(2.4);
    vector.reset();
    expect((vector.observation as Tensor).data[0]).toBeLessThan(0.6);
  });

  it("leaves truncation to an environment that does it itself", () => {
    const vector = vectorise(() => patched({ truncated: true }), 1);
    vector.reset();
    vector.step(i32(1));
    expect([vector.truncated.data[0], vector.terminated.data[0], vector.ended.length[0]]).toEqual([1, 0, 1]);
  });

  it("sets both flags if an episode terminates in the last allowed step", () => {
    const vector = vectorise(() => patched({ terminated: true }, { maxSteps: 1 }), 1);
    vector.reset();
    vector.step(i32(1));
    expect([vector.terminated.data[0], vector.truncated.data[0], vector.ended.length[0]]).toEqual([1, 1, 1]);
  });

  it("sums vector rewards in the statistics only", () => {
    const vector = vectorise(
      () => patched({ reward: [1, 0.5], terminated: true }, { rewards: ["a", "b"] }),
      2,
    );
    vector.reset();
    vector.step(i32(1, 1));
    expect(vector.reward.toArray()).toEqual([
      [1, 0.5],
      [1, 0.5],
    ]);
    expect([...vector.ended.return]).toEqual([1.5, 1.5]);
  });

  it("shows masks, and those of the next episode after an end", () => {
    const make = () => {
      const env = new Walk({ maxSteps: 2 });
      return Object.assign(env, { mask: () => [1, env.time, 1] });
    };
    const vector = vectorise(make, 1);
    const masks = [() => vector.reset(), () => vector.step(i32(0)), () => vector.step(i32(0))].map((act) => {
      act();
      return [...(vector.mask as Tensor).data];
    });
    expect(masks).toEqual([
      [1, 0, 1],
      [1, 1, 1],
      [1, 0, 1],
    ]);
  });

  it("holds structured observations and actions", () => {
    const spaces = {
      observation: dict({ seen: list(discrete(4), 2) }),
      action: dict({ bits: multiBinary(2), pull: box([1]) }),
    };
    let got: Value = 0;
    const env = patched({ observation: { seen: [3] } }, spaces);
    env.reset = () => ({ observation: { seen: [] } });
    const inner = env.step;
    env.step = (action) => {
      got = action;
      return inner(action);
    };
    const vector = vectorise(() => env, 1);
    vector.reset();
    vector.step({ bits: tensor([[0, 1]], { dtype: "i32" }), pull: tensor([[0.5]]) });
    expect(got).toEqual({ bits: Int32Array.of(0, 1), pull: Float32Array.of(0.5) });
    const { seen } = vector.observation as { seen: { items: Tensor; count: Tensor } };
    expect([seen.items.toArray(), seen.count.toArray()]).toEqual([[[3, 0]], [1]]);
  });
});
