import type { Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { vectoriseMulti } from "./multi.ts";
import { i32 } from "./testing.ts";
import { Count } from "./testing-count.ts";

const flags = (t: Tensor) => [...t.data].join("");

describe("agents in turns", () => {
  it("lets one act at a time and rewards the waiting one too", () => {
    const env = new Count();
    const vector = vectoriseMulti(() => env, 1);
    vector.reset();
    const lives: string[] = [flags(vector.alive!)];
    for (let t = 0; t < 4; t++) {
      vector.step(i32(0, 1));
      lives.push(flags(vector.alive!));
    }
    expect(lives).toEqual(["10", "01", "10", "01", "10"]);
    expect(env.got).toEqual([null, 1]);
    expect([...vector.ended.return]).toEqual([-1, 1]);
    expect([...vector.ended.length]).toEqual([2, 2]);
    expect(vector.reward.toArray()).toEqual([-1, 1]);
    // The second player gets no further observation: its last one stays as the final one.
    expect((vector.final as Tensor).toArray()).toEqual([6, 4]);
    expect((vector.observation as Tensor).toArray()).toEqual([0, 0]);
  });

  it("shows the mask of the acting agent, and allows everything to the waiting one", () => {
    const vector = vectoriseMulti(() => new Count(), 1);
    vector.reset();
    expect((vector.mask as Tensor).toArray()).toEqual([
      [true, false],
      [true, true],
    ]);
    vector.step(i32(0, 0));
    expect((vector.mask as Tensor).toArray()).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it("ignores all actions of waiting agents", () => {
    const vector = vectoriseMulti(() => new Count(), 1);
    vector.reset();
    vector.step(i32(1, 99));
    expect((vector.observation as Tensor).toArray()).toEqual([0, 2]);
  });
});
