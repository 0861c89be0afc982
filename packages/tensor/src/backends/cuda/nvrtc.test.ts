import { describe, expect, it } from "vitest";
import { flatten, trace } from "../../compile/specialise.ts";
import type { Tensor } from "../../index.ts";
import * as o from "../../index.ts";
import { processor } from "../../kernel/cost.ts";
import { lower } from "../../lower/lower.ts";
import { CudaError } from "./errors.ts";
import { emitProgram } from "./launches.ts";
import { libraryKernels, libraryText } from "./library.ts";
import { type Nvrtc, openNvrtc } from "./nvrtc.ts";

const nvrtc = ((): Nvrtc | undefined => {
  try {
    return openNvrtc();
  } catch (error) {
    console.warn(`NVRTC tests are skipped: ${(error as Error).message}`);
    return undefined;
  }
})();

/** A row kernel with scratch memory, sums in lanes, a long one, column sums, a sort by merging, a loop, and one whose iterations run together. */
function everyShape(x: Tensor) {
  const y = o.softmax(o.sin(x));
  const { carry } = o.scan(
    (c: Tensor, row: Tensor) => [o.tanh(o.add(c, row)), c] as const,
    o.zeros([200]),
    x,
  );
  const chunks = o.sumOver((row: Tensor) => ({ row: o.exp(row), sum: o.std(row) }), x);
  const long = o.std(o.take(o.reshape(x, [-1]), o.iota([8000]), 0));
  return [y, o.sum(y, 0), o.argsort(x, 1), o.layerNorm(x, o.ones([200])), carry, chunks, long];
}

describe.skipIf(!nvrtc)("NVRTC", () => {
  it.each(["sm_80", "sm_90"])("compiles kernels of every shape for %s", (architecture) => {
    const args = [o.zeros([40, 200])];
    const { leaves } = flatten("shapes", args);
    const traced = trace("shapes", (list) => everyShape((list as Tensor[])[0]), args, leaves, [], {
      device: true,
    });
    const { program } = lower(traced, {
      threads: 1,
      precision: "f32",
      schedule: "grid",
      cost: { ...processor, sumsTogether: 0 },
    });
    const { text, kernels } = emitProgram(program);
    const image = Buffer.from(nvrtc!.compile(text, architecture)).toString("latin1");
    for (const name of kernels) expect(image).toContain(name);
  });

  it("compiles the library of products", () => {
    const image = Buffer.from(nvrtc!.compile(libraryText(), "sm_90")).toString("latin1");
    for (const name of libraryKernels) expect(image).toContain(name);
  });

  it("reports a text that it cannot compile, with the line", () => {
    expect(() => nvrtc!.compile("void broken(", "sm_90")).toThrow(CudaError);
    expect(() => nvrtc!.compile("void broken(", "sm_90")).toThrow(/reins\.cu\(1\)/);
  });
});
