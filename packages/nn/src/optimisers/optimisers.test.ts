import {
  compile,
  matmul,
  mul,
  random,
  scalar,
  sigmoid,
  sin,
  square,
  sub,
  sum,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import {
  accumulate,
  adam,
  adamW,
  clipGlobalNorm,
  clipValue,
  globalNorm,
  lion,
  mlp,
  type Optimiser,
  type OptimiserState,
  polyak,
  rAdam,
  rmsProp,
  sgd,
} from "../index.ts";
import { expectClose, fromTorch, torch } from "../testing.ts";

/** The settings of the fixtures (inferred from their first steps). */
const settings: Record<string, Optimiser> = {
  sgd: sgd({ learningRate: 0.1 }),
  sgd_momentum: sgd({ learningRate: 0.1, momentum: 0.9 }),
  sgd_nesterov: sgd({ learningRate: 0.1, momentum: 0.9, nesterov: true }),
  rmsprop: rmsProp({ learningRate: 0.01, alpha: 0.99, epsilon: 1e-5 }),
  adam: adam({ learningRate: 0.01 }),
  adamw: adamW({ learningRate: 0.01, weightDecay: 0.1 }),
  adam_amsgrad: adam({ learningRate: 0.01, amsgrad: true }),
};

describe("against PyTorch", () => {
  const { optimizers } = torch();
  it("has entries", () => expect(optimizers.length).toBeGreaterThan(0));
  it.each(
    optimizers.filter((o) => o.optimizer && settings[o.optimizer]).map((o) => [o.optimizer!, o] as const),
  )("%s makes the same steps", (name, { A, weights }) => {
    const optimiser = settings[name];
    const update = compile(
      (w: Tensor, s: OptimiserState<Tensor>, a: Tensor) => {
        const { gradient } = valueAndGradient((v: Tensor) => sum(square(sin(matmul(a, v)))))(w);
        return optimiser.update(gradient, s, w);
      },
      { donate: [0, 1] },
    );
    let params = fromTorch(weights[0]);
    let state = optimiser.init(params);
    for (const expected of weights.slice(1)) {
      ({ params, state } = update(params, state, fromTorch(A)));
      expectClose(params, expected.data, 5e-6);
    }
    expect(state.step.item()).toBe(weights.length - 1);
  });
  it.each(optimizers.filter((o) => o.clip_grad_norm))("clips the global norm", (c) => {
    const { gradients, norm } = clipGlobalNorm({ g: fromTorch(c.grad) }, c.clip_grad_norm!);
    expect(norm.item()).toBeCloseTo(c.norm, 4);
    expectClose(gradients.g, c.after.data, 1e-6);
  });
});

it("rAdam makes the steps of the paper", () => {
  const gradients = [0.5, -2, 1, 0.25, 3, -1, 0.5, 0.1];
  const [b1, b2, rate] = [0.9, 0.9, 0.1];
  const optimiser = rAdam({ learningRate: rate, beta1: b1, beta2: b2 });
  let [w, m, v] = [1, 0, 0];
  let params: Tensor = tensor([1]);
  let state = optimiser.init(params);
  gradients.forEach((g, i) => {
    const t = i + 1;
    m = b1 * m + (1 - b1) * g;
    v = b2 * v + (1 - b2) * g * g;
    const most = 2 / (1 - b2) - 1;
    const now = most - (2 * t * b2 ** t) / (1 - b2 ** t);
    const rectified = Math.sqrt(((now - 4) * (now - 2) * most) / ((most - 4) * (most - 2) * now));
    const root = Math.sqrt(v / (1 - b2 ** t)) + 1e-8;
    w -= (rate * m * (now > 5 ? rectified / root : 1)) / (1 - b1 ** t);
    ({ params, state } = optimiser.update(tensor([g]), state, params));
    expect(params.item()).toBeCloseTo(w, 5);
  });
});

const every: [string, Optimiser][] = [
  ["sgd", sgd({ learningRate: 0.8 })],
  ["momentum", sgd({ learningRate: 0.3, momentum: 0.8 })],
  ["nesterov", sgd({ learningRate: 0.3, momentum: 0.8, nesterov: true })],
  ["rmsProp", rmsProp({ learningRate: 0.02 })],
  ["rmsProp, centred with momentum", rmsProp({ learningRate: 0.005, momentum: 0.7, centred: true })],
  ["adam", adam({ learningRate: 0.05 })],
  ["rAdam", rAdam({ learningRate: 0.05 })],
  ["adamW", adamW({ learningRate: 0.05 })],
  ["amsgrad", adam({ learningRate: 0.05, amsgrad: true })],
  ["lion", lion({ learningRate: 0.02, weightDecay: 0.01 })],
  ["accumulated adam", accumulate(adam({ learningRate: 0.08 }), 2)],
];

describe.each(every)("%s", (_, optimiser) => {
  const net = mlp({ inputs: 2, hidden: [8], outputs: 1 });
  const x = tensor([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  const y = tensor([[0], [1], [1], [0]]);
  type Params = ReturnType<typeof net.init>;
  type State = OptimiserState<Params>;
  const step = (p: Params, s: State, rate?: Tensor) => {
    const { value, gradient } = valueAndGradient((q: Params) =>
      mul(sum(square(sub(sigmoid(net.apply(q, x)), y))), 1),
    )(p);
    return { loss: value, ...optimiser.update(gradient, s, p, { learningRate: rate }) };
  };
  it("fits XOR, compiled, in place", () => {
    const update = compile((p: Params, s: State) => step(p, s), { donate: [0, 1] });
    let now = { params: net.init(random.key(2)), state: optimiser.init(net.init(random.key(2))) };
    const bound = update.bind(now.params, now.state);
    for (let i = 0; i < 400; i++) bound.run();
    now = bound.result;
    expect(bound.result.loss.item()).toBeLessThan(0.05);
    expect(bound.result.params.layers[0].weight).toBe(now.params.layers[0].weight);
  });
  it("gives the same results eagerly, with a learning rate from a tensor", () => {
    const update = compile((p: Params, s: State, rate: Tensor) => step(p, s, rate));
    const start = net.init(random.key(3));
    let [eager, compiled] = [0, 1].map(() => ({ params: start, state: optimiser.init(start) }));
    for (let i = 0; i < 3; i++) {
      eager = step(eager.params, eager.state, scalar(0.01 * (i + 1)));
      compiled = update(compiled.params, compiled.state, 0.01 * (i + 1));
    }
    expectClose(compiled.params.layers[0].weight, eager.params.layers[0].weight, 1e-5);
    const still = update(start, optimiser.init(start), 0);
    expectClose(still.params.layers[0].weight, start.layers[0].weight, 1e-7);
  });
});

describe("by hand", () => {
  const p = { w: tensor([1, -2]) };
  const g = { w: tensor([0.5, 0]) };
  const one = (o: Optimiser) => o.update(g, o.init(p), p).params.w;
  it("decays: L2 in the gradient, or decoupled", () => {
    expectClose(one(sgd({ learningRate: 0.1, weightDecay: 0.5 })), [1 - 0.1 * (0.5 + 0.5), -2 + 0.1], 1e-6);
    expectClose(one(adamW({ learningRate: 0.1, weightDecay: 0.5 })), [1 * 0.95 - 0.1, -2 * 0.95], 1e-6);
    expectClose(one(adam({ learningRate: 0.1, weightDecay: 0.5 })), [1 - 0.1, -2 + 0.1], 1e-6);
    expectClose(one(lion({ learningRate: 0.1, weightDecay: 0.5 })), [0.95 - 0.1, -1.9], 1e-6);
  });
  it("dampens from the second step on, as in PyTorch", () => {
    const o = sgd({ learningRate: 1, momentum: 0.5, dampening: 0.25 });
    const first = o.update(g, o.init(p), p);
    expectClose(first.params.w, [0.5, -2], 1e-6);
    expectClose(o.update(g, first.state, first.params).params.w, [0.5 - (0.25 + 0.375), -2], 1e-6);
  });
  it("excludes parameters from decay", () => {
    const o = adamW({ learningRate: 0.1, weightDecay: 0.5, decays: (name) => name !== "w" });
    expectClose(one(o), [0.9, -2], 1e-6);
  });
  it("flushes tiny moments to 0", () => {
    const o = adam();
    const state = o.init(p);
    state.slots.mean.w.set([1e-35, 1e-20]);
    state.slots.square.w.set([1e-38, 1e-20]);
    const next = o.update({ w: tensor([0, 0]) }, state, p).state.slots;
    expect(Array.from(next.mean.w.data)).toEqual([0, Math.fround(Math.fround(1e-20) * Math.fround(0.9))]);
    expect(next.square.w.data[0]).toBe(0);
  });
  it("does not change integers", () => {
    const o = adam();
    const mixed = { w: tensor([1]), n: tensor([3], { dtype: "i32" }) };
    const next = o.update({ w: tensor([1]), n: tensor([0]) }, o.init(mixed), mixed).params;
    expect(next.n.toArray()).toEqual([3]);
  });
  it("matches gradients and statistics by name", () => {
    const o = adam();
    const swapped = <T>({ v, w }: { v: T; w: T }) => ({ w, v });
    const params = { v: tensor([1]), w: tensor([5]) };
    const gradients = { v: tensor([1]), w: tensor([-3]) };
    const first = o.update(gradients, o.init(params), params);
    const { step, slots } = first.state;
    const turned = Object.fromEntries(Object.entries(slots).map(([n, s]) => [n, swapped(s)]));
    const expected = o.update(gradients, first.state, first.params).params;
    const got = o.update(swapped(gradients), { step, slots: turned }, first.params).params;
    expect([got.v.item(), got.w.item()]).toEqual([expected.v.item(), expected.w.item()]);
    const mean = polyak({ v: tensor([0]), w: tensor([10]) }, { w: tensor([20]), v: tensor([2]) }, 0.5);
    expect([mean.v.item(), mean.w.item()]).toEqual([1, 15]);
  });
  it("names the mismatched gradient", () => {
    const o = sgd();
    expect(() => o.update({ w: tensor([1]) } as typeof p, o.init(p), p)).toThrow(
      'the gradient of "w" has shape [1]; the parameter has [2]',
    );
    expect(() => o.update({ w: tensor([1]), v: tensor([1]) } as typeof p, o.init(p), p)).toThrow(
      "the tree of gradients has another structure: at its root is an object {w, v}",
    );
    expect(() => sgd({ nesterov: true })).toThrow("Set momentum");
  });
});

describe("clipping, accumulation and averaging", () => {
  it("does not change small gradients", () => {
    const g = { a: tensor([0.3, 0]), b: [tensor([0.4])] };
    expect(globalNorm(g).item()).toBeCloseTo(0.5, 6);
    expectClose(clipGlobalNorm(g, 1).gradients.b[0], [0.4], 1e-6);
    expectClose(clipValue(g, 0.35).b[0], [0.35], 1e-6);
  });
  it("accumulates the mean gradient, then makes one update", () => {
    const plain = sgd({ learningRate: 1 });
    const o = accumulate(plain, 2);
    const p = { w: tensor([1]) };
    const first = o.update({ w: tensor([2]) }, o.init(p), p);
    expect(first.params.w.toArray()).toEqual([1]);
    expect(first.state.slots.accumulated.w.toArray()).toEqual([1]);
    const second = o.update({ w: tensor([4]) }, first.state, first.params);
    expect(second.params.w.toArray()).toEqual([-2]);
    expect(second.state.step.item()).toBe(2);
    expect(second.state.slots.accumulated.w.toArray()).toEqual([0]);
    expect(() => accumulate(plain, 0)).toThrow("an integer of at least 1");
  });
  it("moves the target by the given fraction", () => {
    expectClose(polyak({ w: tensor([1]) }, { w: tensor([3]) }, 0.25).w, [1.5], 1e-6);
    expectClose(polyak({ w: tensor([1]) }, { w: tensor([3]) }, scalar(1)).w, [3], 1e-6);
  });
});
