import { Run, type TrainState } from "@reins/core";
import * as signals from "@reins/core/signals";
import * as nn from "@reins/nn";
import { random, setBackend, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dqn, dqnParts } from "./dqn.ts";
import { type QParams, qNetwork } from "./q/network.ts";
import { categorical, expected, quantiles } from "./q/value-form.ts";
import { rainbow } from "./rainbow.ts";
import { aim, corridor, endless, fingerprint, score, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const small = {
  hidden: [16],
  batch: 32,
  learningStarts: 64,
  trainEvery: 1,
  targetEvery: 20,
  learningRate: 5e-3,
  capacity: 500,
  gamma: 0.9,
  epsilon: signals.linear(1, 0.1, 0.3),
};

/** Values of both actions in each cell of the corridor. */
function corridorValues(run: ReturnType<typeof trained>, options: { atoms?: number } = {}): number[][] {
  const network = qNetwork({
    inputs: 5,
    actions: 2,
    atoms: options.atoms ?? 1,
    hidden: [16],
    dueling: false,
    noisy: false,
  });
  const online = (run.process.parts.state as { online: TrainState<QParams> }).online.weights;
  const places = tensor(
    Float32Array.from({ length: 25 }, (_, i) => (i % 6 === 0 ? 1 : 0)),
    { shape: [5, 5] },
  );
  return network.apply(online, places).toArray() as number[][];
}

describe("dqn", () => {
  it("finds the prize, with values of γᵏ on the way there", () => {
    const run = trained({ algorithm: dqn(small), env: corridor(), steps: 2000, seed: 1 });
    expect(score(run)).toBeCloseTo(1, 9);
    const values = corridorValues(run);
    // Right from cell p ends after 5 - p steps, the last of which gives the prize.
    [2, 3, 4].forEach((p) => expect(values[p][1]).toBeCloseTo(0.9 ** (4 - p), 1));
    expect(Math.abs(values[0][0])).toBeLessThan(0.15);
    expect(run.metrics["return/mean"]).toBeGreaterThan(0.5);
    expect(run.metrics["replay/size"]).toBe(500);
  });

  it("supports a custom optimiser around Adam, and resumes exactly", () => {
    const held = dqn.with("held", {
      parts: (_, o, context) => dqnParts(o, context, "held", { optimiser: (adam) => nn.fixedNorm(adam) }),
    });
    const options = { algorithm: held(small), env: corridor(), steps: 2000, seed: 1 };
    const matrices = (run: Run) =>
      [...nn.flattenNames(run.process.acting!.weights).values()].filter((t) => t.rank > 1);
    const lengths = (run: Run) => matrices(run).map((t) => nn.globalNorm(t).item());
    const run = new Run(options);
    const first = lengths(run);
    const before = matrices(run).map((t) => t.data[0]);
    run.advance(1024);
    const copy = run.fork();
    for (const one of [run, copy]) one.advance();
    lengths(run).forEach((length, i) => expect(length).toBeCloseTo(first[i], 4));
    matrices(run).forEach((t, i) => expect(t.data[0]).not.toBe(before[i]));
    expect(fingerprint(copy)).toEqual(fingerprint(run));
    expect(score(run)).toBeGreaterThan(0.9);
  });

  it("prefers no action without rewards", () => {
    const run = trained({ algorithm: dqn(small), env: corridor(0), steps: 1500, seed: 1 });
    for (const [left, right] of corridorValues(run)) expect(Math.abs(left - right)).toBeLessThan(0.03);
  });

  it("never takes a masked action, however good it would be", () => {
    const run = trained({ algorithm: dqn(small), env: corridor(1, { masked: true }), steps: 600, seed: 1 });
    expect(score(run)).toBe(0);
    expect(run.metrics["return/mean"]).toBe(0);
  });

  it.each([1, 3])("bootstraps from truncated episodes (%i steps)", (nStep) => {
    const options = { ...small, gamma: 0.5, nStep, learningRate: 1e-2 };
    const run = trained({ algorithm: dqn(options), env: endless("discrete"), steps: 1500, seed: 1 });
    expect(run.metrics["value/mean"]).toBeCloseTo(2, 1);
  });

  it.each([
    ["dueling", { dueling: true }],
    ["noisy", { noisy: true, epsilon: 0 }],
    ["prioritised, three steps", { prioritised: true, nStep: 3 }],
    ["categorical", { distribution: "categorical" as const, low: 0, high: 1, atoms: 21 }],
    ["quantile", { distribution: "quantile" as const, atoms: 11 }],
    ["several environments and updates", { envs: 4, updates: 4 }],
    [
      "polyak-averaged target, huber, no double",
      { tau: 0.05, targetEvery: 1, loss: "huber" as const, double: false },
    ],
  ])("learns with %s", (_, extra) => {
    const run = trained({ algorithm: dqn({ ...small, ...extra }), env: corridor(), steps: 1500, seed: 1 });
    expect(score(run)).toBeCloseTo(1, 9);
  });

  it("rainbow learns with everything on", () => {
    const { epsilon: _, ...rest } = small;
    const options = { ...rest, low: 0, high: 1, atoms: 21 };
    expect(
      score(trained({ algorithm: rainbow(options), env: corridor(), steps: 1500, seed: 1 })),
    ).toBeCloseTo(1, 9);
  });

  it.each([
    ["plain", {}],
    [
      "everything",
      {
        noisy: true,
        prioritised: true,
        nStep: 3,
        dueling: true,
        distribution: "quantile" as const,
        atoms: 5,
      },
    ],
  ])("continues exactly after saving and restoring (%s)", (_, extra) => {
    const options = { algorithm: dqn({ ...small, ...extra }), env: corridor(), steps: 1000, seed: 3 };
    const whole = trained(options);
    const begun = new Run(options);
    begun.advance(500);
    const resumed = begun.fork();
    begun.advance();
    resumed.advance();
    // Equal seeds give equal runs, and so does a copy that continued on its own.
    expect(fingerprint(begun)).toEqual(fingerprint(whole));
    expect(fingerprint(resumed)).toEqual(fingerprint(whole));
  });

  it("rejects continuous actions", () => {
    expect(() => trained({ algorithm: dqn(), env: aim(), steps: 10 })).toThrow("needs discrete actions");
    expect(() =>
      trained({
        algorithm: dqn({ distribution: "categorical", low: 1, high: 1 }),
        env: corridor(),
        steps: 10,
      }),
    ).toThrow("low < high");
  });
});

describe("value forms", () => {
  const rows = (x: number[][]) => tensor(x);
  it("expected: half the squared error to r + γ v", () => {
    const { loss, error } = expected("squared").compare(tensor([1, 2]), {
      next: tensor([3, 5]),
      reward: tensor([1, 0]),
      discount: tensor([0.5, 0]),
    });
    expect(error.toArray()).toEqual([1.5, 2]);
    expect(loss.toArray()).toEqual([1.125, 2]);
    expect(
      expected("huber")
        .compare(tensor([0]), { next: tensor([0]), reward: tensor([3]), discount: tensor([0]) })
        .loss.item(),
    ).toBe(2.5);
  });

  it("categorical: shifted atoms are split between neighbours", () => {
    // Atoms 0, 1, 2. The next state has return 1 with certainty; 0.25 + 0.5 · 1 = 0.75 lies three quarters of the
    // way from 0 to 1.
    const form = categorical({ atoms: 3, low: 0, high: 2 });
    const sure = rows([[-50, 50, -50]]);
    const { loss } = form.compare(rows([[0, 0, 0]]), {
      next: sure,
      reward: tensor([0.25]),
      discount: tensor([0.5]),
    });
    expect(loss.item()).toBeCloseTo(Math.log(3), 5);
    const apart = form
      .compare(rows([[0, 1, 0]]), { next: sure, reward: tensor([0.25]), discount: tensor([0.5]) })
      .loss.item();
    const z = Math.log(2 + Math.E);
    expect(apart).toBeCloseTo(0.25 * z + 0.75 * (z - 1), 5);
    // Beyond the support everything is at its end.
    const beyond = form
      .compare(rows([[0, 0, 9]]), { next: sure, reward: tensor([100]), discount: tensor([0]) })
      .loss.item();
    expect(beyond).toBeLessThan(0.001);
    expect(form.mean(rows([[0, 0, 0]])).item()).toBeCloseTo(1, 5);
  });

  it("quantiles: the median of the targets has zero gradient", () => {
    const form = quantiles({ atoms: 1 });
    const at = (x: number) =>
      form
        .compare(rows([[x]]), { next: rows([[1]]), reward: tensor([0]), discount: tensor([1]) })
        .loss.item();
    expect(at(1)).toBe(0);
    expect(at(1.5)).toBeCloseTo(at(0.5), 6);
    // Of two quantiles the lower one is pulled down three times as hard as up.
    const two = quantiles({ atoms: 2 });
    const loss = two
      .compare(rows([[2, 0]]), { next: rows([[0, 0]]), reward: tensor([0]), discount: tensor([0]) })
      .loss.item();
    expect(loss).toBeCloseTo(0.75 * 1.5, 5);
  });
});

describe("noisy networks", () => {
  it("differ with the key and equal their means without one", () => {
    const network = qNetwork({ inputs: 3, actions: 2, atoms: 1, hidden: [4, 4], dueling: true, noisy: true });
    const params = network.init(random.key(0));
    const x = tensor([[1, 2, 3]]);
    const at = (key?: Tensor) => String(network.apply(params, x, { key }));
    expect(at(random.key(1))).toBe(at(random.key(1)));
    expect(at(random.key(1))).not.toBe(at(random.key(2)));
    expect(at()).toBe(at());
  });
});
