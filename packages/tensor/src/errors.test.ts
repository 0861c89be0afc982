import { afterEach, describe, expect, it } from "vitest";
import { currentGraph } from "./graph.ts";
import * as o from "./index.ts";
import { Tensor, TensorError } from "./index.ts";
import { backends } from "./testing/backends.ts";

/** Runs `bad` eagerly and while tracing: the message must begin with the operation, contain `parts`, and end with a line of this file. */
function refuses(operation: string, bad: () => unknown, ...parts: string[]): void {
  const traced = o.compile(
    (x: Tensor) => {
      bad();
      return x;
    },
    { backend: "reference", name: "traced" },
  );
  for (const run of [bad, () => traced(o.ones([1]))]) {
    let error: unknown;
    try {
      run();
    } catch (e) {
      error = e;
    }
    expect(error, `${operation} did not fail`).toBeInstanceOf(TensorError);
    const { message } = error as Error;
    expect(message.startsWith(`${operation}: `), message).toBe(true);
    for (const part of parts) expect(message).toContain(part);
    expect(message).toMatch(/\(at .*errors\.test\.ts:\d+:\d+\)$/);
  }
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (e) {
    expect(e).toBeInstanceOf(TensorError);
    return (e as Error).message;
  }
  throw new Error("nothing was refused");
}
it("extents are non-negative integers, and an empty axis has no elements", () => {
  const [x, i] = [o.tensor([1, 2, 3]), o.tensor([0], { dtype: "i32" })];
  const whole = "use a non-negative integer";
  for (const n of [-1, 1.5, Number.NaN]) {
    refuses("topK", () => o.topK(x, n), `k is ${n}`, whole);
    refuses("dynamicSlice", () => o.dynamicSlice(x, 0, n), `the size is ${n}`, whole);
    refuses("scatterAdd", () => o.scatterAdd(i, o.ones([1]), 0, n), `the size is ${n}`, whole);
    refuses("oneHot", () => o.oneHot(i, n), `the count is ${n}`, whole);
  }
  refuses(
    "split",
    () => o.split(x, 2 as unknown as number[]),
    "a list of sizes such as [2, 3], but got number",
  );
  refuses("split", () => o.split(x, [4, -1]), "the size of a part is -1", whole);
  const empty = o.zeros([2, 0]);
  refuses("take", () => o.take(empty, i, 1), "axis 1 of [2, 0] is empty");
  refuses("gather", () => o.gather(empty, o.zeros([1, 3], "i32"), 1), "axis 1 of [2, 0] is empty");
  refuses("scatter", () => o.scatter(empty, i, o.ones([2, 1]), 1), "axis 1 of [2, 0] is empty");
  refuses("scatterAdd", () => o.scatterAdd(i, o.ones([1]), 0, 0), "axis 0 of [0] is empty");
  expect(o.take(empty, i, 0).shape).toEqual([1, 0]);
  expect(o.take(empty, o.zeros([0], "i32"), 1).shape).toEqual([2, 0]);
});

it("numbers combined with integer tensors must be of their type", () => {
  const [i, u, b] = (["i32", "u32", "u8"] as const).map((t) => o.ones([2], t));
  refuses("lt", () => o.lt(i, 2.5), "the number 2.5 is not a valid i32", "from -2147483648 to 2147483647");
  refuses("mul", () => o.mul(0.5, i), "the number 0.5 is not a valid i32", "cast()");
  refuses("minimum", () => o.minimum(i, Infinity), "the number Infinity is not a valid i32");
  refuses("add", () => o.add(i, Number.NaN), "the number NaN");
  refuses("lt", () => o.lt(u, -1), "the number -1 is not a valid u32. Use an integer from 0 to 4294967295");
  refuses("add", () => o.add(b, 300), "the number 300 is not a valid u8. Use an integer from 0 to 255");
  refuses("where", () => o.where(o.eq(i, 1), i, 3e9), "the number 3000000000 is not a valid i32");
  refuses("and", () => o.and(i, 1.5), "the number 1.5");
  expect(o.xor(i, 0xffffffff).toArray()).toEqual([-2, -2]);
  expect(o.and(u, -1).toArray()).toEqual([1, 1]);
  const key = o.random.key(1);
  expect(o.random.foldKey(key, -1).toArray()).toEqual(o.random.foldKey(key, 2 ** 32 - 1).toArray());
  refuses("foldKey", () => o.random.foldKey(key, 0.5), "the number 0.5");
});

it("arange infers its type from its numbers", () => {
  const quarters = o.arange(0, 1, 0.25);
  expect([quarters.dtype, ...quarters.data]).toEqual(["f32", 0, 0.25, 0.5, 0.75]);
  const ones = o.arange(0.5, 3);
  expect([ones.dtype, ...ones.data]).toEqual(["f32", 0.5, 1.5, 2.5]);
  expect([o.arange(2.5).dtype, ...o.arange(2.5).data]).toEqual(["i32", 0, 1, 2]);
  refuses(
    "arange",
    () => o.arange(0, 1, 0.25, "i32"),
    "with step 0.25 are not integers, but the type is i32",
  );
});

it("random numbers need a valid range", () => {
  const key = o.random.key(1);
  refuses("randint", () => o.random.randint(key, [4], 0, 2 ** 32), "is not a valid i32 range");
  refuses("randint", () => o.random.randint(key, [4], -(2 ** 31) - 1, 0), "is not a valid i32 range");
  refuses("randint", () => o.random.randint(key, [4], 0, 2.5), "is not a valid i32 range. Use integers");
  refuses("truncatedNormal", () => o.random.truncatedNormal(key, [4], 3, 2), "between 3 and 2");
  refuses("truncatedNormal", () => o.random.truncatedNormal(key, [4], Infinity, Infinity), "there are no");
});

describe("typed arrays", () => {
  it("become the type that represents them", () => {
    const kinds = [Float64Array, Int8Array, Int16Array, Uint16Array, Uint8ClampedArray, Buffer];
    const [wide, ...whole] = kinds.map((Kind) => o.tensor(Kind.from([1.5, 3, 200])));
    expect([wide.dtype, ...wide.data]).toEqual(["f32", 1.5, 3, 200]);
    expect(whole.map((t) => [t.dtype, ...t.data])).toEqual([
      ["i32", 1, 3, -56],
      ["i32", 1, 3, 200],
      ["i32", 1, 3, 200],
      ["u8", 2, 3, 200],
      ["u8", 1, 3, 200],
    ]);
    expect([...o.tensor(Uint16Array.of(65535)).data]).toEqual([65535]);
    expect([...o.tensor(new Float64Array([1.5, 300, -1])).data]).toEqual([1.5, 300, -1]);
  });

  it("of unsupported elements are refused", () => {
    const refused = (x: unknown, dtype?: o.DType) => () => o.tensor(x as Float32Array, { dtype });
    refuses("tensor", refused(BigInt64Array.of(1n)), "a BigInt64Array cannot become a tensor");
    refuses("tensor", refused(BigUint64Array.of(1n), "i32"), "a BigUint64Array cannot");
    refuses("tensor", refused(new DataView(new ArrayBuffer(4))), "a DataView cannot");
  });
});

const here = /errors\.test\.ts:\d+:\d+\)$/;

// After any error nothing is left behind: no open trace, and correct calls work.
const healthy = o.compile((x: Tensor, y: Tensor) => o.matmul(o.add(x, 1), y), { backend: "reference" });
afterEach(() => {
  expect(currentGraph()).toBeUndefined();
  expect(healthy(o.ones([1, 2]), o.ones([2, 1])).toArray()).toEqual([[4]]);
  expect(o.add(o.tensor([1, 2]), 1).toArray()).toEqual([2, 3]);
});

const f = (...shape: number[]) => o.zeros(shape);
const i = (...shape: number[]) => o.zeros(shape, "i32");

describe("mismatched shapes", () => {
  const cases: [string, () => unknown, ...string[]][] = [
    ["add", () => o.add(f(2, 3), f(2)), "[2, 3]", "[2]"],
    ["where", () => o.where(o.gt(f(4), 0), f(3), 0), "[4]", "[3]"],
    ["matmul", () => o.matmul(f(2, 3), f(2, 3)), "[2, 3]", "3 columns", "2 rows"],
    ["matmul", () => o.matmul(f(2, 2, 3), f(5, 3, 1)), "[2, 2, 3]", "[5, 3, 1]"],
    ["matmul", () => o.matmul(f(), f(3)), "[] and [3]"],
    ["reshape", () => o.reshape(f(2, 3), [4]), "[2, 3]", "6 elements", "[4]"],
    ["reshape", () => o.reshape(f(2, 3), [-1, 4]), "[2, 3]"],
    ["broadcastTo", () => o.broadcastTo(f(2), [2, 3]), "[2]", "[2, 3]"],
    ["concat", () => o.concat([f(2, 3), f(2, 4)], 0), "[2, 3]", "[2, 4]"],
    ["concat", () => o.concat([]), "empty"],
    ["stack", () => o.stack([f(2), f(3)]), "[2]", "[3]"],
    ["split", () => o.split(f(5), [2, 2]), "2 + 2 = 4", "[5]"],
    ["pad", () => o.pad(f(2, 3), [[1, 1]]), "[2, 3]"],
    ["pad", () => o.pad(f(2), [[-1, 1]]), "[[-1,1]]"],
    ["slice", () => o.slice(f(2), [null, null]), "[2]"],
    ["slice", () => o.slice(f(2), [{ step: 0 }]), "step 0"],
    ["slice", () => o.slice(f(2), [[0.5, 1.5]]), "start 0.5 on axis 0 is not an integer"],
    ["slice", () => o.slice(f(2), [{ end: Number.NaN }]), "end NaN on axis 0 is not an integer"],
    ["key", () => o.random.key(0.5), "the seed 0.5 is not an integer"],
    ["key", () => o.random.key(Number.NaN), "the seed NaN is not an integer"],
    ["windows", () => o.windows(f(2), 0, 3), "3", "[2]"],
    ["gather", () => o.gather(f(2, 3), i(3, 3), 1), "[3, 3]", "[2, 3]"],
    ["scatter", () => o.scatter(f(2, 3), i(1, 4), f(1, 4), 0), "[1, 4]", "[2, 3]"],
    ["scatter", () => o.scatter(f(2, 3), i(5), f(1, 3), 0), "[5]", "[1, 3]"],
    ["scatterAdd", () => o.scatterAdd(i(4), f(5), 0, 2), "[4]", "[5]"],
    ["segmentSum", () => o.segmentSum(f(3, 2), i(2), 2), "[3, 2]", "[2]"],
    ["pick", () => o.pick(f(3, 2), i(4)), "[3, 2]", "[4]"],
    ["dynamicSlice", () => o.dynamicSlice(f(3), 0, 4), "4", "[3]"],
    ["dynamicSlice", () => o.dynamicSlice(f(3), i(2), 1), "scalar", "[2]"],
    ["dynamicUpdate", () => o.dynamicUpdate(f(3), f(4), 0), "[4]", "[3]"],
    ["dynamicUpdate", () => o.dynamicUpdate(f(3), f(1), i(2)), "scalar", "[2]"],
    ["topK", () => o.topK(f(2, 3), 4), "4", "[2, 3]"],
    ["squeeze", () => o.squeeze(f(2, 3), 1), "[2, 3]"],
    ["einsum", () => o.einsum("ij,jk->ik", f(2, 3), f(2, 3)), "3", "2", "[2, 3]"],
    ["einsum", () => o.einsum("ij->ik", f(2, 3)), '"k"'],
    ["einsum", () => o.einsum("ij,jk->ik", f(2, 3)), "2 operands"],
    ["conv2d", () => o.conv2d(f(1, 3, 4, 4), f(2, 4, 3, 3)), "[1, 3, 4, 4]", "[2, 4, 3, 3]"],
    ["conv1d", () => o.conv1d(f(1, 3, 4), f(2, 4, 3)), "[1, 3, 4]", "[2, 4, 3]"],
    ["cholesky", () => o.cholesky(f(2, 3)), "[2, 3]"],
    ["triangularSolve", () => o.triangularSolve(f(2, 2), f(3, 1)), "[3, 1]", "[2, 2]"],
    ["triangularSolve", () => o.triangularSolve(f(4, 2, 2), f(3, 2, 1)), "[3, 2, 1]", "[4, 2, 2]"],
    ["svd", () => o.svd(f(2, 3)), "[2, 3]"],
    ["attention", () => o.attention(f(3, 4), f(3, 5), f(3, 4)), "[3, 4]", "[3, 5]"],
    ["max", () => o.max(f(0, 2), 0), "[0, 2]"],
    ["argmax", () => o.argmax(f(2, 0)), "[2, 0]"],
    [
      "scan",
      () => o.scan((c: Tensor, _: { x: Tensor; y: Tensor }) => [c, c] as const, f(), { x: f(3), y: f(4) }),
      "[4]",
      "3",
    ],
    [
      "scan",
      () =>
        o.scan((c: Tensor, _: undefined) => [o.stack([c, c]), c] as const, f(2), undefined, { length: 2 }),
      "[2]",
      "[2, 2]",
    ],
    ["scan", () => o.scan((c: Tensor, _: undefined) => [c, c] as const, f(2), undefined), "length"],
    ["zeros", () => o.zeros([2, -1]), "[2, -1]"],
    ["zeros", () => o.zeros([2.5]), "[2.5]"],
    ["arange", () => o.arange(0, 5, 0), "step 0"],
    ["tensor", () => o.tensor([[1, 2], [3]]), "equal lengths"],
    ["tensor", () => o.tensor([[1, 2], [3], [4, 5, 6]]), "equal lengths"],
    ["tensor", () => o.tensor([1, 2, 3], { shape: [2] }), "3 values", "[2]"],
    ["item", () => o.tensor([1, 2]).item(), "[2]"],
    ["set", () => o.tensor([1, 2]).set([1, 2, 3]), "3 values", "[2]"],
  ];
  for (const [operation, bad, ...parts] of cases)
    it(`${operation}: ${parts.join(" ")}`, () => refuses(operation, bad, ...parts));
});

describe("types and axes", () => {
  const cases: [string, () => unknown, ...string[]][] = [
    ["add", () => o.add(f(2), i(2)), "f32[2]", "i32[2]", "cast()"],
    ["exp", () => o.exp(i(2)), "i32[2]", "f32"],
    ["add", () => o.add(o.zeros([2], "bool"), true), "bool[2]"],
    ["and", () => o.and(f(2), f(2)), "f32[2]"],
    ["matmul", () => o.matmul(i(2, 2), f(2, 2)), "i32[2, 2]"],
    ["mean", () => o.mean(i(3)), "i32[3]"],
    ["sum", () => o.sum(o.zeros([3], "bool")), "bool[3]"],
    ["where", () => o.where(f(2), 1, 0), "f32[2]", "bool"],
    ["gather", () => o.gather(f(2), f(2), 0), "f32[2]", "i32"],
    ["take", () => o.take(f(2), f(2)), "f32[2]"],
    ["oneHot", () => o.oneHot(f(2), 3), "f32[2]"],
    ["dynamicSlice", () => o.dynamicSlice(f(2), f(), 1), "f32[]"],
    ["scatter", () => o.scatter(f(2), i(1), i(1), 0), "i32[1]", "f32[2]"],
    ["concat", () => o.concat([f(2), i(2)]), "f32", "i32"],
    ["triangularSolve", () => o.triangularSolve(f(2, 2), i(2, 1)), "i32[2, 1]"],
    ["bitcast", () => o.bitcast(o.zeros([2], "u8"), "f32"), "u8[2]"],
    ["random", () => o.random.normal(f(2), [3]), "f32[2]", "key(seed)"],
    ["randint", () => o.random.randint(o.random.key(0), [2], 3, 3), "3"],
    [
      "scan",
      () => o.scan((c: Tensor, _: undefined) => [c, c] as const, f(2), undefined, { length: 2, count: f() }),
      "f32[]",
    ],
    ["sum", () => o.sum(f(2, 3), 2), "axis 2", "2 axes", "-2 to 1"],
    ["sum", () => o.sum(f(2, 3), [0, -2]), "same axis twice"],
    ["sum", () => o.sum(f(2), 0.5), "axis 0.5"],
    ["softmax", () => o.softmax(f(2), 1), "axis 1", "1 axis"],
    ["permute", () => o.permute(f(2, 3), [0, 0]), "[2, 3]"],
    ["transpose", () => o.transpose(f(2)), "axis -2"],
    ["cumsum", () => o.cumsum(f(), 0), "0 axes"],
    ["expandDims", () => o.expandDims(f(2), 3), "axis 3"],
    ["iota", () => o.iota([2], 1), "axis 1"],
    ["add", () => o.add("1" as never, f(2)), "string"],
    ["exp", () => o.exp(undefined as never), "undefined"],
    ["sum", () => o.sum([1, 2] as never), "object"],
    ["reshape", () => o.reshape(3 as never, [1]), "number"],
    ["matmul", () => o.matmul(f(2, 2), 3 as never), "number"],
    ["tensor", () => o.tensor(["1"] as never), "string"],
    ["tensor", () => o.tensor([1, undefined] as never), "undefined"],
  ];
  for (const [operation, bad, ...parts] of cases)
    it(`${operation}: ${parts.join(" ")}`, () => refuses(operation, bad, ...parts));
});

for (const backend of backends()) {
  const compile: typeof o.compile = (fn, options) => o.compile(fn, { backend, ...options });

  describe(`compiled functions (${backend})`, () => {
    it("values of traced tensors cannot be read", () => {
      const reads: ((x: Tensor) => unknown)[] = [
        (x) => x.data,
        (x) => x.item(),
        (x) => x.toArray(),
        (x) => (+x > 0 ? 1 : 0),
        (x) => x.set(1),
      ];
      for (const read of reads) {
        const message = messageOf(() =>
          compile((x: Tensor) => (read(x) ? x : x), { name: "peek" })(o.tensor(1)),
        );
        expect(message).toContain("f32[]");
        expect(message).toContain("not known while the function is being traced");
        expect(message).toMatch(here);
      }
    });

    it("a shape cannot depend on a value", () => {
      for (const make of [
        (x: Tensor) => o.zeros([x as never as number]),
        (x: Tensor) => o.broadcastTo(x, [2, x as never as number]),
        (x: Tensor) => o.iota([x as never as number]),
      ]) {
        expect(messageOf(() => compile(make, { name: "dynamic" })(o.tensor(1)))).toMatch(
          /^(zeros|broadcastTo|iota): axis \d of the shape is a tensor.*errors\.test\.ts/,
        );
      }
    });

    it("a traced tensor that leaks out is refused", () => {
      let leaked: Tensor | undefined;
      compile((x: Tensor) => (leaked = o.exp(x)), { name: "leaky" })(f(2, 3));
      for (const use of [
        () => o.add(leaked!, 1),
        () => leaked!.data,
        () => compile((x: Tensor) => o.add(x, leaked!))(f(2, 3)),
        () => healthy(leaked!, f(3, 1)),
      ]) {
        const message = messageOf(use);
        expect(message).toContain("f32[2, 3]");
        expect(message).toContain("tracing leak");
        expect(message).toMatch(here);
      }
      o.scan((c: Tensor, _: undefined) => [(leaked = c), c] as const, f(2), undefined, { length: 1 });
      compile(
        (x: Tensor) =>
          o.scan((c: Tensor, _: undefined) => [(leaked = o.neg(c)), c] as const, x, undefined, { length: 1 })
            .carry,
      )(f(2));
      expect(messageOf(() => o.add(leaked!, 1))).toContain("tracing leak");
    });

    it("asynchronous functions, and results and arguments that are not tensors", () => {
      expect(
        messageOf(() =>
          compile((async (x: Tensor) => x) as never as (x: Tensor) => Tensor, { name: "later" })(f(1)),
        ),
      ).toMatch(/^later: .*asynchronous.*errors\.test\.ts/);
      expect(messageOf(() => compile((() => 3) as never as () => Tensor, { name: "three" })())).toMatch(
        /^three: result of the function is number, not a Tensor.*errors\.test\.ts/,
      );
      expect(
        messageOf(() =>
          compile(((x: Tensor) => ({ a: { b: "x" }, x })) as never as (x: Tensor) => Tensor, {
            name: "words",
          })(f(1)),
        ),
      ).toMatch(/^words: result a\.b is string/);
      expect(messageOf(() => compile((x: Tensor) => x, { name: "one" })("x" as never))).toMatch(
        /^one: argument 0 is string.*errors\.test\.ts/,
      );
      expect(
        messageOf(() => compile((x: { m: Tensor }) => x.m, { name: "map" })({ m: new Map() } as never)),
      ).toMatch(/^map: argument 0\.m is a Map/);
      expect(
        messageOf(() => compile((x: Tensor) => x, { name: "array" })(new Float32Array(2) as never)),
      ).toMatch(/^array: argument 0 is a Float32Array/);
    });

    it("an error inside a traced function leaves nothing behind, and the next call may work", () => {
      let broken = true;
      const fn = compile((x: Tensor) => o.add(x, broken ? f(5) : 1), { name: "flaky" });
      expect(messageOf(() => fn(f(2)))).toContain("add: shapes [2] and [5]");
      broken = false;
      expect(fn(f(2)).toArray()).toEqual([1, 1]);
    });

    it("a donated tensor cannot be used again", () => {
      const step = compile((x: Tensor) => o.add(x, 1), { name: "step", donate: [0] });
      const x = o.tensor([1, 2]);
      const y = step(x);
      for (const use of [
        () => x.data,
        () => o.add(x, 1),
        () => step(x),
        () => step.bind(x),
        () => compile((z: Tensor) => o.add(z, x))(y),
      ]) {
        const message = messageOf(use);
        expect(message).toContain("f32[2]");
        expect(message).toContain("was donated to step");
        expect(message).toMatch(here);
      }
      expect(String(x)).toContain("donated");
      expect(step(y).toArray()).toEqual([3, 4]);
    });

    it("one tensor cannot be donated and used under another name", () => {
      const both = compile((a: Tensor, b: Tensor): Tensor[] => [o.add(a, b), b], {
        name: "both",
        donate: [0],
      });
      const x = o.tensor([1, 2]);
      expect(messageOf(() => both(x, x))).toMatch(
        /^both: argument 0 is donated and is the same tensor as argument 1.*errors\.test\.ts/,
      );
      expect(
        messageOf(() =>
          compile((s: { a: Tensor; b: Tensor }) => s, { name: "twice", donate: [0] })({ a: x, b: x }),
        ),
      ).toMatch(/^twice: argument 0\.b .*same tensor as argument 0\.a/);
      expect(
        messageOf(() => compile((a: Tensor) => o.add(a, x), { name: "outside", donate: [0] })(x)),
      ).toMatch(/^outside: argument 0 is donated, but the function also uses that tensor from outside/);
      expect(x.toArray()).toEqual([1, 2]);
      expect(both(x, o.tensor([1, 1]))[0].toArray()).toEqual([2, 3]);
    });

    it("bound functions", () => {
      const fn = compile((x: Tensor) => o.exp(x), { name: "grow" });
      expect(messageOf(() => compile((x: Tensor) => fn.bind(x).result)(f(1)))).toMatch(
        /^grow: bind\(\) was called inside a traced function.*errors\.test\.ts/,
      );
    });

    it("gradients", () => {
      const inside = (fn: (x: Tensor) => Tensor, x = f(2)) =>
        messageOf(() => compile((v: Tensor) => o.gradient(fn(v), v))(x));
      expect(inside((x) => x)).toMatch(/^gradient: needs a scalar, but got \[2\].*errors\.test\.ts/);
      expect(inside((x) => o.sum(o.cast(x, "i32")))).toMatch(/^gradient: needs an f32.*i32/);
      expect(inside((x) => o.sum(o.trigamma(x)))).toMatch(
        /^gradient: the operation "trigamma" has no gradient.*errors\.test\.ts/,
      );
      expect(messageOf(() => o.gradient(f(), f()))).toMatch(/^gradient: needs a graph.*errors\.test\.ts/);
      expect(messageOf(() => o.grad((x: Tensor) => x)(f(3)))).toMatch(
        /^gradient: needs a scalar, but got \[3\]/,
      );
      expect(messageOf(() => o.grad((() => 3) as never as (x: Tensor) => Tensor)(f(3)))).toMatch(/number/);
    });
  });
}

describe("the checking mode", () => {
  const checked = (fn: (...xs: Tensor[]) => o.Tree) => o.compile(fn, { check: true, name: "checked" });

  it("names the operation that produced the first NaN or Inf, its line and its operands", () => {
    const bad: [string, (...xs: Tensor[]) => Tensor, Tensor[], string][] = [
      ["log", (x) => o.mul(o.log(x), 2), [o.tensor([1, -1])], "produced NaN at element 1 of [2]"],
      [
        "div",
        (x, y) => o.exp(o.div(x, y)),
        [o.tensor([1, 1]), o.tensor([1, 0])],
        "produced Infinity at element 1 of [2] from (f32[2], f32[2]) with values (1, 0)",
      ],
      ["exp", (x) => o.sum(o.exp(x)), [o.tensor([1000])], "produced Infinity"],
      [
        "sqrt",
        (x) =>
          o.scan((c: Tensor, { v }: { v: Tensor }) => [o.sqrt(o.sub(c, v)), c] as const, o.tensor(1), {
            v: x,
          }).carry,
        [o.tensor([0, 5])],
        "produced NaN",
      ],
      [
        "cholesky",
        (x) => o.cholesky(x),
        [
          o.tensor([
            [-1, 0],
            [0, 1],
          ]),
        ],
        "produced NaN",
      ],
      ["log", (x) => o.vmap((v: Tensor) => o.log(v))(x), [o.tensor([1, 0])], "produced -Infinity"],
    ];
    for (const [operation, fn, args, part] of bad) {
      const message = messageOf(() => checked(fn)(...args));
      expect(message.startsWith(`${operation}: ${part.slice(0, 8)}`), message).toBe(true);
      expect(message).toContain(part);
      expect(message).toMatch(here);
    }
  });

  it("gives the line of the operation, not of the call", () => {
    const lines = (fn: () => unknown) => /errors\.test\.ts:(\d+)/.exec(messageOf(fn))![1];
    const f1 = checked((x) => {
      const y = o.log(x);
      return o.add(y, 1);
    });
    const at = Number(/errors\.test\.ts:(\d+)/.exec(new Error().stack!)![1]);
    expect(Number(lines(() => f1(o.tensor([-1]))))).toBe(at - 3);
  });

  it("finds indices out of range", () => {
    const x = o.tensor([1, 2, 3]);
    const bad: [string, () => unknown, string][] = [
      [
        "gather",
        () => checked((v, k) => o.gather(v, k, 0))(x, o.tensor([0, 3], { dtype: "i32" })),
        "index 3 is out of range: axis 0 of [3], [2] has indices 0 to 2",
      ],
      ["gather", () => checked((v, k) => o.take(v, k))(x, o.tensor([-1], { dtype: "i32" })), "index -1"],
      [
        "scatterAdd",
        () => checked((v, k) => o.scatterAdd(k, v, 0, 2))(x, o.tensor([0, 1, 2], { dtype: "i32" })),
        "index 2",
      ],
      [
        "scatter",
        () => checked((v, k) => o.scatter(v, k, o.slice(v, [[0, 1]]), 0))(x, o.tensor([4], { dtype: "i32" })),
        "index 4",
      ],
      [
        "dynamicSlice",
        () => checked((v, k) => o.dynamicSlice(v, k, 2))(x, o.tensor(2, { dtype: "i32" })),
        "index 2",
      ],
      [
        "dynamicUpdate",
        () =>
          checked((v, k) => o.dynamicUpdate(v, o.slice(v, [[0, 2]]), k))(x, o.tensor(-1, { dtype: "i32" })),
        "index -1",
      ],
    ];
    for (const [operation, run, part] of bad) {
      const message = messageOf(run);
      expect(message.startsWith(`${operation}: index`), message).toBe(true);
      expect(message).toContain(part);
      expect(message).toMatch(here);
    }
  });

  it("accepts NaN and Inf in the inputs, and computes the same results", () => {
    expect(checked((x) => o.mul(x, 2))(o.tensor([Number.NaN, 1]))).toBeInstanceOf(Tensor);
    expect((checked((x) => o.logSumExp(x))(o.tensor([1, 1])) as Tensor).item()).toBeCloseTo(1 + Math.log(2));
  });
});

it.each([
  ["a stride of 1.5", () => o.maxPool2d(o.ones([1, 1, 6, 6]), 2, 1.5), "the stride is 1.5"],
  ["a stride of 0", () => o.maxPool2d(o.ones([1, 1, 6, 6]), 2, 0), "the stride is 0"],
  ["a size of 1.5", () => o.avgPool2d(o.ones([1, 1, 6, 6]), 1.5), "the size is 1.5"],
  [
    "options as stride",
    () => o.maxPool2d(o.ones([1, 1, 6, 6]), 3, { stride: 2 } as never),
    'the stride is {"stride":2}',
  ],
  [
    "a dilation of 0",
    () => o.conv2d(o.ones([1, 1, 6, 6]), o.ones([1, 1, 2, 2]), { dilation: 0 }),
    "the dilation is 0",
  ],
])("windows refuse %s", (_, call, message) => {
  expect(call).toThrow(`${message}; use an integer of at least 1`);
});
