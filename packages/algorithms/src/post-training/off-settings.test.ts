import { expect, it } from "vitest";
import { grpo } from "../grpo.ts";
import { runOf } from "./testing.ts";

const small = { groups: 2, groupSize: 2, epochs: 1 };
const off = [
  "klWeight",
  "clipHigh",
  "bandWeight",
  "correction",
  "formatWeight",
  "lengthWeight",
  "hint",
] as const;

it.each(off)("refuses to change %s in a run that began without it", (name) => {
  const run = runOf(grpo({ ...small, klEvery: 0 }));
  expect(() => run.set(name, 0.1)).toThrow(`${name}: was 0 when the run began`);
  expect(run.set(name, 0).shown).toBe(0);
});

it("changes a weight that the run began with", () => {
  const run = runOf(grpo({ ...small, klWeight: 0.1 }));
  expect(run.set("klWeight", 0.2).shown).toBe(0.2);
  expect(run.set("klWeight", 0).shown).toBe(0);
  expect(run.set("klWeight", 0.3).shown).toBe(0.3);
});
