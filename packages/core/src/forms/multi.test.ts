import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { EnvSpec, ResetOptions, VectorEnv } from "../env.ts";
import type { Value } from "../space.ts";
import { stream } from "../stream.ts";
import { vectoriseMulti } from "./multi.ts";
import type { MultiEnv } from "./multi-env.ts";
import { i32 } from "./testing.ts";
import { Room } from "./testing-room.ts";

const flags = (t: Tensor) => [...t.data].join("");

describe("several agents at once", () => {
  it("seeds copies, not rows", () => {
    const seen: (number | undefined)[] = [];
    class Noted extends Room {
      override reset(options: ResetOptions = {}) {
        seen.push(options.seed);
        return super.reset(options);
      }
    }
    const vector = vectoriseMulti(() => new Noted(), 2);
    vector.reset({ seed: 7 });
    vector.reset({ seed: [3, 4] });
    expect(seen).toEqual([7, stream(7, "row", 1), 3, 4]);
    expect(() => vector.reset({ seed: [1, 2, 3, 4, 5, 6] })).toThrow("got 6 seeds for 2 copies");
  });

  it("has rows for each slot, and agents that come and go", () => {
    const vector = vectoriseMulti(() => new Room(), 2);
    expect(vector.rows).toBe(6);
    vector.reset({ seed: 7 });
    expect(flags(vector.alive!)).toBe("110110");
    // Agent b of copy 0 leaves.
    vector.step(i32(1, 0, 1, 1, 1, 1));
    expect([flags(vector.terminated), flags(vector.alive!)]).toEqual(["010000", "100110"]);
    expect([...vector.reward.data]).toEqual([0.5, 1, 0, 0.5, 0.5, 0]);
    expect([vector.ended.return[1], vector.ended.length[1]]).toEqual([1, 1]);
    expect((vector.final as Tensor).toArray()).toContainEqual([1, 1]);
    // Agent c arrives in both copies: it has an observation, and no reward for a step it did not take.
    vector.step(i32(1, 1, 1, 1, 1, 1));
    expect([flags(vector.terminated), flags(vector.alive!)]).toEqual(["000000", "101111"]);
    expect([...vector.reward.data]).toEqual([0.5, 0, 0, 0.5, 0.5, 0]);
    expect(((vector.observation as Tensor).toArray() as number[][])[2]).toEqual([2, 2]);
    expect((vector.global as Tensor).toArray()).toEqual(
      [1, 1, 1].map(() => [1, 0, 1]).concat([1, 1, 1].map(() => [1, 1, 1])),
    );
    // And b comes back.
    vector.step(i32(1, 1, 1, 1, 1, 1));
    expect(flags(vector.alive!)).toBe("111111");
    expect([...vector.reward.data]).toEqual([0.5, 0, 0.5, 0.5, 0.5, 0.5]);
  });

  it("ends all present agents when the episode is over, and restarts in the same step", () => {
    const vector = vectoriseMulti(() => new Room(3), 1);
    vector.reset();
    vector.step(i32(1, 1, 1));
    vector.step(i32(1, 0, 1));
    vector.step(i32(1, 1, 1));
    expect([flags(vector.terminated), flags(vector.truncated)]).toEqual(["101", "000"]);
    expect([...vector.ended.length]).toEqual([3, 0, 1]);
    expect([...vector.ended.return]).toEqual([1.5, 0, 0.5]);
    expect(flags(vector.alive!)).toBe("110");
    expect((vector.finalGlobal as Tensor).toArray()).toContainEqual([1, 0, 1]);
    expect((vector.global as Tensor).toArray()).toContainEqual([1, 1, 0]);
    expect(((vector.observation as Tensor).toArray() as number[][]).slice(0, 2)).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it("truncates all at the limit of steps", () => {
    const vector = vectoriseMulti(() => new Room(9, { maxSteps: 2 }), 1);
    vector.reset();
    vector.step(i32(1, 1, 1));
    vector.step(i32(1, 0, 1));
    // The second agent leaves in the last step that is allowed: both flags are set.
    expect([flags(vector.terminated), flags(vector.truncated)]).toEqual(["010", "110"]);
    expect(flags(vector.alive!)).toBe("110");
  });

  it("resumes exactly", () => {
    const vector = vectoriseMulti(() => new Room(), 2);
    const play = (vector: VectorEnv, from: number, steps: number) =>
      Array.from({ length: steps }, (_, t) => {
        vector.step(
          i32(...Array.from({ length: 6 }, (_, i) => (((from + t) * 5 + i * 3) % 7 === 0 ? 0 : 1))),
        );
        const { observation, reward, terminated, truncated, alive, global, ended } = vector;
        const columns = [observation, reward, terminated, truncated, alive, global] as Tensor[];
        return [columns.map((c) => [...c.data]), [...ended.return], [...ended.length]];
      });
    vector.reset({ seed: 1 });
    play(vector, 0, 9);
    const saved = vector.save();
    const on = play(vector, 9, 30);
    vector.restore(saved);
    expect(play(vector, 9, 30)).toEqual(on);
    const other = vectoriseMulti(() => new Room(), 2);
    other.restore(saved);
    expect(play(other, 9, 30)).toEqual(on);
  });
});

describe("a broken contract is named", () => {
  const room =
    (change: object, spec: Partial<EnvSpec> = {}) =>
    () => {
      const env = new Room(6, spec);
      const inner = env.step.bind(env);
      return Object.assign(env, { step: (a: Value[]) => ({ ...inner(a), ...change }) });
    };
  const names = ["a", "b", "c"];
  it.each<[string, () => MultiEnv, string]>([
    [
      "too few rewards",
      room({ rewards: [1] }),
      "Room-v0, row 0: `rewards` is an array of 1; it must have one entry for each of the 3 agents.",
    ],
    ["no over flag", room({ over: undefined }), "Room-v0, row 0: step() returned undefined as `over`"],
    [
      "a bad observation",
      room({ observations: [[0, 0], [1], null] }),
      "Room-v0, row 1: observation has 1 number",
    ],
    [
      "a blind agent",
      room({ observations: [[0, 0], [1, 1], null], alive: [1, 1, 1] }),
      "Room-v0, row 2: c may act, but has no observation.",
    ],
    [
      "two turns at once",
      room({}, { agents: { names, order: "turns" } }),
      "Room-v0, row 0: 2 agents may act, but exactly one may in an environment with turns.",
    ],
    [
      "a bad state",
      () => Object.assign(new Room(), { global: () => [1] }),
      "Room-v0, row 0: the global state has 1 number",
    ],
    ["no agents", () => new Room(6, { agents: undefined }), "spec.agents is missing"],
  ])("%s", (_, make, words) => {
    expect(() => {
      const vector = vectoriseMulti(make, 1);
      vector.reset();
      vector.step(tensor([1, 1, 1], { dtype: "i32" }));
    }).toThrow(words);
  });
});
