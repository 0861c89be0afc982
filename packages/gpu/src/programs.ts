import { compile, max, min, mul, neg, sub, type Tensor, tensor } from "@reins/tensor";
import { runBatch } from "../../fuzz/dist/batch.js";
import { differences } from "../../fuzz/dist/compare.js";
import { generate } from "../../fuzz/dist/generate.js";
import type { Row, Section } from "./section.ts";

/** Extremes of negated integers, whose sign ptxas 13.0 lost on sm_90: the smallest program that showed it. */
function negatedExtremes(peer: "native" | "wasm"): Row {
  const x = tensor(
    Int32Array.from({ length: 155 }, (_, i) => (i % 7) - 2),
    { shape: [5, 31], dtype: "i32" },
  );
  const f = (t: Tensor) => [neg(t), sub(0, t), mul(t, -1)].flatMap((n) => [n, max(n), min(n)]);
  const [gpu, cpu] = (["cuda", peer] as const).map((backend) =>
    compile(f, { backend })(x).map((t) => Array.from(t.data).join()),
  );
  const failed = gpu.some((text, i) => text !== cpu[i]);
  return { what: "extremes of negated integers", result: failed ? "differ" : `equal to ${peer}`, failed };
}

const seed = 37;
/** Programs that are compiled together. */
const batch = 20;

/** Random programs of the whole interface on the GPU and the CPU, alternately donated and bound. */
export const programs: Section = {
  name: "programs",
  async *rows({ peer, programs: count }) {
    yield negatedExtremes(peer);
    for (let from = 0; from < count; from += batch) {
      const some = Array.from(
        { length: Math.min(batch, count - from) },
        (_, i) => generate(seed, from + i).program,
      );
      const turn = from / batch;
      const setting = { donate: turn % 2 === 0, bound: turn % 4 < 2, collect: false };
      const what = `random programs ${from} to ${from + some.length - 1}`;
      yield await compared(what, () =>
        Promise.all((["cuda", peer] as const).map((backend) => runBatch(some, { ...setting, backend }))),
      );
    }

    async function compared(
      what: string,
      run: () => Promise<Awaited<ReturnType<typeof runBatch>>[]>,
    ): Promise<Row> {
      let results: Awaited<ReturnType<typeof runBatch>>[];
      try {
        results = await run();
      } catch (error) {
        return { what, result: `failed: ${(error as Error).message.slice(0, 500)}`, failed: true };
      }
      const [gpu, cpu] = results.map((r) => r.outcomes);
      const bad = cpu.flatMap((outcome, p) =>
        outcome.flatMap((values, call) =>
          values.flatMap((v, k) => {
            const at = differences(gpu[p][call][k], v);
            return at && at.length === 0
              ? []
              : [
                  `program ${p}, call ${call}, result ${k}, element ${at?.[0]}: ${gpu[p][call][k].data[at?.[0] ?? 0]} instead of ${v.data[at?.[0] ?? 0]}`,
                ];
          }),
        ),
      );
      return bad.length
        ? { what, result: `differs at ${bad.length} results; ${bad[0]}`, failed: true }
        : { what, result: `equal to ${peer}` };
    }
  },
};
