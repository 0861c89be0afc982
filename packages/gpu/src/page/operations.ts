import { type BackendName, compile, gradient, mul, sum, type Tensor, tensor } from "@reins/tensor";
import { bitPrograms } from "../../../tensor/dist/testing/bit-programs.js";
import { type TorchAttributes, torchOperations } from "../../../tensor/dist/testing/torch-operations.js";
import { differences, type Result, readAll } from "./agreement.ts";
import { attempt, type Section } from "./section.ts";

/** Relative error of values, and of gradients and of whatever has many steps. */
export const tolerance = { values: 1e-5, gradients: 1e-4 };

/** Numbers below the normal range are 0 in some GPUs, so neither side gets any. */
const normal = (t: Tensor): Tensor =>
  t.dtype === "f32"
    ? tensor(
        Float32Array.from(t.data, (x) => (Math.abs(x) < 1.1754944e-38 ? 0 : x)),
        { shape: t.shape },
      )
    : t;

/** Every primitive, on special values and lengths around the number of lanes, with gradients. */
export const primitives: Section = (count) => compared(bitPrograms.slice(0, count));

/** Programs of the primitives, evenly spread. */
export const somePrimitives: Section = (count) => {
  const each = Math.ceil(bitPrograms.length / count);
  return compared(bitPrograms.filter((_, i) => i % each === 0));
};

/** Programs on both back ends. */
export async function* compared(list: typeof bitPrograms): ReturnType<Section> {
  for (const { name, inputs, fn } of list) {
    const xs = inputs.map(normal);
    const run = async (backend: BackendName): Promise<Result[]> => {
      const f = compile((all: Tensor[]) => fn(...all), { backend, name });
      await f.ready(xs);
      return readAll(f(xs));
    };
    // Elementwise functions add nothing up.
    const terms = / of (f32|i32|u32|u8|bool) /.test(name) ? 0.01 : 1;
    const relative =
      name.includes("gradient") || name.includes("training") ? tolerance.gradients : tolerance.values;
    yield {
      what: name,
      ...(await attempt(async () => differences(await run("webgpu"), await run("wasm"), relative, terms))),
    };
  }
}

interface Values {
  readonly shape: number[];
  readonly data: number[];
}

interface TorchCase {
  readonly op: string;
  readonly attrs?: TorchAttributes;
  readonly inputs: Values[];
  readonly output: Values;
  readonly upstream?: Values;
  readonly grads?: (Values | null)[];
}

/** PyTorch's values and gradients, which the page's server has. */
export const torch: Section = async function* (count) {
  const { cases } = (await (await fetch("/operations.json")).json()) as { cases: TorchCase[] };
  const each = Math.ceil(cases.length / count);
  for (const c of cases.filter((_, i) => i % each === 0)) {
    const operation = torchOperations[c.op];
    if (!operation) continue;
    const floats = (v: Values) => tensor(Float32Array.from(v.data), { shape: v.shape });
    const inputs = c.inputs.map((x, i) =>
      operation.indices?.includes(i) ? tensor(Int32Array.from(x.data), { shape: x.shape }) : floats(x),
    );
    const wanted = (c.grads ?? []).flatMap((g, i) => (g ? [i] : []));
    const f = compile(
      (xs: Tensor[], up: Tensor | undefined) => {
        const output = operation.compute(xs, c.attrs ?? {});
        const variables = wanted.map((i) => xs[i]);
        return { output, grads: up ? gradient(sum(mul(output, up)), variables) : [] };
      },
      { backend: "webgpu", name: c.op },
    );
    const expected = (v: Values, dtype: Tensor["dtype"]): Result => ({
      dtype,
      shape: v.shape,
      data: dtype === "f32" ? Float32Array.from(v.data) : Int32Array.from(v.data),
    });
    yield {
      what: `${c.op} ${c.inputs.map((x) => `[${x.shape}]`).join(" ")}`,
      ...(await attempt(async () => {
        const up = c.upstream && floats(c.upstream);
        await f.ready(inputs, up);
        const { output, grads } = f(inputs, up);
        const values = await readAll([output]);
        const slopes = await readAll(grads);
        return (
          // PyTorch adds in another order, and its functions are others.
          differences(values, [expected(c.output, output.dtype)], 2 * tolerance.values) ??
          differences(
            slopes,
            wanted.map((i) => expected(c.grads![i]!, "f32")),
            tolerance.gradients,
          )
        );
      })),
    };
  }
};
