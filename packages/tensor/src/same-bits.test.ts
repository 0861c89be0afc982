import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { relaxedSimdWorks } from "./backends/wasm/engine.ts";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { interpose } from "./reference/evaluate.ts";
import { fastBackends } from "./testing/backends.ts";
import { expectSameBits } from "./testing/compare.ts";
import { digestsOf, lots, resultsOf } from "./testing/digests.ts";
import { randomGraph } from "./testing/random-graph.ts";
import { rules } from "./transform/rules.ts";

// Fused multiply-add, which defines sums and products, needs this flag on Node 20.
vi.stubEnv("REINS_RELAXED_SIMD", "1");
const backends = fastBackends().filter((b) => b !== "wasm" || relaxedSimdWorks());
afterAll(() => vi.unstubAllEnvs());

const file = new URL("../fixtures/bits.json", import.meta.url);

/** Operations that occur only in graphs or on devices, or are made only by lowering. */
const structure = ["input", "element", "scan", "fma", "copy", "flash", "custom", "identity", "stopGradient"];

describe("the bits of every primitive", () => {
  it("are covered by a program", () => {
    const seen = new Set<string>();
    interpose(
      (op, inputs, plain) => {
        seen.add(op);
        return plain(inputs);
      },
      () => {
        for (const lot of lots) resultsOf(lot, "reference");
      },
    );
    expect(Object.keys(rules).filter((op) => !seen.has(op) && !structure.includes(op))).toEqual([]);
  });

  // REINS_WRITE_BITS=1 writes the file, after a change of the definition of a sum or new programs.
  if (process.env.REINS_WRITE_BITS)
    beforeAll(() => {
      const all = Object.assign({}, ...lots.map((lot) => digestsOf(lot, backends[0])));
      writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`);
    });

  const known = (): Record<string, string> => JSON.parse(readFileSync(file, "utf8"));
  it("are known for every program", () => {
    expect(Object.keys(known())).toEqual(lots.flatMap((lot) => lot.map((p) => p.name)));
  });
  lots.forEach((lot, i) => {
    for (const backend of backends)
      for (const threads of [1, 2])
        it(`are those in the file on ${backend} with ${threads} threads, lot ${i}`, () => {
          const want = known();
          expect(digestsOf(lot, backend, threads)).toEqual(
            Object.fromEntries(lot.map(({ name }) => [name, want[name]])),
          );
        });
  });
});

describe.skipIf(backends.length < 2)("native and WebAssembly give the same bits", () => {
  lots.forEach((lot, i) => {
    it(`for every program, lot ${i}`, () => {
      const [one, other] = backends.map((b) => resultsOf(lot, b));
      lot.forEach(({ name }, n) => {
        one[n].forEach((t, k) => {
          expectSameBits(`${name}, result ${k}`, other[n][k], t);
        });
      });
    });
  });

  for (let seed = 5000; seed < 5012; seed++)
    it(`for a random program, seed ${seed}`, () => {
      const graph = randomGraph(seed);
      const step = (state: Tensor[], xs: Tensor[]) => {
        const { state: next, others } = graph.run(state, xs);
        const loss = others.map((t) => o.mean(t)).reduce((x, y) => o.add(x, y));
        return [...next, ...others, ...o.gradient(loss, state)];
      };
      const [one, other] = backends.map((backend) => o.compile(step, { backend })(graph.state, graph.xs));
      one.forEach((t, k) => expectSameBits(`result ${k} of ${graph.steps.join(", ")}`, other[k], t));
    });
});
