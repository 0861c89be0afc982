import { expect, it } from "vitest";
import * as o from "../index.ts";
import { expectSameBits } from "../testing/compare.ts";
import { Generator } from "../testing/generator.ts";
import { randomGraph } from "../testing/random-graph.ts";
import type { FunctionData } from "./data.ts";

const { tensor } = o;
const again = (written: o.SerialisedFunction) =>
  o.deserialiseFunction(JSON.parse(JSON.stringify(written.data)) as FunctionData, written.constants);

it("a serialised function computes the same bits", () => {
  for (let seed = 0; seed < 60; seed++) {
    const { state, xs, run, steps } = randomGraph(seed);
    const written = o.serialiseFunction(run, state, xs);
    const read = (s: typeof state, x: typeof xs) => again(written)(s, x) as ReturnType<typeof run>;
    const [a, b] = [run(state, xs), read(state, xs)];
    const all = (r: typeof a) => [...r.state, ...r.others];
    all(a).forEach(
      (t, i) => void expectSameBits(`seed ${seed}, result ${i} of ${steps.join(", ")}`, all(b)[i], t),
    );
    if (seed % 6) continue;
    const [c, d] = [run, read].map((f) => o.compile(f, { backend: "wasm" })(state, xs));
    all(c).forEach((t, i) => void expectSameBits(`seed ${seed}, result ${i}, compiled`, all(d)[i], t));
  }
});

it("so do gradients and loops, with numbers that JSON cannot represent", () => {
  const f = (x: o.Tensor) => {
    const { carry, ys } = o.scan(
      (c: o.Tensor, row: o.Tensor) => {
        const next = o.maximum(o.add(o.mul(c, 0.5), row), Number.NEGATIVE_INFINITY);
        return [next, o.where(o.gt(next, 1), next, -0)] as const;
      },
      o.zeros([3]),
      x,
    );
    return o.sum(o.add(o.mul(carry, carry), o.sum(ys, { axis: 0 })));
  };
  const g = o.grad(f);
  const x = tensor([
    [1, 2, 3],
    [-1, 0.5, 4],
  ]);
  const read = again(o.serialiseFunction((x: o.Tensor) => ({ value: f(x), gradient: g(x) }), x));
  const got = read(x) as { value: o.Tensor; gradient: o.Tensor };
  expect(got.value.item()).toBe(f(x).item());
  expectSameBits("gradient", got.gradient, g(x));
});

it("so does a reversed empty axis", () => {
  const empty = o.zeros([5, 0]);
  expect((again(o.serialiseFunction((x: o.Tensor) => o.flip(x, 1), empty))(empty) as o.Tensor).shape).toEqual(
    [5, 0],
  );
});

it("captured tensors are stored with their values", () => {
  const weights = tensor([[1], [2]]);
  const written = o.serialiseFunction(
    (x: o.Tensor) => ({ y: o.matmul(x, weights), none: undefined }),
    tensor([[1, 1]]),
  );
  expect(written.constants).toHaveLength(1);
  expect((again(written)(tensor([[3, 4]])) as { y: o.Tensor }).y.toArray()).toEqual([[11]]);
});

it("a function read back can be mapped with vmap", () => {
  const one = again(o.serialiseFunction((x: o.Tensor) => o.softmax(x), tensor([0, 0, 0])));
  const x = tensor([
    [1, 2, 3],
    [3, 1, 0],
  ]);
  const many = o.vmap((row: o.Tensor) => one(row) as o.Tensor)(x);
  expectSameBits("rows", many, o.softmax(x));
});

it("mismatched arguments are refused", () => {
  const read = again(o.serialiseFunction((x: { a: o.Tensor }) => o.add(x.a, 1), { a: tensor([1, 2]) }));
  expect(() => read({ a: tensor([1, 2, 3]) })).toThrow(
    "tensor 0 of the arguments is f32[3]; expected f32[2]",
  );
  expect(() => read({ b: tensor([1, 2]) })).toThrow("argument 0.a must be a tensor");
  expect(() => read(undefined)).toThrow("argument 0.a must be a tensor");
});

it("damaged data is refused or is still a valid function of the same form", () => {
  const random = new Generator(5);
  const pick = <T>(list: readonly T[]) => random.pick(list);
  let refused = 0;
  for (let k = 0; k < 600; k++) {
    const { state, xs, run } = randomGraph(k % 40);
    const { data, constants } = o.serialiseFunction(run, state, xs);
    const copy = JSON.parse(JSON.stringify(data));
    damage(pick(copy.graph.nodes as unknown[][]), pick, random);
    try {
      const read = o.deserialiseFunction(copy, constants, { source: "some.file" });
      read(state, xs);
    } catch (error) {
      refused++;
      expect(error).toBeInstanceOf(o.TensorError);
      expect((error as Error).message).toMatch(/^some\.file|index/);
    }
  }
  expect(refused).toBeGreaterThan(300);
});

/** Changes a node in one place. */
function damage(node: unknown[], pick: <T>(list: readonly T[]) => T, random: Generator): void {
  const [, inputs, attributes, shape] = node as [string, number[], Record<string, unknown>, number[]];
  const wild = () => pick([-1, 0, 1, 2, 7, 1e9, 0.5, null, "x", [3]]);
  const kind = Math.floor(random.next() * 5);
  if (kind === 0)
    node[0] = pick(["add", "reshape", "gather", "windows", "scan", "element", "input", "nothing"]);
  else if (kind === 1 && inputs.length) inputs[0] = wild() as number;
  else if (kind === 2 && Object.keys(attributes).length) attributes[pick(Object.keys(attributes))] = wild();
  else if (kind === 3 && shape.length) shape[0] = wild() as number;
  else node[4] = pick(["f32", "i32", "bool", "f64"]);
}

/** A round trip through JSON. */
const asData = (data: object) => JSON.parse(JSON.stringify(data)) as FunctionData;

it.each([
  ["a sum of truth values", "sum", { axes: [0] }, "bool", [], "bool"],
  ["a maximum of truth values", "max", { axes: [0] }, "bool", [], "bool"],
  ["a product of bytes", "prod", { axes: [0] }, "u8", [], "u8"],
  ["running sums of truth values", "cumsum", { axis: 0, reverse: false }, "bool", [3], "bool"],
  ["running sums in no direction", "cumsum", { axis: 0, reverse: "x" }, "f32", [3], "f32"],
  ["the largest of truth values", "argmax", { axis: 0 }, "bool", [], "i32"],
  ["an order of bytes", "argsort", { axis: 0, descending: true }, "u8", [3], "i32"],
  ["a negative byte", "neg", {}, "u8", [3], "u8"],
  ["the sign of a u32", "sign", {}, "u32", [3], "u32"],
  ["truth values filled up with 7", "pad", { low: [1], value: 7 }, "bool", [5], "bool"],
  ["bytes filled up with 256", "pad", { low: [1], value: 256 }, "u8", [5], "u8"],
  [
    "an empty slice before the beginning",
    "slice",
    { begin: [-1e9], size: [0], step: [1] },
    "f32",
    [0],
    "f32",
  ],
  ["an empty slice behind the end", "slice", { begin: [4], size: [0], step: [1] }, "f32", [0], "f32"],
  ["an empty slice at a text", "slice", { begin: ["0"], size: [0], step: [1] }, "f32", [0], "f32"],
] as const)("%s is refused by its operation's name", (_, op, attributes, from, shape, dtype) => {
  const nodes = [
    ["input", [], {}, [3], from],
    [op, [0], attributes, shape, dtype],
  ];
  const data = { format: 1, arguments: [0], result: 0, graph: { nodes, outputs: [1] } };
  const read = () => o.deserialiseFunction(asData(data), [], { source: "some.agent" });
  expect(read).toThrow(`some.agent: its node 1 (${op}) does not give`);
});

it("a view of more elements than 32 bits count is refused", () => {
  const shape = [2 ** 20, 2 ** 11];
  const nodes = [
    ["input", [], {}, [1, 1], "f32"],
    ["broadcast", [0], { shape }, shape, "f32"],
    ["slice", [1], { begin: [0, 0], size: [1, 1], step: [1, 1] }, [1, 1], "f32"],
  ];
  const data = asData({ format: 1, arguments: [0], result: 0, graph: { nodes, outputs: [2] } });
  expect(() => o.deserialiseFunction(data, [], { source: "some.agent" })).toThrow(
    "more than 2147483647 elements",
  );
});

/** A loop that adds 1 in each of `length` iterations, around an inner loop if `inner` is given. */
function loop(length: number, inner?: unknown[]): unknown[] {
  const step = inner ? [inner, ["element", [1], { index: 0 }, [], "f32"]] : [["neg", [0], {}, [], "f32"]];
  const nodes = [["input", [], {}, [], "f32"], ...step];
  const counts = { carries: 1, elements: 0, length, reverse: false, counted: false };
  return ["scan", [0], { body: { nodes, outputs: [nodes.length - 1], ...counts } }, [], "f32"];
}

it.each([
  ["one loop", loop(2 ** 53 - 1), 2 ** 53 - 1],
  ["nested loops", loop(2 ** 20, loop(2 ** 20)), 2 ** 40],
])("a function that would run for years is refused: %s", (_, outer, iterations) => {
  const nodes = [["input", [], {}, [], "f32"], outer, ["element", [1], { index: 0 }, [], "f32"]];
  const data = asData({ format: 1, arguments: [0], result: 0, graph: { nodes, outputs: [2] } });
  expect(() => o.deserialiseFunction(data, [], { source: "some.agent" })).toThrow(
    `is a loop of ${iterations} iterations; at most 2147483647 are allowed`,
  );
});

it("eigenvalues by a billion sweeps are refused", () => {
  const nodes = [
    ["input", [], {}, [2, 2], "f32"],
    ["jacobi", [0], { sweeps: 1e9 }, [3, 2], "f32"],
  ];
  const data = asData({ format: 1, arguments: [0], result: 0, graph: { nodes, outputs: [1] } });
  expect(() => o.deserialiseFunction(data)).toThrow("its node 1 (jacobi) does not give");
});

it.each([
  [7, "bool"],
  [-1, "bool"],
  [0.5, "i32"],
  [2 ** 31, "i32"],
  [-1, "u32"],
  [256, "u8"],
  ["NaN", "i32"],
] as const)("a constant of %s with type %s is refused", (value, dtype) => {
  const graph = { nodes: [["constant", [], { value }, [], dtype]], outputs: [0] };
  const data = asData({ format: 1, arguments: [], result: 0, graph });
  expect(() => o.deserialiseFunction(data, [], { source: "some.agent" })).toThrow(
    `some.agent: its node 0 (constant) does not give ${dtype}[]`,
  );
});

it("names that count from 0 may be a list, as read from files", () => {
  const f = ({ parts }: { parts: { [name: string]: o.Tensor } }) => o.sub(parts["0"], parts["1"]);
  const read = again(o.serialiseFunction(f, { parts: { 0: tensor([3]), 1: tensor([1]) } }));
  expect((read({ parts: [tensor([5]), tensor([1])] }) as o.Tensor).toArray()).toEqual([4]);
  expect(() => read({ parts: [tensor([5])] })).toThrow("argument 0.parts.1 must be a tensor");
});

it("constants created in every trace are equal if their values are", () => {
  const scaled = (x: o.Tensor) => o.mul(x, tensor([2, 3]));
  const rows = (n: number): [o.Tensor] => [o.zeros([n, 2])];
  const written = o.serialiseForBatch(scaled, rows);
  const read = o.deserialiseForBatch(JSON.parse(JSON.stringify(written!.data)), written!.constants);
  expect((read(3)(o.ones([3, 2])) as o.Tensor).toArray()).toEqual(Array(3).fill([2, 3]));
  const counted = (x: o.Tensor) => o.mul(x, tensor([x.shape[0] * 0.5, 1]));
  expect(o.serialiseForBatch(counted, rows)).toBeUndefined();
});
