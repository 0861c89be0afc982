import { LiveValue } from "@reins/core/settings";
import { random, setBackend, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { munchausenDqn } from "./munchausen-dqn.ts";
import { type BootstrapInputs, bestNext } from "./q/bootstrap.ts";
import { munchausen } from "./q/munchausen.ts";
import { corridor, endless, score, trained } from "./testing-envs.ts";
import { expectExactResume } from "./testing-on-policy.ts";
import { quick } from "./testing-values.ts";

setBackend("wasm");

const bootstrap = (bonus: number, temperature: number, bonusLimit: number) =>
  munchausen({
    bonus: new LiveValue("bonus", bonus),
    temperature: new LiveValue("temperature", temperature),
    bonusLimit: new LiveValue("bonusLimit", bonusLimit),
  });
const outlook = (
  state: number[][],
  next: number[][],
  action: number[],
  own: object = {},
): BootstrapInputs => ({
  targets: tensor(next),
  value: (_, of) => tensor(of === "state" ? state : next),
  action: tensor(Int32Array.from(action)),
  ...own,
});

describe("targets", () => {
  it("are soft values plus the scaled log-policy, by hand", () => {
    // With τ = 0.5, q = [1, 0] gives π = [e², 1] / (e² + 1).
    const z = Math.exp(2) + 1;
    const [p, q] = [Math.exp(2) / z, 1 / z];
    const { next, bonus } = bootstrap(0.9, 0.5, 10)(outlook([[0, 1]], [[1, 0]], [0]));
    expect(next.item()).toBeCloseTo(p * (1 - 0.5 * Math.log(p)) + q * (0 - 0.5 * Math.log(q)), 5);
    // The soft value also equals τ log Σ exp(q / τ).
    expect(next.item()).toBeCloseTo(0.5 * Math.log(z), 5);
    expect(bonus?.item()).toBeCloseTo(0.9 * 0.5 * Math.log(q), 5);
    expect(bootstrap(0.9, 0.5, 0.2)(outlook([[0, 1]], [[1, 0]], [0])).bonus?.item()).toBeCloseTo(-0.18, 5);
  });

  it("are the best action's value at temperature 0", () => {
    const [state, next] = [random.normal(random.key(1), [5, 3]), random.normal(random.key(2), [5, 3])];
    const given = outlook(state.toArray() as number[][], next.toArray() as number[][], [0, 1, 2, 0, 1]);
    const hard = bestNext(false)(given).next;
    bootstrap(0, 1e-4, 1)(given).next.data.forEach((v, i) => void expect(v).toBeCloseTo(hard.data[i], 3));
  });

  it("mix the quantiles of all actions, without masked ones", () => {
    const goals = tensor([
      [
        [0, 2],
        [5, 7],
        [90, 99],
      ],
    ]);
    const nextMask = tensor([[1, 1, 0]], { dtype: "bool" });
    const given = outlook([[1, 1, 1]], [[1, 6, 95]], [0], { targets: goals, nextMask, mask: nextMask });
    const { next, bonus } = bootstrap(0.9, 1, 10)(given);
    const [p, q] = [1 / (1 + Math.exp(5)), 1 / (1 + Math.exp(-5))];
    const entropy = -p * Math.log(p) - q * Math.log(q);
    expect(next.toArray()).toEqual([
      [expect.closeTo(q * 5 + entropy, 4), expect.closeTo(p * 2 + q * 7 + entropy, 4)],
    ]);
    expect(bonus?.item()).toBeCloseTo(0.9 * Math.log(0.5), 5);
  });
});

describe("munchausen-dqn", () => {
  it.each([
    ["values", {}],
    ["quantiles", { distribution: "quantile", atoms: 11 }],
    ["implicit quantiles", { distribution: "implicit", cosines: 16, choiceFractions: 8 }],
  ] as const)("finds the prize with %s", (_, own) => {
    const algorithm = munchausenDqn({ ...quick, ...own });
    expect(score(trained({ algorithm, env: corridor(), steps: 1500, seed: 1 }))).toBeCloseTo(1, 9);
  });

  it("values equal actions by their reward and entropy", () => {
    // v = 1 + α τ log ½ + γ (v + τ log 2), with α = 1, τ = 0.1 and γ = 0.5.
    const options = { ...quick, gamma: 0.5, bonus: 1, temperature: 0.1, learningRate: 1e-2 };
    const run = trained({
      algorithm: munchausenDqn(options),
      env: endless("discrete"),
      steps: 1500,
      seed: 1,
    });
    expect(run.metrics["value/mean"]).toBeCloseTo((1 - 0.05 * Math.log(2)) / 0.5, 1);
  });

  it("continues exactly after saving and restoring", () => {
    expectExactResume(() => munchausenDqn(quick), corridor(), 768);
  });

  it("rejects categorical distributions", () => {
    const algorithm = munchausenDqn({ distribution: "categorical" });
    expect(() => trained({ algorithm, env: corridor(), steps: 10 })).toThrow(
      /^munchausen-dqn: its target mixes the values of all actions/,
    );
  });
});
