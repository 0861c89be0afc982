import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { make } from "../registry.ts";
import { matrixOf, type Quaternion, spunUp, type Triple, turnedOn } from "./rigid-body.ts";

it("conserves angular momentum in space, within 0.5 % in 2 s of tumbling with steps of 0.2 ms", () => {
  const inertia = [0.4, 0.9, 0.6] as const;
  let turn: Quaternion = [1, 0, 0, 0];
  let spin: Triple = [1, 3, 0.5];
  const momentum = () =>
    matrixOf(turn).map((row) =>
      row.reduce<number>((sum, m, i) => sum + Number(m) * inertia[i] * Number(spin[i]), 0),
    );
  const before = momentum();
  for (let t = 0; t < 10_000; t++) {
    spin = spunUp(spin, inertia, [0, 0, 0], 2e-4);
    turn = turnedOn(turn, spin, 2e-4);
  }
  // The axis moves in the body frame.
  expect(Math.abs(Number(spin[0]) - 1)).toBeGreaterThan(0.1);
  const off = Math.hypot(...momentum().map((one, i) => one - before[i]));
  expect(off / Math.hypot(...before)).toBeLessThan(0.005);
  expect(Math.hypot(...turn.map(Number))).toBeCloseTo(1, 12);
});

it("a quadrotor hovers with zero actions, and rolls, pitches and turns as its propellers push", () => {
  const spins = (action: readonly number[]) => {
    const env = make("Quadrotor-v0", { rows: 1 });
    env.reset({ seed: 2 });
    const first = env.observation as ReturnType<typeof tensor>;
    const before = [...first.data];
    for (let t = 0; t < 5; t++) env.step(tensor([[...action]]));
    return [...first.data].slice(15).map((after, i) => after - before[15 + i]);
  };
  const still = spins([0, 0, 0, 0]);
  for (const change of still) expect(Math.abs(change)).toBeLessThan(0.05);
  expect(spins([0.1, 0.1, -0.1, -0.1])[0]).toBeGreaterThan(1);
  expect(spins([0.1, -0.1, -0.1, 0.1])[1]).toBeLessThan(-1);
  expect(spins([0.1, -0.1, 0.1, -0.1])[2]).toBeGreaterThan(0.05);
});
