import {
  box,
  dict,
  discrete,
  type EnvSpec,
  graph,
  image,
  list,
  multiBinary,
  multiDiscrete,
  type Space,
  simplex,
  text,
  tuple,
  type Value,
} from "@reins/core";
import { actorCritic, recurrentActorCritic, teams } from "@reins/core/policies";
import { defaultRng } from "@reins/core/random";
import { choiceSizes, columns, maskSize, readValue, sampleValue, writeValue } from "@reins/core/spaces";
import { flattenNames, unflattenNames } from "@reins/nn";
import { type Tensor, tensor } from "@reins/tensor";
import * as ort from "onnxruntime-web";
import { describe, expect, it } from "vitest";
import { loadAgent } from "../agents/eager.ts";
import { exportOnnx } from "./export-onnx.ts";
import { apart, fileOf, moduleOf, numbersOf } from "./testing-export.ts";
import type { ExportOptions } from "./trace.ts";

ort.env.wasm.numThreads = 1;

const near = 1e-5;
const kinds = { f32: "float32", i32: "int32", u32: "uint32", u8: "uint8", bool: "bool" } as const;

/** An ONNX model as a function of values. */
async function modelOf(file: Uint8Array, { observation, action }: EnvSpec, options?: ExportOptions) {
  const session = await ort.InferenceSession.create(await exportOnnx(file, options));
  const feed = (prefix: string, tree: Parameters<typeof flattenNames>[0]) =>
    [...flattenNames(tree)].map(([path, t]) => [
      path ? `${prefix}.${path}` : prefix,
      new ort.Tensor(kinds[t.dtype], t.data.slice(), t.shape),
    ]);
  return {
    session,
    async act(values: readonly Value[], more: { readonly [name: string]: ort.Tensor } = {}) {
      const seen = columns(observation, values.length);
      values.forEach((value, row) => void writeValue(observation, seen, row, value));
      const out = await session.run({ ...Object.fromEntries(feed("observation", seen)), ...more });
      const parts = Object.entries(out).filter(([name]) => /^action(\.|$)/.test(name));
      const tree = unflattenNames(
        parts.map(([name, t]): [string, Tensor] => [
          name.slice("action.".length),
          tensor(t.data as Float32Array, { shape: [...t.dims] }),
        ]),
      );
      return { actions: values.map((_, row) => readValue(action, tree, row)), out };
    },
  };
}

const values = (space: Space, count: number) => {
  const rng = defaultRng(7);
  return Array.from({ length: count }, () => sampleValue(space, rng));
};

/** Compares an agent with its two exports step by step; the model also with several rows at once. */
async function compare(spec: EnvSpec, file: Uint8Array, { module = true, rows = 6 } = {}) {
  const agent = await loadAgent(file);
  const seen = values(spec.observation, rows);
  const expected = seen.map((value) => agent.act(value));
  const { act } = await modelOf(file, spec);
  const { actions } = await act(seen);
  actions.forEach((action, i) => expect(apart(action, expected[i])).toBeLessThan(near));
  if (!module) return;
  const written = await moduleOf(file);
  seen.forEach((value, i) => expect(apart(written.act(value), expected[i])).toBeLessThan(near));
  seen.forEach((value, i) => expect(typeof written.act(value)).toBe(typeof expected[i]));
}

const specOf = (observation: Space, action: Space): EnvSpec => ({ id: "Test-v0", observation, action });

describe("actions", () => {
  it.each<[string, Space, Parameters<typeof actorCritic>[1]?]>([
    ["discrete", discrete(4)],
    ["discrete, not from 0", discrete(3, -1)],
    ["multi-discrete", multiDiscrete([2, 5, 3])],
    ["multi-binary", multiBinary(4)],
    ["normal", box([2], -2, 3)],
    ["normal without bounds", box([2])],
    ["normal, one bounded of two", box([2], [-1, Number.NEGATIVE_INFINITY], [1, Number.POSITIVE_INFINITY])],
    ["normal of two axes", box([2, 3], -1, 1)],
    ["a single number", box([], -1, 1)],
    ["tanh", box([2], [0, -5], [1, 5]), { continuous: "tanh" }],
    ["beta", box([2], [0, -5], [1, 5]), { continuous: "beta" }],
    ["state-dependent", box([2], -1, 1), { noise: "state-dependent" }],
    ["simplex", simplex(4)],
    ["hybrid", dict({ move: discrete(3), aim: tuple(box([2], -1, 1), multiBinary(2)) })],
  ])("%s", async (_, action, options) => {
    const spec = specOf(box([3]), action);
    await compare(spec, fileOf(spec, actorCritic(spec, { hidden: [8], ...options })));
  });
});

describe("observations", () => {
  it.each<[string, Space, boolean?]>([
    ["discrete", discrete(5, 1)],
    ["multi-discrete", multiDiscrete([2, 3])],
    ["bits", multiBinary(3)],
    ["a single number", box([], 0, 1)],
    ["two axes", box([2, 3])],
    ["a dictionary", dict({ where: box([2]), "how fast": tuple(discrete(3), box([1])) })],
    ["a picture", image(36, 36, 3)],
    ["a picture and numbers", dict({ view: image(16, 20, 1), speed: box([2]) })],
    ["a list", list(tuple(discrete(4), box([2])), 5), false],
    ["text", text(12), false],
    ["a graph", graph({ maxNodes: 3, maxEdges: 4, nodeFeatures: 2, edgeFeatures: 1 }), false],
  ])("%s", async (_, observation, module = true) => {
    const spec = specOf(observation, box([2], -1, 1));
    const file = fileOf(spec, actorCritic(spec, { hidden: [8] }));
    const isPicture = JSON.stringify(observation).includes('"image"');
    await compare(spec, file, { module, rows: isPicture ? 2 : 6 });
    // Convolutions become Conv nodes, which are fast in runtimes.
    if (isPicture || observation.kind === "text")
      expect(Buffer.from(await exportOnnx(file)).includes("Conv")).toBe(true);
    if (!module) await expect(moduleOf(file)).rejects.toThrow("modules need values of a fixed size");
  });
});

it("masks are optional inputs", async () => {
  const rng = defaultRng(3);
  for (const action of [discrete(4), multiDiscrete([2, 3]), multiBinary(2)]) {
    const spec = specOf(box([3]), action);
    const file = fileOf(spec, actorCritic(spec, { hidden: [8] }));
    const choices = choiceSizes(action);
    const agent = await loadAgent(file);
    const model = await modelOf(file, spec, { mask: true });
    const module = await moduleOf(file, { mask: true });
    for (const value of values(spec.observation, 8)) {
      const mask = Uint8Array.from({ length: maskSize(action) }, () => rng.integers(0, 2));
      // At least one option of every choice is allowed.
      for (let at = 0, i = 0; i < choices.length; at += choices[i++]) mask[at] = 1;
      const expected = agent.act(value, mask);
      const given = { mask: new ort.Tensor("bool", mask, [1, mask.length]) };
      expect(numbersOf((await model.act([value], given)).actions[0])).toEqual(numbersOf(expected));
      expect(numbersOf(module.act(value, { mask }))).toEqual(numbersOf(expected));
    }
    expect(model.session.inputNames).toEqual(["observation", "mask"]);
  }
});

it("policies that depend on the agent take its index", async () => {
  const plain = specOf(box([3]), discrete(4));
  const agents = { names: ["a", "b"], order: "parallel", policies: ["left", "right"] } as const;
  const spec = { ...plain, agents };
  const policy = teams(spec, {
    left: actorCritic(plain, { hidden: [8] }),
    right: actorCritic(plain, { hidden: [8] }),
  });
  const file = fileOf(spec, policy);
  const model = await modelOf(file, spec);
  const module = await moduleOf(file);
  expect(model.session.inputNames).toEqual(["observation", "agent"]);
  const seen = values(spec.observation, 8);
  const slots = Int32Array.from({ length: 8 }, (_, i) => i % 2);
  const { actions } = await model.act(seen, { agent: new ort.Tensor("int32", slots, [8]) });
  expect(seen.map((value, i) => module.act(value, { agent: i % 2 }))).toEqual(actions);
  const agent = await loadAgent(file);
  expect(seen.map((value, i) => agent.act(value, { agent: i % 2 }))).toEqual(actions);
  expect(() => module.act(seen[0])).toThrow("act: agent contains undefined, which is not a number.");
  expect(() => agent.act(seen[0])).toThrow("Test-v0 has several policies. Name the agent that acts");
  // A shared policy takes no agent index.
  const alike = { ...plain, agents: { names: ["a", "b"], order: "parallel" } as const };
  const one = await modelOf(fileOf(alike, actorCritic(alike, { hidden: [8] })), alike);
  expect(one.session.inputNames).toEqual(["observation"]);
});

it("rejects unsupported wrappers by name", async () => {
  const spec = specOf(box([3]), box([2], -1, 1));
  const policy = actorCritic(spec, { hidden: [8] });
  const stacked = fileOf(spec, policy, { wrappers: [{ name: "frameStack" }] });
  await expect(exportOnnx(stacked)).rejects.toThrow("exports do not support the wrapper frameStack");
  await expect(exportOnnx(fileOf(spec, policy), { mask: true })).rejects.toThrow(
    "does not support action masks",
  );
  await expect(exportOnnx({} as Uint8Array)).rejects.toThrow("expected an agent or a file");
});

it("scores are the values that the action maximises", async () => {
  const spec = specOf(box([3]), discrete(3, 5));
  const model = await modelOf(fileOf(spec, actorCritic(spec, { hidden: [8] })), spec);
  const { actions, out } = await model.act(values(spec.observation, 4));
  expect(model.session.outputNames).toEqual(["action", "scores"]);
  expect(out.scores.dims).toEqual([4, 3]);
  const scores = Array.from(out.scores.data as Float32Array);
  const bits = specOf(box([3]), multiBinary(2));
  const logits = await modelOf(fileOf(bits, actorCritic(bits, { hidden: [8] })), bits);
  const { actions: chosen, out: said } = await logits.act(values(bits.observation, 4));
  expect(Array.from(said.scores.data as Float32Array, (x) => Number(x > 0))).toEqual(
    chosen.flatMap(numbersOf),
  );
  actions.forEach((action, i) => {
    const own = scores.slice(i * 3, i * 3 + 3);
    expect(action).toBe(5 + own.indexOf(Math.max(...own)));
  });
});

describe("recurrent state is an input and an output", () => {
  it.each(["gru", "lstm"] as const)("%s", async (kind) => {
    const spec = specOf(box([3]), box([2], -1, 1));
    const file = fileOf(spec, recurrentActorCritic(spec, { hidden: [4], kind, units: 6 }));
    const agent = await loadAgent(file);
    const model = await modelOf(file, spec);
    const module = await moduleOf(file);
    const names = model.session.inputNames.filter((name) => name.startsWith("state"));
    expect(names.length).toBeGreaterThan(0);
    let fed: { readonly [name: string]: ort.Tensor } = Object.fromEntries(
      names.map((name) => [name, new ort.Tensor("float32", new Float32Array(6), [1, 6])]),
    );
    let state = module.start?.();
    for (const value of values(spec.observation, 5)) {
      const expected = agent.act(value);
      const { actions, out } = await model.act([value], fed);
      expect(apart(actions[0], expected)).toBeLessThan(near);
      fed = Object.fromEntries(names.map((name) => [name, out[name.replace("state", "next")]]));
      const made = module.act(value, state) as { action: Value; state: unknown };
      expect(apart(made.action, expected)).toBeLessThan(near);
      state = made.state;
    }
    // A new episode starts with the initial state.
    agent.forget();
    const [value] = values(spec.observation, 1);
    expect(apart((module.act(value) as { action: Value }).action, agent.act(value))).toBeLessThan(near);
  });
});
