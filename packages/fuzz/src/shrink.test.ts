import { expect, it } from "vitest";
import type { Finding } from "./findings.ts";
import { generate } from "./generate.ts";
import { printTest } from "./print.ts";
import type { Node, Program } from "./program.ts";
import { shrink } from "./shrink.ts";

const opsOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((n) => [n.op, ...(n.blocks ?? []).flatMap((b) => opsOf(b.nodes))]);

it("finds the one faulty operation", async () => {
  const setting = { backend: "wasm", donate: true, bound: true, collect: false } as const;
  const blames = (p: Program) => opsOf(p.nodes).includes("cumsum");
  const programs = Array.from({ length: 60 }, (_, i) => generate(5, i).program);
  const guilty = programs.findIndex((p, i) => i > 0 && blames(p));
  const found: Finding = {
    kind: "value",
    detail: "",
    programs: programs.slice(guilty - 1, guilty + 2),
    setting,
  };
  const small = await shrink(
    found,
    async (ps, s) => (ps.some(blames) ? { ...found, programs: ps, setting: s } : undefined),
    30,
  );
  expect(small.programs.length).toBe(1);
  expect(small.programs[0].nodes.length).toBeLessThanOrEqual(2);
  expect(small.setting).toMatchObject({ donate: false, bound: false });
  expect(printTest(small.programs[0], small.setting, "a sum")).toContain("cumsum(");
});

it("the same seed and number give the same program", () => {
  for (let i = 0; i < 20; i++) expect(generate(9, i).program).toEqual(generate(9, i).program);
});
