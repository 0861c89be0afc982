import {
  eq,
  grad,
  random,
  scan,
  square,
  sum,
  type Tensor,
  type Tree,
  tensor,
  vmap,
  where,
  zeros,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { VectorEnv } from "../env.ts";
import { params, point, push, type State } from "./testing-point.ts";
import { fromTraced } from "./traced-vector.ts";

function record(vector: VectorEnv, steps: number, from = 0): unknown[] {
  return Array.from({ length: steps }, (_, t) => {
    vector.step(push(from + t, vector.rows));
    const { observation, reward, terminated, truncated, ended } = vector;
    const columns = [observation as Tensor, reward, terminated, truncated].map((c) => [...c.data]);
    return [columns, [...ended.return], [...ended.length]];
  });
}

describe("fromTraced", () => {
  it("sets both flags if an episode terminates in the last allowed step", () => {
    const brief: typeof point = {
      ...point,
      spec: { ...point.spec, maxSteps: 1 },
      step: (...given) => {
        const next = point.step(...given);
        return { ...next, terminated: eq(next.reward, next.reward) };
      },
    };
    const vector = fromTraced(brief, params(), 2);
    vector.reset({ seed: 1 });
    vector.step(push(0, 2));
    expect([...vector.terminated.data, ...vector.truncated.data]).toEqual([1, 1, 1, 1]);
  });

  it("never truncates where the limit is Infinity", () => {
    const vector = fromTraced(
      { ...point, spec: { ...point.spec, maxSteps: Number.POSITIVE_INFINITY } },
      params(),
      2,
    );
    vector.reset({ seed: 1 });
    for (let t = 0; t < 100; t++) {
      vector.step(push(t, 2));
      expect([...vector.truncated.data]).toEqual([0, 0]);
    }
  });

  it("agrees with stepping by hand, including episodes", () => {
    const rows = 3;
    const p = params();
    const vector = fromTraced(point, p, rows);
    vector.reset({ seed: 9 });
    // By hand: one operation at a time, and episodes in a plain loop.
    let [key, , resetKey] = random.splitKey(random.key(9), 3);
    let state = point.reset(p, rows, resetKey);
    const lengths = [0, 0, 0];
    const totals = [0, 0, 0];
    expect((vector.observation as Tensor).toArray()).toEqual((point.observe(p, state) as Tensor).toArray());
    let ends = 0;
    for (let t = 0; t < 60; t++) {
      const keys = random.splitKey(key, 3);
      key = keys[0];
      const next = point.step(p, state, push(t, rows), keys[1]);
      const fresh = point.reset(p, rows, keys[2]);
      vector.step(push(t, rows));
      const over = lengths.map((n, i) => next.terminated.data[i] !== 0 || n + 1 >= 15);
      over.forEach((end, i) => {
        totals[i] += next.reward.data[i];
        lengths[i]++;
        expect(vector.reward.data[i]).toBeCloseTo(next.reward.data[i], 5);
        expect(vector.terminated.data[i]).toBe(next.terminated.data[i]);
        expect(vector.truncated.data[i]).toBe(lengths[i] >= 15 ? 1 : 0);
        expect(vector.ended.length[i]).toBe(end ? lengths[i] : 0);
        expect(vector.ended.return[i]).toBeCloseTo(end ? totals[i] : 0, 4);
        if (end) ends++;
        if (end) totals[i] = lengths[i] = 0;
      });
      close(vector.final, point.observe(p, next.state));
      const mask = tensor(over);
      state = {
        position: where(mask.reshape([rows, 1]), fresh.position, next.state.position),
        speed: where(mask.reshape([rows, 1]), fresh.speed, next.state.speed),
        tag: where(mask, fresh.tag, next.state.tag),
      };
      close(vector.observation, point.observe(p, state));
    }
    expect(ends).toBeGreaterThan(6);
  });

  it("is differentiable", () => {
    // The first push of a point at rest: d(final position²)/d(push), against differences.
    const final = (a: Tensor) => {
      const start = { position: tensor([[0.3]]), speed: zeros([1, 1]), tag: zeros([1], "i32") };
      const { carry } = scan(
        (s: State, k: Tensor) => {
          const { position, speed, tag } = point.step(params(), s, a.reshape([1, 1]), k).state;
          return [{ position, speed, tag }, []];
        },
        start,
        tensor(
          [
            [1, 2],
            [3, 4],
            [5, 6],
          ],
          { dtype: "u32" },
        ),
      );
      return sum(square(carry.position));
    };
    const at = (x: number) => final(tensor([x])).item();
    expect(grad(final)(tensor([0.2])).item()).toBeCloseTo((at(0.21) - at(0.19)) / 0.02, 2);
  });

  it("is equal for equal seeds, and continues without one", () => {
    const run = (seed: number | readonly number[]) => {
      const vector = fromTraced(point, params(), 2);
      vector.reset({ seed });
      const first = record(vector, 30);
      vector.reset();
      return [first, record(vector, 5)];
    };
    expect(run(1)).toEqual(run(1));
    expect(run(1)[0]).not.toEqual(run(2)[0]);
    expect(run(1)[0].slice(0, 5)).not.toEqual(run(1)[1]);
    expect(run([1, 2])).toEqual(run([1, 2]));
    expect(run([1, 2])[0]).not.toEqual(run([1, 3])[0]);
    expect(() => run([1, 2, 3])).toThrow("reset() got 3 seeds for 2 copies.");
  });

  it("resumes exactly, in the same vector and in another", () => {
    const vector = fromTraced(point, params(), 2, { seed: 4 });
    vector.reset();
    record(vector, 11);
    const saved = vector.save();
    const on = record(vector, 40, 11);
    vector.restore(saved);
    expect(record(vector, 40, 11)).toEqual(on);
    const other = fromTraced(point, params(), 2);
    other.restore(saved);
    expect(record(other, 40, 11)).toEqual(on);
  });

  it("sees changed params, and keeps no reference to the caller's actions", () => {
    const p = params();
    const vector = fromTraced(point, p, 1);
    vector.reset({ seed: 1 });
    const before = [...(vector.observation as Tensor).data];
    p.dt.set(0);
    const action = tensor([[1]]);
    vector.step(action);
    expect([...(vector.observation as Tensor).data]).toEqual(before);
    expect(action.toArray()).toEqual([[1]]);
  });

  it("gives each row its own key if the environment has rowKeys", () => {
    const drawn = vmap((own: Tensor) => random.uniform(own, [1], -1, 1));
    const own: typeof point = {
      ...point,
      rowKeys: true,
      reset: (_, rows, key) => ({ position: drawn(key), speed: zeros([rows, 1]), tag: zeros([rows], "i32") }),
      step: (_, s, __, key) => ({
        state: { ...s, position: s.position.add(drawn(key)) },
        reward: s.position.sum(1),
        terminated: s.position.sum(1).gt(1),
      }),
      render: (_, { position }, row) => (position.data[row] < 0 ? "left" : "right"),
    };
    const [three, one] = [fromTraced(own, params(), 3), fromTraced(own, params(), 1)];
    three.reset({ seed: [5, 7, 9] });
    one.reset({ seed: 7 });
    for (let t = 0; t < 20; t++) {
      three.step(push(t, 3));
      one.step(push(t, 1));
      const seen = [...(three.observation as Tensor).data];
      expect([...(one.observation as Tensor).data]).toEqual(seen.slice(2, 4));
      expect(seen.slice(0, 2)).not.toEqual(seen.slice(2, 4));
      expect(one.render!(0)).toBe(three.render!(1));
    }
  });
});

function close(a: Tree, b: Tree): void {
  (b as Tensor).data.forEach((x, i) => expect((a as Tensor).data[i]).toBeCloseTo(x, 4));
}
