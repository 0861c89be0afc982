import type { VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { checkEnv } from "../check/index.ts";
import { make } from "../registry.ts";

const rows = 64;

interface Case {
  readonly id: string;
  /** Range of each state variable, which has the same name in both forms. */
  readonly state: { readonly [name: string]: readonly [low: number, high: number] };
  /** Maximum error with speeds up to these shares of their limits. */
  readonly accuracy?: readonly (readonly [share: number, error: number])[];
  /** All events, in order. */
  readonly reached: readonly string[];
  /** Events of a step. */
  readonly events: (state: Readonly<Record<string, number>>, terminated: boolean) => string[];
}

const cases: Case[] = [
  {
    id: "Pendulum-v1",
    state: { angle: [-Math.PI, Math.PI], speed: [-8, 8] },
    reached: ["full speed"],
    events: ({ speed }) => (Math.abs(speed) === 8 ? ["full speed"] : []),
  },
  {
    id: "MountainCar-v0",
    state: { position: [-1.2, 0.6], speed: [-0.07, 0.07] },
    reached: ["flag", "full speed", "wall"],
    events: ({ position, speed }, ended) => [
      ...(position === Math.fround(-1.2) && speed === 0 ? ["wall"] : []),
      ...(Math.abs(speed) === Math.fround(0.07) ? ["full speed"] : []),
      ...(ended ? ["flag"] : []),
    ],
  },
  {
    id: "MountainCarContinuous-v0",
    state: { position: [-1.2, 0.6], speed: [-0.07, 0.07] },
    reached: ["flag", "full speed", "wall"],
    events: ({ position, speed }, ended) => [
      ...(position === Math.fround(-1.2) && speed === 0 ? ["wall"] : []),
      ...(Math.abs(speed) === Math.fround(0.07) ? ["full speed"] : []),
      ...(ended ? ["flag"] : []),
    ],
  },
  {
    id: "Acrobot-v1",
    state: {
      angle1: [-Math.PI, Math.PI],
      angle2: [-Math.PI, Math.PI],
      speed1: [-4 * Math.PI, 4 * Math.PI],
      speed2: [-9 * Math.PI, 9 * Math.PI],
    },
    // At full speed a step turns a link by most of a circle, and amplifies the rounding of f32.
    accuracy: [
      [0.5, 1e-5],
      [1, 1e-4],
    ],
    reached: ["full speed of the first link", "full speed of the second link", "line"],
    events: ({ speed1, speed2 }, ended) => [
      ...(Math.abs(speed1) === Math.fround(4 * Math.PI) ? ["full speed of the first link"] : []),
      ...(Math.abs(speed2) === Math.fround(9 * Math.PI) ? ["full speed of the second link"] : []),
      ...(ended ? ["line"] : []),
    ],
  },
];

describe.each(cases)("$id in tensor operations", ({ id, state, events, reached, accuracy = [[1, 1e-5]] }) => {
  const traced = make(id, { rows, traced: true });

  const counts = new Map<string, number>();
  it.each(accuracy)("moves as usual from any state: speeds up to %d of the limit", (share, error) => {
    const usual = make(id, { rows });
    traced.reset({ seed: 4 });
    usual.reset({ seed: 4 });
    const random = defaultRng(1);
    let worst = 0;
    for (let t = 0; t < 100; t++) {
      const variables = stateOf(traced);
      const saved = usual.save() as { state: Record<string, Float64Array | Uint8Array> };
      for (const [name, [low, high]] of Object.entries(state))
        for (let row = 0; row < rows; row++) {
          // Each second step continues, so that states of both kinds are compared.
          if (t % 2 === 0)
            variables[name].data[row] = random.uniform(low, high) * (name.startsWith("speed") ? share : 1);
          saved.state[name][row] = variables[name].data[row];
        }
      prepare(saved.state);
      usual.restore(saved as Parameters<typeof usual.restore>[0]);
      const action = columns(usual.spec.action, rows) as Tensor;
      for (let row = 0; row < rows; row++)
        action.data[row] = action.dtype === "i32" ? random.integers(3) : random.uniform(-3, 3);
      traced.step(action);
      usual.step(action);
      expect(traced.terminated.toArray()).toEqual(usual.terminated.toArray());
      const width = (usual.observation as Tensor).shape[1];
      for (let row = 0; row < rows; row++) {
        const ended = usual.terminated.data[row] === 1;
        const [a, b] = ended ? [traced.final, usual.final] : [traced.observation, usual.observation];
        worst = Math.max(worst, distance(traced.reward.data[row], usual.reward.data[row]));
        for (let i = row * width; i < (row + 1) * width; i++)
          worst = Math.max(worst, distance((a as Tensor).data[i], (b as Tensor).data[i]));
        const after = Object.fromEntries(Object.keys(state).map((n) => [n, stateOf(traced)[n].data[row]]));
        for (const event of events(after, ended)) counts.set(event, (counts.get(event) ?? 0) + 1);
      }
    }
    expect(worst).toBeLessThan(error);
  });

  it("was tested at its limits", () => {
    expect([...counts.keys()].sort()).toEqual(reached);
    for (const count of counts.values()) expect(count).toBeGreaterThan(10);
  });

  it("starts as usual, and each row depends on its own seed", () => {
    const ranges = (env: VectorEnv) => {
      const all: Float32Array[] = [];
      for (let seed = 0; seed < 40; seed++) {
        env.reset({ seed });
        all.push(...leaves(env.observation).map((t) => Float32Array.from(t.data)));
      }
      const width = all[0].length / rows;
      return Array.from({ length: width }, (_, i) => {
        const values = all.flatMap((t) => Array.from(t).filter((_, j) => j % width === i));
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        const square = values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length;
        return [Math.min(...values), Math.max(...values), mean, Math.sqrt(square)];
      });
    };
    const [a, b] = [ranges(traced), ranges(make(id, { rows }))];
    a.forEach((own, i) => {
      const [low, high] = b[i];
      own.forEach((x, j) => expect(Math.abs(x - b[i][j])).toBeLessThan((high - low) * 0.05 + 1e-6));
    });
    const one = make(id, { rows: 1, traced: true });
    one.reset({ seed: 7 });
    traced.reset({ seed: [3, 7, ...Array.from({ length: rows - 2 }, (_, i) => i)] });
    const first = (one.observation as Tensor).data;
    expect(Array.from((traced.observation as Tensor).data.slice(first.length, 2 * first.length))).toEqual(
      Array.from(first),
    );
  });

  it("passes the check of environments, with its time limit", () => {
    const findings = checkEnv(() => make(id, { rows: 2, traced: true }), { seeds: [1], steps: 250 });
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const short = make(id, { traced: true, maxSteps: 2 });
    short.reset({ seed: 1 });
    for (let t = 0; t < 2; t++) short.step(columns(short.spec.action, 1));
    expect([short.truncated.data[0], short.ended.length[0]]).toEqual([1, 2]);
    expect(short.render?.(0)).toContain("\n");
    expect(short.picture?.(0).shapes.length).toBeGreaterThan(1);
  });
});

const stateOf = (env: VectorEnv) => (env.traced!.carry as { state: Record<string, Tensor> }).state;

/** Columns that follow from the others in the usual form. */
function prepare(state: Record<string, Float64Array | Uint8Array>): void {
  const fill = (name: string, from: string, f: (x: number) => number) => {
    if (name in state) state[from].forEach((x, row) => (state[name][row] = f(x)));
  };
  fill("sine", "angle", Math.sin);
  fill("cosine", "angle", Math.cos);
  fill("sine2", "angle2", Math.sin);
  fill("cosine2", "angle2", Math.cos);
  state.fresh?.fill(0);
}

const distance = (a: number, b: number) => Math.abs(a - b) / Math.max(1, Math.abs(b));
