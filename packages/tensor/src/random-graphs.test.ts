import { describe, it } from "vitest";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { backends } from "./testing/backends.ts";
import { expectClose, expectSameBits } from "./testing/compare.ts";
import { randomGraph } from "./testing/random-graph.ts";

const close = { relative: 1e-4, absolute: 1e-5 };
const copy = (ts: readonly Tensor[]) => ts.map((t) => o.tensor(t.data, { shape: t.shape, dtype: t.dtype }));
const rounds = { reference: 60, wasm: 60, native: 16, cuda: 16, webgpu: 16 };
/** Additional seeds that once failed in longer runs. */
const found = [449, 2115, 2264, 2358, 2578, 2633, 2714, 3130];
const calls = 3;

/** The state and the other results of `calls` successive calls, computed one operation at a time without a compiler. */
function expected(seed: number) {
  const { state, xs, run } = randomGraph(seed);
  const out: { state: Tensor[]; others: Tensor[] }[] = [];
  let now = copy(state);
  for (let i = 0; i < calls; i++) {
    out.push(run(now, xs));
    now = out[i].state;
  }
  return out;
}

for (const backend of backends()) {
  describe(`random graphs on ${backend}`, () => {
    for (const seed of [...Array(rounds[backend]).keys(), ...found]) {
      it(`seed ${seed}`, () => {
        const graph = randomGraph(seed);
        const want = expected(seed);
        const fresh = o.compile(graph.run, { backend, name: "fresh" });
        const donating = o.compile(graph.run, { backend, name: "donating", donate: [0] });
        let [a, b] = [copy(graph.state), copy(graph.state)];
        const kept = copy(graph.state);
        for (let i = 0; i < calls; i++) {
          const before = a;
          const [p, q] = [fresh(a, graph.xs), donating(b, graph.xs)];
          if (i === 0)
            for (const [k, t] of before.entries()) expectSameBits(`argument ${k} is untouched`, t, kept[k]);
          const all = (r: typeof p) => [...r.state, ...r.others];
          all(p).forEach((t, k) => {
            const what = `call ${i}, result ${k} of ${graph.steps.join(", ")}`;
            expectClose(what, t, all(want[i])[k], close);
            expectSameBits(`${what}, donated`, all(q)[k], t);
          });
          [a, b] = [p.state, q.state];
        }
        const bound = o
          .compile(graph.run, { backend, name: "bound", donate: [0] })
          .bind(copy(graph.state), graph.xs);
        for (let i = 0; i < calls; i++) bound.run();
        for (const [k, t] of bound.result.state.entries())
          expectSameBits(`bound, state ${k} of ${graph.steps.join(", ")}`, t, a[k]);
        bound.dispose();
      });
    }

    it("gradients of random graphs", () => {
      const many = rounds[backend] / 4;
      for (let seed = 1000; seed < 1000 + many; seed++) {
        const graph = randomGraph(seed);
        const loss = (state: Tensor[], xs: Tensor[]) =>
          graph
            .run(state, xs)
            .others.map((t) => o.mean(t))
            .reduce((x, y) => o.add(x, y));
        const step = (state: Tensor[], xs: Tensor[]) => o.gradient(loss(state, xs), state);
        const want = o.compile(step, { backend: "reference" })(graph.state, graph.xs);
        const got = o.compile(step, { backend })(graph.state, graph.xs);
        for (const [k, g] of got.entries())
          expectClose(`seed ${seed}, gradient ${k} of ${graph.steps.join(", ")}`, g, want[k], close);
      }
    });
  });
}
