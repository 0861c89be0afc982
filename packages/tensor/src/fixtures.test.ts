import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compile, gradient, mul, sum, type Tensor, tensor } from "./index.ts";
import { backends } from "./testing/backends.ts";
import { expectClose } from "./testing/compare.ts";
import { type TorchAttributes, torchOperations } from "./testing/torch-operations.ts";

interface Values {
  shape: number[];
  data: number[];
}
interface TorchCase {
  op: string;
  attrs?: TorchAttributes;
  inputs: Values[];
  output: Values;
  upstream?: Values;
  grads?: (Values | null)[];
}

/** Values and gradients computed by PyTorch, an independent implementation. */
const folder = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../fixtures", import.meta.url));
const file = join(folder, "torch", "operations.json");

function load(): TorchCase[] {
  if (!existsSync(file))
    throw new Error(
      `${file} does not exist. REINS_FIXTURES names the folder that holds torch/operations.json.`,
    );
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases?: TorchCase[] };
  if (!cases?.length) throw new Error(`${file} has no cases.`);
  return cases;
}

function run(
  c: TorchCase,
  backend: ReturnType<typeof backends>[number],
): { output: Tensor; grads: (Tensor | null)[] } {
  const operation = torchOperations[c.op];
  if (!operation)
    throw new Error(`${file} has a case of "${c.op}", which is missing in testing/torch-operations.ts.`);
  const inputs = c.inputs.map((x, i) =>
    tensor(operation.indices?.includes(i) ? Int32Array.from(x.data) : Float32Array.from(x.data), {
      shape: x.shape,
    }),
  );
  const upstream = c.upstream && tensor(Float32Array.from(c.upstream.data), { shape: c.upstream.shape });
  const wanted = (c.grads ?? []).flatMap((g, i) => (g ? [i] : []));
  const f = compile(
    (xs: Tensor[], up: Tensor | undefined) => {
      const output = operation.compute(xs, c.attrs ?? {});
      return {
        output,
        grads: up
          ? gradient(
              sum(mul(output, up)),
              wanted.map((i) => xs[i]),
            )
          : [],
      };
    },
    { backend, name: c.op },
  );
  const result = f(inputs, upstream);
  return {
    output: result.output,
    grads: (c.grads ?? []).map((g, i) => (g ? result.grads[wanted.indexOf(i)] : null)),
  };
}

/** Gradients pass through several roundings; the largest entries set the error scale of the small ones. */
const tolerance = (v: Values) => ({ relative: 2e-5, absolute: 4e-6 * Math.max(1, ...v.data.map(Math.abs)) });

describe("PyTorch's values and gradients", () => {
  const cases = load();

  it("has cases of known operations", () => {
    expect(cases.filter((c) => torchOperations[c.op]).length).toBeGreaterThan(0);
  });

  for (const backend of backends()) {
    describe(backend, () => {
      cases.forEach((c, i) => {
        // Another folder of fixtures may have operations that this table lacks: they are shown as skipped.
        it.skipIf(!torchOperations[c.op])(
          `${i} ${c.op} ${c.inputs.map((x) => `[${x.shape}]`).join(" ")} ${c.attrs ? JSON.stringify(c.attrs) : ""}`,
          () => {
            const { output, grads } = run(c, backend);
            expectClose("output", output, c.output, tolerance(c.output));
            grads.forEach((g, k) => {
              if (g) expectClose(`gradient of input ${k}`, g, c.grads![k]!, tolerance(c.grads![k]!));
            });
          },
        );
      });
    });
  }
});
