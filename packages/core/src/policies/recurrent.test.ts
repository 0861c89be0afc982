import { random, slice, type Tensor, type Tree, tensor, treeMap, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../recorded-step.ts";
import { box, discrete } from "../space.ts";
import { recurrentActorCritic } from "./recurrent.ts";

const [time, rows] = [6, 3];
const observation = random.normal(random.key(1), [time, rows, 2]);
const first = tensor(
  Array.from({ length: time }, (_, t) => [t === 0, t === 0 || t === 3, t === 0 || t === 5]),
);
const at = <T extends Tree>(x: T, t: number): T =>
  treeMap((c: Tensor) => slice(c, [[t, t + 1]]).reshape(c.shape.slice(1)), x) as T;

const kinds = [
  ["gru", discrete(3), {}],
  ["lstm", box([2], -1, 1), { noise: "correlated" }],
  ["mingru", discrete(3), { memoryLayers: 2 }],
  ["ffm", discrete(3), {}],
  ["hcam", discrete(3), { memorySteps: 6, memoryHeads: 2, memoryChunk: 2, memoryRecall: 1 }],
  ["transformer", discrete(3), { memorySteps: 3, memoryHeads: 2, memoryLayers: 2 }],
  ["transformer", discrete(3), { memorySteps: 3, memoryHeads: 2, memoryJoin: "post-norm" }],
] as const;

describe.each(kinds)("%s", (kind, action, options) => {
  const spec = { id: "Test-v0", observation: box([2]), action };
  const policy = recurrentActorCritic(spec, { kind, units: 8, hidden: [4], ...options });
  const weights = policy.init(random.key(2));
  const act = (view: PolicyInput, state: Tree, key: Tensor) => policy.act(weights, view, state as never, key);

  it("scores a sequence as it acted step by step, with episodes that start in between", () => {
    let state: Tree = policy.start!(rows);
    const steps = Array.from({ length: time }, (_, t) => {
      const acted = act({ observation: at(observation, t), first: at(first, t) }, state, random.key(t));
      state = acted.state;
      return acted;
    });
    const stack = (pick: (a: (typeof steps)[number]) => Tree): Tree =>
      treeMap(
        (...ts: Tensor[]) =>
          tensor(
            ts.flatMap((x) => Array.from(x.data)),
            { shape: [time, ...ts[0].shape], dtype: ts[0].dtype },
          ),
        pick(steps[0]),
        ...steps.slice(1).map(pick),
      );
    const judged = policy.score(weights, {
      view: { observation, first },
      action: stack((a) => a.action),
      trace: steps[0].trace && stack((a) => a.trace!),
      state: policy.start!(rows),
    });
    const close = (x: Tensor, y: Tree) =>
      (y as Tensor).data.forEach((v, i) => expect(x.data[i]).toBeCloseTo(v, 4));
    close(
      judged.logProb,
      stack((a) => a.logProb!),
    );
    close(
      judged.value!,
      stack((a) => a.value!),
    );
  });

  it("remembers: the value depends on earlier observations of the same episode only", () => {
    const view = { observation: at(observation, 1), first: zeros([rows], "bool") };
    const start = policy.start!(rows);
    const { state } = act({ observation: at(observation, 0), first: at(first, 0) }, start, random.key(0));
    const fresh = policy.value!(weights, view, start);
    const later = policy.value!(weights, view, state as never);
    expect(Array.from(later.data)).not.toEqual(Array.from(fresh.data));
    const anew = policy.value!(weights, { ...view, first: at(first, 0) }, state as never);
    anew.data.forEach((v, i) => expect(v).toBeCloseTo(fresh.data[i], 5));
  });
});
