import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { checkEnv } from "../check/index.ts";
import { ShiftingField } from "./shifting-field.ts";

it("passes the checks of an environment", () => {
  expect(checkEnv(() => new ShiftingField({ rows: 2, every: 30 }), { seeds: [0], steps: 80 })).toEqual([]);
});

/** The current names of cells. */
const namesOf = (env: ShiftingField) =>
  Array.from((env.save() as { state: { names: Int32Array } }).state.names).join();

it("changes with the first episode after the given steps, and only then", () => {
  const env = new ShiftingField({ every: 60 });
  env.reset({ seed: 1 });
  const action = tensor(Int32Array.of(0));
  const fields = Array.from({ length: 400 }, (_, t) => {
    action.data[0] = t % 4;
    env.step(action);
    return namesOf(env);
  });
  const changes = fields.flatMap((names, t) => (t > 0 && names !== fields[t - 1] ? [t] : []));
  expect(changes.length).toBeGreaterThan(3);
  expect(changes[0]).toBeGreaterThanOrEqual(59);
  changes.slice(1).forEach((t, i) => {
    expect(t - changes[i]).toBeGreaterThanOrEqual(60);
    expect(t - changes[i]).toBeLessThan(60 + 25);
  });
});

it("the best return is one minus the cost of the mean path from start to goal", () => {
  const cells = Array.from({ length: 16 }, (_, i) => [Math.floor(i / 4), i % 4]);
  const ways = cells.flatMap(([a, b]) => cells.map(([c, d]) => Math.abs(a - c) + Math.abs(b - d)));
  const mean = ways.reduce((a, b) => a + b) / (16 * 15);
  expect(ShiftingField.best({ size: 4, cost: 0.1 })).toBeCloseTo(1 - 0.1 * mean, 10);
});
