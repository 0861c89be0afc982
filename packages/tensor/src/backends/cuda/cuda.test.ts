import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { Tensor } from "../../index.ts";
import * as o from "../../index.ts";
import { expectSameBits } from "../../testing/compare.ts";
import { digestsOf, lots } from "../../testing/digests.ts";
import { randomGraph } from "../../testing/random-graph.ts";
import { provideBackend } from "../choose.ts";
import { cudaCompiler } from "./cuda.ts";
import { openDriver } from "./driver.ts";
import { gemmKernels, gemmLaunch } from "./gemm.ts";
import { DeviceMemory } from "./memory.ts";
import { emulatedGpu, emulatedImages, emulatedLibrary, emulatorMissing } from "./testing/emulator.ts";

const missing = emulatorMissing();
if (missing) console.warn(`CUDA tests are skipped: ${missing}`);

// A provided back end stays in this process, so this file has its own.
describe.skipIf(missing)("on an emulated GPU", () => {
  if (!missing)
    provideBackend({ name: "cuda", threads: 1, compiler: cudaCompiler(emulatedGpu(), emulatedImages) });
  afterAll(() => vi.unstubAllEnvs());
  const known = JSON.parse(
    readFileSync(new URL("../../../fixtures/bits.json", import.meta.url), "utf8"),
  ) as Record<string, string>;

  lots.forEach((lot, i) => {
    it(`every primitive and its gradient has the known bits, lot ${i}`, () => {
      expect(digestsOf(lot, "cuda")).toEqual(Object.fromEntries(lot.map(({ name }) => [name, known[name]])));
    });
  });

  const graphs = [...Array(6).keys(), 449, 2358];
  it.each(graphs)("random graph %i: calls, donation and bindings agree with WebAssembly", (seed) => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    const graph = randomGraph(seed);
    const copy = (ts: readonly Tensor[]) =>
      ts.map((t) => o.tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }));
    const results = (["cuda", "wasm"] as const).map((backend) => {
      const donating = o.compile(graph.run, { backend, donate: [0] });
      const first = donating(copy(graph.state), graph.xs);
      const second = donating(first.state, graph.xs);
      const bound = o.compile(graph.run, { backend, donate: [0] }).bind(copy(graph.state), graph.xs);
      for (let i = 0; i < 3; i++) bound.run();
      return [...second.state, ...second.others, ...bound.result.state];
    });
    results[1].forEach((t, k) => {
      expectSameBits(`result ${k} of ${graph.steps.join(", ")}`, results[0][k], t);
    });
  });

  it("multiplies in tiles of every size, past their edges", () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    const matrices = (shape: number[]) =>
      o.tensor(
        Float32Array.from(
          { length: shape.reduce((a, b) => a * b) },
          (_, i) => ((i * 2654435761) % 4093) / 2048 - 1,
        ),
        { shape },
      );
    const used = new Set<string>();
    for (const [count, m, k, n] of [
      [1, 1410, 5, 1500],
      [1, 530, 17, 1030],
      [1, 45, 33, 40],
      [1, 33000, 5, 50],
      [1, 8200, 5, 70],
      [520, 60, 18, 60],
      [40, 700, 5, 14],
    ]) {
      const f = (a: Tensor, b: Tensor) => o.matmul(a, b);
      const [x, y] = [matrices([count, m, k]), matrices([count, k, n])];
      const [got, want] = (["cuda", "wasm"] as const).map((backend) => o.compile(f, { backend })(x, y));
      expectSameBits(`${count} × ${m}×${k}·${k}×${n}`, got, want);
      const place = { buffer: 0, offset: 0 };
      const step = {
        ...{ kind: "gemm" as const, m, n, k, a: place, b: place, c: place, cRow: n, barrier: false },
        ...{ aStrides: [k, 1] as const, bStrides: [n, 1] as const, precision: "f32" as const },
        batch: [{ extent: count, a: m * k, b: k * n, c: m * n }],
      };
      used.add(gemmLaunch(step)!.name);
    }
    expect([...used, "gemmLanes"].sort()).toEqual([...gemmKernels].sort());
  });

  it("adds the terms of a long sum in the same order, from several tiles", () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    for (const length of [4095, 4096, 4097, 20_011]) {
      const x = o.tensor(Float32Array.from({ length }, (_, i) => Math.sin(i * i) * 10 ** (i % 5)));
      const rows = o.tensor(Int32Array.from({ length }, (_, i) => (i * 7919) % length));
      const f = (a: Tensor, at: Tensor) => {
        const b = o.gather(a, at, 0);
        const away = o.sub(b, o.mean(b));
        return { deviation: o.sqrt(o.mean(o.mul(away, away))), largest: o.max(away), away };
      };
      const [got, want] = (["cuda", "wasm"] as const).map((backend) => o.compile(f, { backend })(x, rows));
      for (const name of ["deviation", "largest", "away"] as const)
        expectSameBits(`${name} of ${length}`, got[name], want[name]);
    }
  });

  it("computes several items of a thread at once, in place too", () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    const f = (a: Tensor, b: Tensor, c: Tensor) => ({
      a: o.add(o.mul(a, 0.5), o.mul(b, b)),
      turned: o.mul(o.transpose(b), 3),
      c: o.where(o.gt(c, 1), o.sub(c, a), c),
      larger: o.gt(a, c),
      inside: o.mul(
        o.slice(b, [
          [1, b.shape[0]],
          [3, b.shape[1] - 1],
        ]),
        2,
      ),
    });
    // Lengths in which elements cannot, and can, be loaded by fours.
    for (const shape of [
      [1025, 2051],
      [1026, 2048],
    ]) {
      const length = shape[0] * shape[1];
      const numbers = (step: number) =>
        Float32Array.from({ length }, (_, i) => ((i * step) % 8191) / 1024 - 3);
      const [got, want] = (["cuda", "wasm"] as const).map((backend) => {
        const [a, b, c] = [7919, 104729, 1299709].map((step) => o.tensor(numbers(step), { shape }));
        return o.compile(f, { backend, donate: [0, 2] })(a, b, c);
      });
      for (const name of Object.keys(want) as (keyof typeof want)[])
        expectSameBits(`${name} of ${shape}`, got[name], want[name]);
    }
  });

  it("adds rows at the same position in their order", () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    const [rows, columns] = [300, 70];
    const source = o.tensor(
      Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i) * 10 ** (i % 7)),
      { shape: [rows, columns] },
    );
    // Positions that many rows, one row and no row have, and some past the ends.
    const at = o.tensor(Int32Array.from({ length: rows }, (_, i) => ((i * i) % 57) - 3));
    const f = (table: Tensor, i: Tensor, g: Tensor) =>
      o.valueAndGradient((t: Tensor) => o.sum(o.mul(o.gather(t, o.expandDims(i, -1), 0), g)))(table).gradient;
    const table = o.zeros([50, columns]);
    const [got, want] = (["cuda", "wasm"] as const).map((backend) =>
      o.compile(f, { backend })(table, at, source),
    );
    expectSameBits("gradient of a table", got, want);
  });

  it("sorts rows whose positions are stored by fours", () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    const x = o.tensor(
      Float32Array.from({ length: 2 * 2048 }, (_, i) => Math.sin(i * i)),
      { shape: [2, 2048] },
    );
    const f = (a: Tensor) => o.argsort(a, -1);
    const [got, want] = (["cuda", "wasm"] as const).map((backend) => o.compile(f, { backend })(x));
    expectSameBits("positions", got, want);
  });

  it("writes no negation of integers that ptxas could lose in an extreme of three", () => {
    const x = o.tensor(
      Int32Array.from({ length: 155 }, (_, i) => (i % 7) - 2),
      { shape: [5, 31], dtype: "i32" },
    );
    const texts: string[] = [];
    const compiler = cudaCompiler(emulatedGpu(), {
      ...emulatedImages,
      compile: (text, architecture) => {
        texts.push(text);
        return emulatedImages.compile(text, architecture);
      },
    });
    // A fill that no other test has, so that no text comes from the cache.
    const fill = 1000 + Math.floor(Math.random() * 1e6);
    const f = (t: Tensor) => {
      const negatives = [t.neg(), o.sub(0, t), o.mul(t, -1)];
      return [...negatives, ...negatives.map((n) => o.max(o.concat([n, o.full([5, 1], -fill, "i32")], 1)))];
    };
    provideBackend({ name: "cuda", threads: 1, compiler });
    const got = o.compile(f, { backend: "cuda" })(x);
    provideBackend({ name: "cuda", threads: 1, compiler: cudaCompiler(emulatedGpu(), emulatedImages) });
    const want = o.compile(f, { backend: "wasm" })(x);
    want.forEach((t, i) => expectSameBits(`result ${i}`, got[i], t));
    const text = texts.join("\n").split("#define ALIVE").slice(1).join("\n");
    expect(text).toContain("negated(");
    expect(text).not.toMatch(/\(i32\)\(-\(u32\)|\(u32\)0 - \(u32\)|\* \(u32\)-1/);
    // Operands of extremes pass through an operation that stays.
    expect(text).toMatch(/\(v\d+ \^ ZERO\)/);
  });

  it("runs loops as long as memory says, nested too", () => {
    const f = (n: Tensor) => {
      const step = (c: Tensor): readonly [Tensor, Tensor] => [o.add(c, 1), o.mul(c, 2)];
      const { carry, ys } = o.scan(
        (c: Tensor) => {
          const inner = o.scan(step, c, [] as never, { length: 4, count: n });
          return [inner.carry, inner.ys] as const;
        },
        o.zeros([3]),
        [] as never,
        { length: 3, count: n },
      );
      return [carry, ys as Tensor];
    };
    const [gpu, cpu] = (["cuda", "reference"] as const).map((backend) => o.compile(f, { backend }));
    for (const n of [0, 1, 2, 7, -1]) {
      const count = o.tensor(Int32Array.of(n), { shape: [] });
      const want = cpu(count);
      gpu(count).forEach((t, i) => {
        expectSameBits(`count ${n}, result ${i}`, t, want[i]);
      });
    }
  });

  it("adds long rows in the order of the lanes, with terms that a whole block computes", () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    const f = (x: Tensor, i: Tensor) => {
      const y = o.take(x, i, 0);
      const z = o.div(o.sub(y, o.mean(y)), o.std(y));
      return [z, o.max(o.mul(y, 3)), o.sum(o.mul(o.exp(y), y)), o.min(i), o.sum(z)];
    };
    const x = o.tensor(Float32Array.from({ length: 300 }, (_, k) => ((k * 2654435761) % 4093) / 2048 - 1));
    for (const n of [512, 1001, 4097, 10007]) {
      const i = o.tensor(Int32Array.from({ length: n }, (_, k) => (k * 7919) % 300));
      const [got, want] = (["cuda", "wasm"] as const).map((backend) => o.compile(f, { backend })(x, i));
      want.forEach((t, k) => {
        expectSameBits(`${n} elements, result ${k}`, got[k], t);
      });
    }
  });

  it("sums over elements at once as over one after the other, zeros with their signs", () => {
    vi.stubEnv("REINS_RELAXED_SIMD", "1");
    const values = (...shape: number[]) =>
      o.tensor(
        Float32Array.from({ length: o.zeros(shape).size }, (_, k) => ((k * 2654435761) % 4093) / 2048 - 1),
        { shape },
      );
    const zero = o.tensor(new Float32Array(1), { shape: [] });
    const f = (w: Tensor, xs: Tensor) =>
      o.sumOver((x: Tensor) => {
        const loss = (v: Tensor) => o.mean(o.square(o.matmul(o.tanh(o.matmul(x, v)), o.transpose(v))));
        const { value, gradient } = o.valueAndGradient(loss)(w);
        // The length of an inner loop is part of the body.
        const { carry } = o.scan(
          (c: Tensor, row: Tensor) => [c.mul(0.5).add(row), undefined] as const,
          o.sum(x, 0),
          x,
        );
        const negative = o.mul(o.sum(o.abs(x)), o.neg(zero));
        return { value, gradient, carry, negative, rows: o.sum(o.gt(x, 0).cast("i32")) };
      }, xs);
    for (const chunks of [2, 9, 20]) {
      const [w, xs] = [values(4, 12), values(chunks, 16, 4)];
      const [gpu, cpu] = (["cuda", "wasm"] as const).map((backend) =>
        o.leaves(o.compile(f, { backend })(w, xs)),
      );
      cpu.forEach((t, k) => {
        expectSameBits(`${chunks} chunks, result ${k}`, gpu[k], t);
      });
      expect(gpu.some((t) => Object.is(t.data[0], -0))).toBe(true);
    }
  });

  describe("tensors on the device and the host", () => {
    const f = (x: Tensor) => o.mul(o.add(x, 1), 2);

    it("see writes through arrays that callers keep, in both directions", () => {
      const x = o.tensor(Float32Array.of(1, 2, 3));
      const bound = o.compile(f, { backend: "cuda" }).bind(x);
      bound.run();
      const [inside, outside] = [x.data, bound.result.data];
      expect([...outside]).toEqual([4, 6, 8]);
      inside[0] = 10;
      bound.run();
      expect([...outside]).toEqual([22, 6, 8]);
      expect(x.data).toBe(inside);
      x.set([0, 0, 0]);
      bound.run();
      expect(bound.result.toArray()).toEqual([2, 2, 2]);
      expect([...outside]).toEqual([2, 2, 2]);
    });

    it("move between back ends with their newest values", () => {
      const x = o.tensor(Float32Array.of(1, 2));
      const onGpu = o.compile(f, { backend: "cuda", donate: [0] }).bind(x);
      const onCpu = o.compile(f, { backend: "wasm", donate: [0] }).bind(x);
      onGpu.run();
      onCpu.run();
      onGpu.run();
      expect(x.toArray()).toEqual([22, 30]);
      expect(o.add(x, 1).toArray()).toEqual([23, 31]);
      onCpu.run();
      expect(x.toArray()).toEqual([46, 62]);
    });

    it("are copied once if they share memory, and around every run if callers keep an array", () => {
      const whole = o.heapZeros([4, 2]);
      const bound = o.compile(f, { backend: "cuda", donate: [0] }).bind(o.prefixView(whole, [2, 2]));
      const copies = () => {
        const profile = o.startProfile();
        bound.run();
        return profile.stop().entries.reduce((n, { kind, count }) => n + (kind === "copy" ? count : 0), 0);
      };
      bound.run();
      bound.run();
      expect(copies()).toBe(0);
      // What is read and written at once is copied once.
      expect([...whole.peek().subarray(0, 5)]).toEqual([14, 14, 14, 14, 0]);
      whole.edit().fill(14, 0, 4);
      bound.run();
      expect(copies()).toBe(0);
      whole.edit().fill(14, 0, 4);
      const kept = whole.data;
      expect(copies()).toBeGreaterThan(0);
      expect([...kept]).toEqual([30, 30, 30, 30, 0, 0, 0, 0]);
      kept[0] = 1;
      bound.run();
      expect([...kept.subarray(0, 2)]).toEqual([4, 62]);
    });

    it("stay on the device between runs that donate them", () => {
      const x = o.tensor(Float32Array.of(1));
      const bound = o.compile(f, { backend: "cuda", donate: [0] }).bind(x);
      for (let i = 0; i < 3; i++) bound.run();
      expect(x.item()).toBe(22);
      bound.dispose();
      expect(x.item()).toBe(22);
    });
  });

  describe("without", () => {
    it("a driver, says what to install", () => {
      expect(() => openDriver(0, "/nowhere/libcuda.so.1")).toThrow(
        /needs the NVIDIA driver.*Install the driver/,
      );
    });

    it("enough memory, says how much is missing and what to do", () => {
      const driver = openDriver(0, emulatedLibrary());
      const memory = new DeviceMemory({
        ...driver,
        allocate: (n) => (n > 4096 ? undefined : driver.allocate(n)),
      });
      const small = memory.allocate(1000);
      expect(() => memory.allocate(1e6)).toThrow(
        /too little memory: 1048576 bytes were requested, 1024 are in use.*smaller batches/,
      );
      const { address } = small;
      small.release();
      expect(memory.allocate(900).address).toBe(address);
    });

    it("a GPU of that number, says so", () => {
      expect(() => openDriver(3, emulatedLibrary())).toThrow(/no GPU number 3: 1 are visible/);
    });
  });
});
