import { describe, expect, it, test } from "vitest";
import {
  attention,
  broadcastTo,
  compile,
  dynamicUpdate,
  iota,
  lt,
  permute,
  random,
  reshape,
  scan,
  slice,
  stack,
  type Tensor,
  take,
  tensor,
  valueAndGradient,
  vmap,
  where,
} from "./index.ts";
import { backends, fastBackends } from "./testing/backends.ts";

const key = random.key(3);
/** Normal noise. Compiled, because eager operations take a minute for a million numbers. */
const noise = (stream: number, shape: number[]) =>
  compile(() => random.normal(random.foldKey(key, stream), shape), {
    backend: fastBackends()[0] ?? "reference",
  })();
const i32 = (values: number[]) => tensor(values, { dtype: "i32" });

/** Random queries, keys and values of the given sizes. */
function operands(rows: number, heads: number, queries: number, slots: number, width: number, wide = width) {
  return [
    noise(1, [rows, heads, queries, width]),
    noise(2, [rows, heads, slots, width]),
    noise(3, [rows, heads, slots, wide]),
  ] as const;
}

const perRow = (lengths: Tensor) => reshape(lengths, [-1, 1]);
const first = (q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) =>
  attention(q, k, v, { lengths: perRow(lengths) });
const masked = (q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) =>
  attention(q, k, v, { mask: lt(iota([k.shape[2]]), reshape(lengths, [-1, 1, 1, 1])) });

function close(a: Tensor, b: Tensor, digits = 5): void {
  expect(a.shape).toEqual(b.shape);
  const expected = b.data;
  a.data.forEach((x, i) => expect(x).toBeCloseTo(expected[i], digits));
}

describe.each(backends())("attention to the first keys on %s", (backend) => {
  const f = compile(first, { backend });

  it.each([
    [1, 1, 1, 1, 4],
    [4, 3, 1, 37, 16],
    [3, 2, 3, 20, 10],
    [2, 1, 5, 9, 3],
    [5, 2, 1, 64, 64],
  ])("equals masked attention: %i rows, %i heads, %i queries, %i slots, width %i", (...sizes) => {
    const [q, k, v] = operands(...(sizes as [number, number, number, number, number]));
    const [rows, , , slots] = sizes;
    const lengths = i32(Array.from({ length: rows }, (_, r) => 1 + ((r * 11 + slots - 1) % slots)));
    close(f(q, k, v, lengths), masked(q, k, v, lengths));
  });

  it("takes values of another width than keys", () => {
    const [q, k, v] = operands(2, 2, 2, 11, 8, 5);
    close(f(q, k, v, i32([7, 11])), masked(q, k, v, i32([7, 11])));
  });

  it("returns 0 for length 0, and attends to all slots for lengths beyond the last", () => {
    const [q, k, v] = operands(4, 1, 1, 6, 4);
    const y = f(q, k, v, i32([0, -3, 6, 99]));
    expect([...y.data.slice(0, 8)]).toEqual(Array(8).fill(0));
    const all = attention(q, k, v).data;
    y.data.slice(8).forEach((x, i) => expect(x).toBeCloseTo(all[8 + i], 5));
  });

  it("gives NaN where a score overflows, as attention with a mask does", () => {
    const [q, k] = [tensor([[[[-1, -3.4e38]]]]), tensor([[[[1, 2]]]])];
    expect([...f(q, k, k, i32([1])).data]).toEqual([Number.NaN, Number.NaN]);
    expect([...masked(q, k, k, i32([1])).data]).toEqual([Number.NaN, Number.NaN]);
  });

  it("reads nothing behind a length", () => {
    const [q, k, v] = operands(3, 2, 1, 21, 8);
    const lengths = i32([1, 13, 20]);
    const behind = (t: Tensor) =>
      where(lt(reshape(iota([21]), [21, 1]), reshape(lengths, [-1, 1, 1, 1])), t, Number.NaN);
    expect(f(q, behind(k), behind(v), lengths).data).toEqual(f(q, k, v, lengths).data);
  });

  it("handles transposed keys", () => {
    const [q, k, v] = operands(2, 3, 2, 14, 8);
    const turned = compile(
      (a: Tensor, b: Tensor, c: Tensor, n: Tensor) =>
        first(permute(a, [1, 2, 0, 3]), permute(b, [1, 2, 0, 3]), permute(c, [1, 2, 0, 3]), n),
      { backend },
    );
    const [a, b, c] = [q, k, v].map((t) => permute(t, [2, 0, 1, 3]));
    close(turned(a, b, c, i32([5, 9])), masked(q, k, v, i32([5, 9])));
  });

  it("gives the same results in a scan with a growing cache as step by step", () => {
    const [, k, v] = operands(2, 2, 1, 6, 8);
    const xs = noise(4, [6, 2, 2, 1, 8]);
    const step = (at: typeof first) => (carry: { k: Tensor; v: Tensor }, x: { at: Tensor; x: Tensor }) => {
      const next = {
        k: dynamicUpdate(carry.k, x.x, x.at, 2),
        v: dynamicUpdate(carry.v, x.x.mul(2), x.at, 2),
      };
      return [next, at(x.x, next.k, next.v, broadcastTo(x.at.add(1), [2]))] as const;
    };
    const run = (at: typeof first) =>
      compile((b: Tensor, c: Tensor) => scan(step(at), { k: b, v: c }, { at: iota([6]), x: xs }).ys, {
        backend,
      })(k, v);
    close(run(first), run(masked));
  });

  it("works under vmap with shared operands", () => {
    const [q, k, v] = operands(2, 2, 1, 12, 8);
    const qs = stack([q.mul(2), q, q.neg()]);
    const ns = tensor(
      [
        [1, 2],
        [5, 12],
        [3, 3],
      ],
      { dtype: "i32" },
    );
    const many = compile((a: Tensor, n: Tensor) => vmap((x: Tensor, m: Tensor) => first(x, k, v, m))(a, n), {
      backend,
    });
    close(reshape(slice(many(qs, ns), [[1, 2]]), [2, 2, 1, 8]), masked(q, k, v, i32([5, 12])));
  });

  it("has the gradient of masked attention", () => {
    const [q, k, v] = operands(3, 2, 2, 10, 4);
    const lengths = i32([1, 6, 10]);
    const slope = (of: typeof first) =>
      compile(
        (a: Tensor, b: Tensor, c: Tensor) =>
          valueAndGradient(([x, y, z]: Tensor[]) => of(x, y, z, lengths).square().sum())([a, b, c]).gradient,
        { backend },
      )(q, k, v);
    const [mine, theirs] = [slope(first), slope(masked)];
    mine.forEach((g, i) => close(g, theirs[i], 4));
  });
});

describe.each(fastBackends())("the bits of attention to the first keys on %s", (backend) => {
  // Large enough for several threads.
  const [q, k, v] = operands(6, 4, 1, 800, 64);
  const lengths = [3, 800, 117, 8, 333, 1];
  const y = compile(first, { backend, threads: 1 })(q, k, v, i32(lengths)).data;

  test("are the same for every number of threads", () => {
    for (const threads of [2, 3, 4]) {
      const many = compile((a: Tensor, b: Tensor, c: Tensor, n: Tensor) => first(a, b, c, n), {
        backend,
        threads,
      });
      expect(many(q, k, v, i32(lengths)).data).toEqual(y);
    }
  });

  test("do not depend on other rows' lengths or on the number of slots", () => {
    const f = compile(first, { backend });
    lengths.forEach((n, r) => {
      const others = i32(lengths.map((m, i) => (i === r ? n : 801 - m)));
      const row = f(q, k, v, others).data.slice(r * 256, (r + 1) * 256);
      expect(row).toEqual(y.slice(r * 256, (r + 1) * 256));
    });
    const wider = (t: Tensor) =>
      compile((x: Tensor) =>
        x.pad([
          [0, 0],
          [0, 0],
          [0, 78],
          [0, 0],
        ]),
      )(t);
    expect(f(q, wider(k), wider(v), i32(lengths)).data).toEqual(y);
  });
});

/** A block of new positions at the end of a cache. */
const block = (q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) =>
  attention(q, k, v, { lengths: perRow(lengths), causal: true });
const maskedBlock = (q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) => {
  const own = reshape(lengths, [-1, 1, 1, 1])
    .add(reshape(iota([q.shape[2]]), [-1, 1]))
    .sub(q.shape[2] - 1);
  return attention(q, k, v, { mask: lt(iota([k.shape[2]]), own) });
};

describe.each(backends())("a causal block at the end of a cache on %s", (backend) => {
  const f = compile(block, { backend });

  it("leaves out one more key for each query before the last, and gives 0 where none is left", () => {
    const [q, k, v] = operands(2, 1, 3, 5, 4);
    const y = f(q, k, v, i32([4, 2]));
    const one = (row: number, query: number, length: number) =>
      f(
        ...([q, k, v].map((t, j) => slice(t, [[row, row + 1], null, j ? null : [query, query + 1]])) as [
          Tensor,
          Tensor,
          Tensor,
        ]),
        i32([length]),
      );
    for (const [row, query, length] of [
      [0, 0, 2],
      [0, 1, 3],
      [0, 2, 4],
      [1, 0, 0],
      [1, 1, 1],
      [1, 2, 2],
    ]) {
      const at = (row * 3 + query) * 4;
      expect(y.data.slice(at, at + 4)).toEqual(one(row, query, length).data);
    }
    expect([...y.data.slice(12, 16)]).toEqual([0, 0, 0, 0]);
    expect([...f(q, k, v, i32([-2147483648, 0])).data]).toEqual(Array(24).fill(0));
  });

  it("ignores values that only later queries see", () => {
    const [q, k, v] = operands(1, 1, 3, 5, 4);
    const hidden = where(lt(reshape(iota([5]), [5, 1]), 4), v, Number.NaN);
    const [clean, dirty] = [v, hidden].map((values) => f(q, k, values, i32([5])).data);
    expect(dirty.slice(0, 8)).toEqual(clean.slice(0, 8));
    expect([...dirty.slice(8)]).toEqual(Array(4).fill(Number.NaN));
  });

  it("has the gradient of attention with a mask", () => {
    const [q, k, v] = operands(2, 2, 3, 10, 4);
    const slope = (of: typeof first) =>
      compile(
        (a: Tensor, b: Tensor, c: Tensor) =>
          valueAndGradient(([x, y, z]: Tensor[]) =>
            of(x, y, z, i32([3, 8]))
              .square()
              .sum(),
          )([a, b, c]).gradient,
        { backend },
      )(q, k, v);
    const [mine, theirs] = [slope(block), slope(maskedBlock)];
    mine.forEach((g, i) => close(g, theirs[i], 4));
  });
});

describe.each(fastBackends())("the bits of a causal block on %s", (backend) => {
  test.each([
    [3, 2, 16, 64, 16],
    [4, 2, 16, 37, 16],
    [3, 1, 16, 50, 10],
    [5, 2, 16, 100, 24],
    [2, 2, 16, 200, 64],
    [2, 2, 14, 100, 10],
    [2, 1, 5, 33, 64],
    [1, 2, 2, 384, 24],
  ])("are those of masked attention: %i rows, %i heads, %i queries, %i slots, width %i", (...sizes) => {
    const [q, k, v] = operands(...(sizes as [number, number, number, number, number]));
    const lengths = i32(Array.from({ length: sizes[0] }, (_, r) => sizes[2] + 7 * r));
    const [mine, theirs] = [block, maskedBlock].map((g) => compile(g, { backend })(q, k, v, lengths));
    expect(mine.data).toEqual(theirs.data);
  });
});

test("operands that do not fit are refused", () => {
  const [q, k, v] = operands(2, 2, 1, 5, 4);
  expect(() => attention(q, k, v, { lengths: i32([1, 2, 3]) })).toThrow("do not match");
  expect(() => attention(q, k, v, { lengths: tensor([1, 2]) })).toThrow("works on i32");
  const mask = lt(iota([5]), 3);
  expect(() => attention(q, k, v, { lengths: i32([1, 2]), mask })).toThrow("cannot be combined with `mask`");
});

test.each(backends())("the gradient ignores slots beyond the length, on %s", (backend) => {
  const [q, k, v] = operands(2, 1, 1, 5, 4);
  const lengths = i32([3, 0]);
  const behind = lt(reshape(iota([5]), [5, 1]), reshape(lengths, [-1, 1, 1, 1]));
  const slopes = (keys: Tensor, values: Tensor) =>
    compile(
      (...at: [Tensor, Tensor, Tensor]) =>
        valueAndGradient((x: { q: Tensor; k: Tensor; v: Tensor }) => first(x.q, x.k, x.v, lengths).sum())({
          q: at[0],
          k: at[1],
          v: at[2],
        }).gradient,
      { backend },
    )(q, keys, values);
  const clean = slopes(where(behind, k, 0), where(behind, v, 0));
  const dirty = slopes(where(behind, k, Number.NaN), where(behind, v, Number.POSITIVE_INFINITY));
  for (const name of ["q", "k", "v"] as const) expect([...dirty[name].data]).toEqual([...clean[name].data]);
});

describe.each(backends())("attention to rows of a cache on %s", (backend) => {
  const [q] = operands(5, 2, 3, 1, 8);
  const [, k, v] = operands(4, 2, 1, 11, 8, 5);
  const rows = i32([2, 0, 2, 9, -1]);
  const lengths = i32([7, 11, 4, 2, 5]);
  const inPlace = (causal: boolean) => (a: Tensor, b: Tensor, c: Tensor, n: Tensor, r: Tensor) =>
    attention(a, b, c, { lengths: perRow(n), causal, rows: r });
  const copied = (causal: boolean) => (a: Tensor, b: Tensor, c: Tensor, n: Tensor, r: Tensor) =>
    attention(a, take(b, r), take(c, r), { lengths: perRow(n), causal });

  it.each([false, true])("has the bits of attention to copies of these rows (causal: %s)", (causal) => {
    const [mine, theirs] = [inPlace, copied].map((f) =>
      compile(f(causal), { backend })(q, k, v, lengths, rows),
    );
    expect(mine.shape).toEqual([5, 2, 3, 5]);
    expect(mine.data).toEqual(theirs.data);
  });

  it("adds the gradients of items that share a row", () => {
    const inside = i32([2, 0, 2, 3, 0]);
    const slope = (f: ReturnType<typeof inPlace>) =>
      compile(
        (a: Tensor, b: Tensor, c: Tensor) =>
          valueAndGradient(([x, y, z]: Tensor[]) => f(x, y, z, lengths, inside).square().sum())([a, b, c])
            .gradient,
        { backend },
      )(q, k, v);
    const [mine, theirs] = [slope(inPlace(true)), slope(copied(true))];
    mine.forEach((g, i) => close(g, theirs[i], 4));
  });

  it("works under vmap, with shared and with own keys and rows", () => {
    const many = (f: ReturnType<typeof inPlace>) =>
      compile(
        (a: Tensor, b: Tensor, r: Tensor) =>
          vmap((x: Tensor, y: Tensor, z: Tensor) => f(x, y, v, lengths, z))(a, b, r),
        { backend },
      )(stack([q, q.neg()]), stack([k, k.mul(2)]), stack([rows, i32([1, 1, 0, 3, 3])]));
    expect(many(inPlace(true)).data).toEqual(many(copied(true)).data);
    const shared = (f: ReturnType<typeof inPlace>) =>
      compile((a: Tensor) => vmap((x: Tensor) => f(x, k, v, lengths, rows))(a), { backend })(
        stack([q, q.neg()]),
      );
    expect(shared(inPlace(true)).data).toEqual(shared(copied(true)).data);
  });
});

it("rejects rows without lengths, and rows that do not match the queries", () => {
  const [q, k, v] = operands(3, 2, 1, 6, 4);
  expect(() => attention(q, k, v, { rows: i32([0, 1, 2]) })).toThrow("`rows` needs `lengths`");
  expect(() => attention(q, k, v, { rows: i32([0, 1]), lengths: i32([1]) })).toThrow("do not match");
});
