import type { RunDetail, RunEvent } from "@reins/studio/wire";
import { expect, it } from "vitest";
import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";
import { drawnAs, movedIn } from "./manual-changes.ts";
import { movingIn } from "./signals.tsx";

const run = {
  ...{ name: "a", steps: 100, seconds: 9 },
  config: { options: { clip: 0.2, rate: { signal: "linear", from: 0.5, to: 0 }, weight: { signal: "pi" } } },
  metrics: ["return/mean", "setting/clip", "setting/rate"].map((name) => ({ name })),
} as unknown as RunDetail;

const changed = (step: number, values: RunEvent["values"]): RunEvent => ({ step, kind: "changed", values });
const moved = movedIn([
  changed(10, { rate: 0.1 }),
  { step: 20, kind: "measured", values: { return: 3 } },
  changed(30, { clip: 0.3 }),
  changed(40, { rate: 0.2 }),
]);

const curve = (x: readonly number[], y: readonly number[]) => {
  const [places, values] = [new Growable(), new Growable()];
  places.push(Float64Array.from(x));
  values.push(Float64Array.from(y));
  return new Curve(places, values);
};

it("finds settings that were changed by hand, also those that followed a schedule", () => {
  expect(moved).toEqual(["rate", "clip"]);
  expect(movingIn(run, moved)).toEqual([
    { name: "rate", form: "linear, until it was changed by hand" },
    { name: "weight", form: "pi" },
    { name: "clip", form: "changed by hand" },
  ]);
});

it("leaves out a constant learning rate, which every run logs", () => {
  const constant = {
    config: { options: { learningRate: 0.1 } },
    metrics: ["setting/learningRate", "setting/clip"].map((name) => ({ name })),
  } as unknown as RunDetail;
  expect(movingIn(constant, [])).toEqual([{ name: "clip", form: "changed during training" }]);
  expect(movingIn(constant, ["learningRate"])[0]).toEqual({ name: "learningRate", form: "changed by hand" });
});

it("draws changed settings as step functions over the whole run", () => {
  const points = (metric: string, axis: "step" | "episode" = "step") => {
    const line = drawnAs(metric, curve([30, 60], [0.3, 0.1]), { run, moved, axis });
    const { x, y } = line.curve;
    return [line.stepped ?? false, Array.from({ length: x.length }, (_, i) => [x.data[i], y.data[i]])];
  };
  const rows = [
    [30, 0.3],
    [60, 0.1],
  ];
  expect(points("setting/clip")).toEqual([true, [[0, 0.2], ...rows, [100, 0.1]]]);
  expect(points("setting/rate", "episode")).toEqual([true, [[0, 0.5], ...rows]]);
  expect(points("setting/weight")).toEqual([false, rows]);
  expect(points("return/mean")).toEqual([false, rows]);
});
