import { describe, expect, it } from "vitest";
import type { Env } from "../env.ts";
import { box, discrete } from "../space.ts";
import { single } from "./single.ts";
import { Walk } from "./testing.ts";
import { vectorise } from "./vectorise.ts";

const viewed = (): Env => single(vectorise(() => new Walk(), 1));

/** Runs some steps and returns the results. */
function play(env: Env, steps: number, from = 0): unknown[] {
  const seen: unknown[] = [];
  for (let t = from; t < from + steps; t++) {
    const step = env.step(t % 5 === 0 ? 1 : 2);
    seen.push(step);
    if (step.terminated || step.truncated) seen.push(env.reset().observation);
  }
  return seen;
}

describe("single", () => {
  it("is the environment that was vectorised", () => {
    const [inner, outer] = [new Walk(), viewed()];
    expect(outer.reset({ seed: 4 })).toEqual(inner.reset({ seed: 4 }));
    for (let t = 0; t < 100; t++) {
      const step = inner.step(2);
      const truncated = inner.time >= 20 && !step.terminated;
      expect(outer.step(2)).toEqual({ ...step, truncated });
      if (step.terminated || truncated) expect(outer.reset()).toEqual(inner.reset());
    }
  });

  it("restarts with a seed or a context", () => {
    const env = viewed();
    const first = env.reset({ seed: 4 });
    while (!env.step(2).terminated);
    expect(env.reset({ seed: 4 })).toEqual(first);
    expect((env.reset({ context: { start: 3 } }).observation as Float32Array)[0]).toBeGreaterThan(2.4);
  });

  it("refuses steps outside an episode", () => {
    const env = viewed();
    expect(() => env.step(2)).toThrow("Walk-v0: step() was called before reset(). Call reset() first.");
    env.reset({ seed: 1 });
    while (!env.step(2).terminated);
    expect(() => env.step(2)).toThrow(
      "Walk-v0: step() was called after the episode's end. Call reset() first.",
    );
    env.reset();
    expect(() => env.step(9)).toThrow("Walk-v0: action 9 is outside Discrete(3). Actions are 0, 1 or 2.");
    expect(() => single(vectorise(() => new Walk(), 2))).toThrow("it has 2 rows");
  });

  it("has the mask of an episode's last state after its end", () => {
    let at = 0;
    const masked: Env = {
      spec: { id: "Masked-v0", observation: box([1]), action: discrete(3), maxSteps: 2 },
      reset: () => ({ observation: [(at = 0)] }),
      step: () => ({ observation: [++at], reward: 0, terminated: false, truncated: false }),
      mask: () => [0, 1, 2].map((action) => Number(action === at)),
    };
    const env = single(vectorise(() => masked, 1));
    env.reset();
    const masks = [env.mask!()];
    for (let t = 0; t < 2; t++) {
      env.step(t);
      masks.push(env.mask!());
    }
    env.reset();
    expect([...masks, env.mask!()].map((mask) => Array.from(mask, Number))).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]);
  });

  it("resumes exactly", () => {
    const env = viewed();
    env.reset({ seed: 2 });
    play(env, 7);
    const saved = env.save!();
    const on = play(env, 40, 7);
    env.restore!(saved);
    expect(play(env, 40, 7)).toEqual(on);
  });

  it("has vector rewards and masks if the environment has", () => {
    const env = single(
      vectorise(
        () =>
          Object.assign(new Walk({ rewards: ["a", "b"] }), {
            step: () => ({ observation: [0, 0], reward: [1, 2], terminated: false, truncated: false }),
            mask: () => [1, 0, 1],
          }),
        1,
      ),
    );
    env.reset();
    expect(env.step(0).reward).toEqual(Float32Array.of(1, 2));
    expect([...(env.mask!() as Uint8Array)]).toEqual([1, 0, 1]);
  });
});
