import { expect, it } from "vitest";
import type { Result } from "./result.ts";
import { disagreements, withLabels } from "./rows.ts";
import { example, score } from "./testing.ts";

const judged = (verdict: string, ...parts: string[]) => ({
  verdict,
  ...(parts.length ? { parts: parts.map((v) => ({ verdict: v })) } : {}),
});
const result = (all: object, block: object) =>
  ({ claims: [{}], judged: [all], blocks: [{ firstSeed: 100, judged: [block] }] }) as unknown as Result;

it("blocks must not contradict the whole", () => {
  expect(disagreements(result(judged("shown"), judged("negligible")))).toEqual([
    "claim 1: shown, and negligible from seed 100 on",
  ]);
  expect(disagreements(result(judged("shown"), judged("towards")))).toEqual([]);
});

it("in a joint claim another part may decide", () => {
  const all = judged("reversed", "negligible", "reversed");
  expect(disagreements(result(all, judged("negligible", "negligible", "undecided")))).toEqual([]);
  expect(disagreements(result(all, judged("shown", "shown", "reversed")))).toEqual([
    "claim 1: negligible, and shown from seed 100 on",
  ]);
});

it("shows metrics by their current labels, and keeps everything else as recorded", () => {
  const metrics = { score: { ...score, about: "points" }, old: { ...score, about: "an old metric" } };
  const recorded = { ...result(judged("shown"), judged("shown")), metrics };
  expect(withLabels(recorded, example()).metrics).toEqual({ ...metrics, score });
  expect(withLabels(recorded)).toBe(recorded);
});
