import { expect, it } from "vitest";
import { Curve } from "../../curves/curve.ts";
import { Growable } from "../../curves/growable.ts";
import { commandsIn } from "./commands-in.ts";
import { interruptionsIn } from "./interruptions.ts";
import { speedOf } from "./speed.ts";
import { tryCommand } from "./try-command.ts";
import { isUsed } from "./used-settings.ts";

const curve = (x: readonly number[], y: readonly number[]) => {
  const [places, values] = [new Growable(), new Growable()];
  places.push(Float64Array.from(x));
  values.push(Float64Array.from(y));
  return new Curve(places, values);
};
const rows = ({ x, y }: Curve) => Array.from({ length: x.length }, (_, i) => [x.data[i], y.data[i]]);

it("evaluation time does not count as slow training", () => {
  // 100 steps a second; the agent is evaluated at 300 and 500 steps, for 5 s each time.
  const seconds = curve([100, 200, 300, 300, 400, 500, 600], [1, 2, 8, 8, 9, 15, 16]);
  expect(rows(speedOf(seconds, new Set([300, 500])))).toEqual([
    [100, 100],
    [200, 100],
    [400, 100],
    [600, 100],
  ]);
  expect(rows(speedOf(seconds)).some(([, speed]) => speed < 20)).toBe(true);
});

it("the speed is drawn even if every row is an evaluation", () => {
  expect(rows(speedOf(curve([100, 200], [1, 3]), new Set([100, 200])))).toEqual([
    [100, 100],
    [200, 50],
  ]);
});

it("interruptions are found from the wall clock", () => {
  const x = [10, 20, 30, 40];
  const at = curve(x, [1000, 1005, 4605, 4610]);
  const seconds = curve(x, [5, 10, 12, 17]);
  expect(interruptionsIn(at, seconds)).toEqual([{ x: 20, seconds: 3598 }]);
  expect(interruptionsIn(at, undefined)).toEqual([]);
  expect(interruptionsIn(curve(x, [1, 2, 3, 4]), curve(x, [1, 2, 2.9, 4]))).toEqual([]);
});

it("settings without effect are found", () => {
  const options = { hidden: [64], klWeight: 0, kl: "k3", credit: "episode", turnDiscount: 1, clip: 0.2 };
  const unused = (isText: boolean, more = {}) =>
    Object.keys(options).filter((name) => !isUsed(name, { ...options, ...more }, isText));
  expect(unused(true)).toEqual(["hidden", "kl", "turnDiscount"]);
  expect(unused(false, { klWeight: 0.1, credit: "turn" })).toEqual([]);
  // Without the option that enables it, a setting counts as used.
  expect(isUsed("kl", { kl: "k1" }, true)).toBe(true);
});

it("finds commands in the text of a finding", () => {
  expect(commandsIn("find it; `reins check-env ./my.js` names the step.")).toEqual([
    "reins check-env ./my.js",
  ]);
  expect(
    commandsIn("lower learningRate.\nTry: npx reins train ppo CartPole-v1 --learning-rate 1e-4"),
  ).toEqual(["npx reins train ppo CartPole-v1 --learning-rate 1e-4"]);
  expect(commandsIn("lower learningRate, or search for settings.")).toEqual([]);
});

it("a finding about a setting gives a command that changes it", () => {
  const run = {
    reproduce: "reins train ppo CartPole-v1 --learning-rate 3e-3 --steps 60k --directory 'my runs/a' --quiet",
    config: { options: { learningRate: 0.003, epochs: 4, gamma: 0.9, entropyWeight: 0, steps: 128 } },
  };
  const base = "reins train ppo CartPole-v1";
  expect(tryCommand(run, "lower learningRate (now 0.003), or make fewer epochs.")).toBe(
    `${base} --steps 60k --learning-rate 0.001`,
  );
  expect(tryCommand(run, "Lower epochs.")).toBe(`${base} --learning-rate 3e-3 --steps 60k --epochs 1`);
  expect(tryCommand(run, "raise gamma, to 0.99 for instance.")).toContain("--gamma 0.97");
  // Not scaled: settings that the run lacks, zeros, and flags of the run itself.
  for (const fix of ["raise tau.", "raise entropyWeight.", "raise steps.", "check the mask."])
    expect(tryCommand(run, fix), fix).toBeUndefined();
  expect(tryCommand({ config: run.config }, "lower learningRate.")).toBeUndefined();
  // A rate of 1 is a whole number, and can be lowered; a single epoch cannot.
  const wild = { ...run, config: { options: { learningRate: 1, epochs: 1 } } };
  expect(tryCommand(wild, "lower learningRate (now 1), or lower epochs (now 1).")).toBe(
    `${base} --steps 60k --learning-rate 0.33`,
  );
  expect(tryCommand(wild, "lower epochs.")).toBeUndefined();
});
