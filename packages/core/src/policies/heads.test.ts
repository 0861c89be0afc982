import { leaves, random, type Tensor, type Tree, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { EnvSpec } from "../env.ts";
import {
  box,
  dict,
  discrete,
  multiBinary,
  multiDiscrete,
  type Space,
  simplex,
  text,
  tuple,
} from "../space.ts";
import { contains } from "../spaces/check.ts";
import { read } from "../spaces/write.ts";
import { actorCritic } from "./actor-critic.ts";
import type { HeadOptions } from "./head.ts";
import { headFor } from "./heads.ts";

const rows = 32;
const policyFor = (action: Space, options: HeadOptions = {}) => {
  const spec: EnvSpec = { id: "Test-v0", observation: box([3]), action };
  return actorCritic(spec, { hidden: [8], ...options });
};
const observation = random.normal(random.key(5), [rows, 3]);
const first = tensor(Array.from({ length: rows }, (_, i) => i % 2 === 0));

const spaces: [string, Space, HeadOptions?][] = [
  ["discrete", discrete(4)],
  ["discrete, not from 0", discrete(3, -1)],
  ["multi-discrete", multiDiscrete([2, 5, 3])],
  ["multi-binary", multiBinary(4)],
  ["normal", box([2], -2, 3)],
  ["normal without bounds", box([2])],
  ["normal, one bounded of two", box([2], [-1, Number.NEGATIVE_INFINITY], [1, Number.POSITIVE_INFINITY])],
  [
    "normal, bounded on one side",
    box([3], [0, Number.NEGATIVE_INFINITY, -1], [Number.POSITIVE_INFINITY, 0, 1]),
  ],
  ["normal of two axes", box([2, 3], -1, 1)],
  ["tanh", box([2], [0, -5], [1, 5]), { continuous: "tanh" }],
  ["beta", box([2], [0, -5], [1, 5]), { continuous: "beta" }],
  ["state-dependent", box([2], -1, 1), { noise: "state-dependent" }],
  ["correlated, squashed", box([2], -1, 1), { noise: "correlated", continuous: "tanh" }],
  ["simplex", simplex(4)],
  ["hybrid", dict({ move: discrete(3), aim: tuple(box([2], -1, 1), multiBinary(2)) })],
];

describe.each(spaces)("%s actions", (_, action, options) => {
  const policy = policyFor(action, options);
  const weights = policy.init(random.key(1));
  const state = (policy.start?.(rows) ?? {}) as Tree;
  const act = (key: Tensor) => policy.act(weights, { observation, first }, state as never, key);

  it("lie in their space, and are scored as likely as when they were sampled", () => {
    const acted = act(random.key(2));
    for (let r = 0; r < rows; r++) {
      const value = read(action, acted.action, r);
      expect(contains(action, value), JSON.stringify(value)).toBe(true);
    }
    const judged = policy.score(weights, {
      view: { observation, first },
      action: acted.action,
      trace: acted.trace,
    });
    judged.logProb.data.forEach((l, i) => expect(l).toBeCloseTo(acted.logProb!.data[i], 4));
    if (!options?.noise) {
      // Logs hold executed actions only; clipped ones count as actions at the bound.
      const logged = policy.score(weights, { view: { observation, first }, action: acted.action });
      const isClipped = !options?.continuous && ["box", "dict"].includes(action.kind);
      logged.logProb.data.forEach((l, i) => {
        expect(Number.isFinite(l)).toBe(true);
        if (!isClipped) expect(Math.abs(l - acted.logProb!.data[i])).toBeLessThan(0.01);
      });
    }
    expect(judged.entropy.shape).toEqual([rows]);
    expect(judged.entropy.data.every(Number.isFinite)).toBe(true);
    expect(policy.value!(weights, { observation }).data).toEqual(judged.value!.data);
  });

  it("differ between keys, and are deterministic without one", () => {
    const numbers = (a: Tree) => leaves(a).flatMap((t) => Array.from(t.data));
    const best = () => numbers(policy.act(weights, { observation, first }, state as never).action);
    expect(best()).toEqual(best());
    expect(numbers(act(random.key(2)).action)).not.toEqual(numbers(act(random.key(3)).action));
  });
});

it.each(["normal", "tanh", "beta"] as const)("%s actions at a bound do not round beyond it", (continuous) => {
  // The half widths and centres of these bounds, in f32, add up to numbers beyond them.
  const [low, high] = [
    [0.1, -0.1, -0.4, 0.1],
    [0.3, 1.1, 2.3, 3.3],
  ].map((bounds) => bounds.map(Math.fround));
  const head = headFor(box([4], low, high), { continuous });
  const far = continuous === "beta" ? 1 : 50;
  const at = (sign: number) => [...(head.execute(tensor([Array(4).fill(sign * far)])) as Tensor).data];
  expect(at(-1)).toEqual(low);
  expect(at(1)).toEqual(high);
});

describe("masks", () => {
  const masks: [string, Space, Tree, (value: never) => boolean][] = [
    ["discrete", discrete(3), [[0, 1, 1]], (v: number) => v !== 0],
    ["multi-discrete", multiDiscrete([2, 3]), [[1, 0, 0, 0, 1]], (v: number[]) => v[0] === 0 && v[1] === 2],
    ["multi-binary", multiBinary(3), [[1, 0, 0, 1, 1, 1]], (v: number[]) => v[0] === 0 && v[1] === 1],
  ].map(([name, space, rowsOf, allowed]) => {
    const row = (rowsOf as number[][])[0].map((x) => x === 1);
    return [name, space, tensor(Array.from({ length: rows }, () => row)), allowed] as never;
  });
  it.each(masks)(
    "of %s actions: a masked action is never sampled, and has probability 0",
    (_, action, mask, allowed) => {
      const policy = policyFor(action);
      const weights = policy.init(random.key(1));
      const act = (key: Tensor) => policy.act(weights, { observation, mask }, {} as never, key).action;
      for (let k = 0; k < 8; k++) {
        const actions = act(random.key(k));
        for (let r = 0; r < rows; r++) expect(allowed(read(action, actions, r) as never)).toBe(true);
      }
      const head = headFor(action);
      const free = action.kind === "multiBinary" ? [0.3, -0.2, 0.4] : Array(head.outputs).fill(0.1);
      const one = (mask as Tensor).slice([[0, 1]]);
      const d = head.distribution({}, tensor([free]), { mask: one });
      const forbidden: Tree =
        { discrete: tensor([0], { dtype: "i32" }) }[action.kind as string] ??
        tensor([[1, 0, 0].slice(0, action.kind === "multiDiscrete" ? 2 : 3)], { dtype: "i32" });
      expect(Math.exp(d.logProb(forbidden).item())).toBe(0);
      expect(Number.isFinite(d.entropy().item())).toBe(true);
    },
  );

  it("of the parts of a hybrid action", () => {
    const action = dict({ move: discrete(2), jump: multiBinary(1) });
    const mask = {
      move: tensor(Array.from({ length: rows }, () => [false, true])),
      jump: tensor(Array.from({ length: rows }, () => [true, false])),
    };
    const policy = policyFor(action);
    const weights = policy.init(random.key(1));
    const { action: acted } = policy.act(weights, { observation, mask }, {} as never, random.key(2));
    const { move, jump } = acted as { move: Tensor; jump: Tensor };
    expect(move.data.every((m) => m === 1)).toBe(true);
    expect(jump.data.every((j) => j === 0)).toBe(true);
  });
});

describe("a space without a head", () => {
  it("is named", () => {
    expect(() => headFor(text())).toThrow("no distribution for text actions");
    expect(() => headFor(discrete(2), { noise: "correlated" })).toThrow("needs continuous actions");
    expect(() => headFor(box([1]), { continuous: "tanh" })).toThrow('"tanh" actions need bounds');
    expect(() => headFor(box([1], 0, 1), { continuous: "beta", noise: "correlated" })).toThrow(
      "needs normal actions",
    );
  });
});
