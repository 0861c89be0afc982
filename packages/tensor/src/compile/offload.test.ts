import { afterEach, expect, it, vi } from "vitest";
import { chooseBackend, provideBackend, setBackend } from "../backends/choose.ts";
import { costOf } from "../backends/cuda/cost.ts";
import type { Driver } from "../backends/cuda/driver.ts";
import * as o from "../index.ts";
import { processor } from "../kernel/cost.ts";
import type { Compiler } from "../kernel/program.ts";
import { lower } from "../lower/lower.ts";
import type { Tensor } from "../tensor.ts";
import { compile } from "./compile.ts";
import { placement, secondsOn } from "./offload.ts";
import { flatten, trace } from "./specialise.ts";

/** The clocks of an H200. */
const h200 = costOf({ processors: 132, clock: 1.98e9, memoryBandwidth: 4.9e12 } as Driver);
const used: string[] = [];
const stop = (): never => {
  used.push("cuda");
  throw new Error("compiled for the GPU");
};
const gpu: Compiler = { name: "cuda", schedule: "grid", cost: h200, compile: stop, compileAsync: stop };
provideBackend({ name: "cuda", threads: 1, compiler: gpu });

afterEach(() => {
  vi.unstubAllEnvs();
  setBackend("auto");
});

function planned(
  fn: (x: Tensor, w: Tensor) => Tensor,
  shapes: readonly (readonly number[])[],
  donate = [0] as readonly number[],
) {
  const args = shapes.map((s) => o.zeros(s));
  const { leaves } = flatten("f", args);
  const traced = trace("f", (list) => fn(...(list as [Tensor, Tensor])), args, leaves, donate);
  const cost = { ...processor, sumsTogether: 2 };
  return { traced, plan: lower(traced, { threads: 1, precision: "f32", schedule: "rows", cost }).plan };
}

const placed = (...args: Parameters<typeof planned>) =>
  placement(planned(...args).traced, chooseBackend(), { threads: 1 });

it("takes a GPU for large products, and the CPU for small ones", () => {
  expect(
    placed(o.matmul, [
      [2048, 1024],
      [1024, 1024],
    ]),
  ).toMatchObject({
    backend: { name: "cuda" },
    why: expect.stringMatching(/^cuda: [\d.]+ ms predicted on native, [\d.]+ µs on cuda$/),
  });
  expect(
    placed(o.matmul, [
      [64, 64],
      [64, 64],
    ]),
  ).toMatchObject({ backend: { name: "native" }, why: expect.stringContaining("less than the 20.00 ms") });
});

it("counts a launch for each repetition of a step", () => {
  // 10⁵ small steps take 20 ms here, and a third of a second as launches.
  const steps = (x: Tensor) =>
    o.scan((c: Tensor) => [o.tanh(o.matmul(c, c)), undefined] as const, x, undefined, { length: 1e5 }).carry;
  expect(placed(steps, [[32, 32], [1]])).toMatchObject({
    backend: { name: "native" },
    why: expect.stringContaining("times faster"),
  });
});

it("counts the copies of results and small arguments, not of parameters and donated memory", () => {
  const seconds = (rows: number, donate: readonly number[]) => {
    const { traced, plan } = planned(
      o.add,
      [
        [rows, 1024],
        [rows, 1024],
      ],
      donate,
    );
    return secondsOn({ ...h200, step: 0, operations: 1e30, bytes: 1e30 }, plan, traced);
  };
  const [start, mebibyte] = [seconds(0, []), 2 ** 20 / h200.copied!];
  expect(seconds(256, []) - start).toBeCloseTo(3 * mebibyte, 9);
  expect(seconds(256, [0]) - start).toBeCloseTo(mebibyte, 9);
  expect(seconds(512, [0]) - start).toBeCloseTo(0, 9);
});

it("respects every request", () => {
  const large = () => compile(o.matmul, { name: "large" })(o.zeros([2048, 1024]), o.zeros([1024, 1024]));
  expect(large).toThrow("compiled for the GPU");
  vi.stubEnv("REINS_DEVICE", "cpu");
  expect(large().shape).toEqual([2048, 1024]);
  vi.unstubAllEnvs();
  const onWasm = compile(o.matmul, { backend: "wasm" })(o.zeros([2048, 1024]), o.zeros([1024, 1024]));
  expect(onWasm.shape).toEqual([2048, 1024]);
  setBackend("native");
  expect(large().shape).toEqual([2048, 1024]);
  expect(used).toEqual(["cuda"]);
});

it("decides before ready() waits", async () => {
  const f = compile(o.matmul);
  await expect(f.ready(o.zeros([2048, 1024]), o.zeros([1024, 1024]))).rejects.toThrow("compiled for the GPU");
});
