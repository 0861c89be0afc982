import { it } from "vitest";
import * as o from "./index.ts";
import type { Tensor } from "./index.ts";
import { randomGraph } from "./testing/random-graph.ts";
it("x", () => {
  const g = randomGraph(24);
  const out = g.run(g.state, g.xs);
  console.log(g.state.map(String), out.state.map(String));
  const step = (s: { p: Tensor; q: Tensor }) => { const n = o.add(s.p, 1); return { p: n, q: n }; };
  const b = o.compile(step, { donate: [0] }).bind({ p: o.tensor([0]), q: o.tensor([0]) });
  b.run(); b.run();
  console.log(String(b.result.p), String(b.result.q));
  const s2 = { p: o.tensor([0]), q: o.tensor([0]) };
  const f2 = o.compile((s: { p: Tensor; q: Tensor }) => { const n = o.add(s.q, 1); return { p: n, q: n }; }, { donate: [0] }).bind(s2);
  f2.run(); f2.run();
  console.log("want 2 2:", String(f2.result.p), String(f2.result.q), String(s2.q));
});
