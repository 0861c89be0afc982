import { defaultRng } from "@reins/core/random";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { checkEnv } from "../../check/index.ts";
import { make } from "../../registry.ts";

const games = ["Asterix", "Breakout", "Freeway", "Seaquest", "SpaceInvaders"].map(
  (name) => `MinAtar/${name}-v1`,
);
const data = (env: ReturnType<typeof make>) => Array.from((env.observation as Tensor).data);

describe.each(games)("%s in tensor operations", (id) => {
  it("has the usual spec, and passes the check of environments", () => {
    expect(make(id, { traced: true }).spec).toEqual(make(id).spec);
    const findings = checkEnv(() => make(id, { rows: 2, traced: true, sticky: 0 }), {
      seeds: [1],
      steps: 150,
    });
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("begins anew after a truncation, and shows the last screen", () => {
    const env = make(id, { rows: 2, traced: true, maxSteps: 3 });
    env.reset({ seed: [5, 6] });
    const first = data(env);
    for (let t = 0; t < 3; t++) env.step(tensor(Int32Array.of(1, 1)));
    expect([...env.truncated.data]).toEqual([1, 1]);
    expect([...env.terminated.data]).toEqual([0, 0]);
    expect([...env.ended.length]).toEqual([3, 3]);
    expect(Array.from((env.final as Tensor).data)).not.toEqual(data(env));
    // All games but two start in the same state.
    if (!/Breakout|Freeway/.test(id)) expect(data(env)).toEqual(first);
    expect(env.render?.(1)).toContain("│");
    expect(env.picture?.(1).shapes.length).toBeGreaterThan(5);
  });

  it("plays a row by its own seed, whatever the other rows do", () => {
    const [one, three] = [make(id, { rows: 1, traced: true }), make(id, { rows: 3, traced: true })];
    one.reset({ seed: 9 });
    three.reset({ seed: [1, 9, 2] });
    const random = defaultRng(1);
    const size = data(one).length;
    for (let t = 0; t < 200; t++) {
      const action = random.integers(0, 3);
      one.step(tensor(Int32Array.of(action)));
      three.step(tensor(Int32Array.of(0, action, 1)));
      expect(data(three).slice(size, 2 * size)).toEqual(data(one));
    }
  });
});

it("begins Breakout from either side, and gives the cars of Freeway all speeds, equally often", () => {
  const rows = 500;
  const starts = (id: string) => {
    const env = make(id, { rows, traced: true });
    const states: Tensor["data"][] = [];
    for (let seed = 0; seed < 4; seed++) {
      env.reset({ seed });
      const { game } = (env.traced!.carry as { state: { game: Record<string, Tensor> } }).state;
      states.push((id.includes("Breakout") ? game.x : game.speed).data.slice());
    }
    return states.flatMap((values) => [...values]);
  };
  const share = (values: number[], x: number) => values.filter((v) => v === x).length / values.length;
  const sides = starts("MinAtar/Breakout-v1");
  for (const x of [0, 9]) expect(share(sides, x)).toBeCloseTo(0.5, 1);
  const speeds = starts("MinAtar/Freeway-v1");
  for (const speed of [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5])
    expect(Math.abs(share(speeds, speed) - 0.1)).toBeLessThan(0.01);
});

it("repeats the last action as often as sticky says", () => {
  const rows = 1000;
  for (const sticky of [0, 0.25, 1]) {
    const env = make("MinAtar/Breakout-v1", { rows, traced: true, sticky });
    env.reset({ seed: 1 });
    env.step(tensor(new Int32Array(rows).fill(1)));
    const paddle = (env.traced!.carry as { state: { game: { paddle: Tensor } } }).state.game.paddle;
    const stayed = [...paddle.data].filter((x) => x === 4).length / rows;
    expect(Math.abs(stayed - sticky)).toBeLessThan(0.05);
  }
});

it("has all six actions in version 0, and rising difficulty unless it is off", () => {
  const env = make("MinAtar/Asterix-v0", { traced: true, ramping: false, sticky: 0 });
  expect(env.spec.action).toMatchObject({ n: 6 });
  env.reset({ seed: 1 });
  const timer = (env.traced!.carry as { state: { game: { rampTimer: Tensor } } }).state.game.rampTimer;
  for (let t = 0; t < 5; t++) env.step(tensor(Int32Array.of(5)));
  expect(timer.data[0]).toBe(100);
});
