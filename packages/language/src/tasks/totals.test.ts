import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { totals } from "./totals.ts";

it("totals: each letter is the sum so far, and the last one is judged", () => {
  const task = totals(4);
  const problem = { ...task.make(defaultRng(3), 1), level: 1 };
  const digits = [...problem.prompt.slice(0, 4)].map(Number);
  let total = 0;
  expect([...problem.answer].map((c) => c.charCodeAt(0) - 96)).toEqual(digits.map((d) => (total += d)));
  const { last } = problem.data;
  expect(task.verify(problem, problem.answer)).toMatchObject({ score: 1 });
  expect(task.verify(problem, `zzz${last}`)).toMatchObject({ score: 1 });
  expect(task.verify(problem, last)).toMatchObject({ score: 0 });
  expect(task.verify(problem, "")).toMatchObject({ score: 0 });
});

it("totals: a teacher with slips is sometimes wrong", () => {
  const [task, random] = [totals(5, 0.25), defaultRng(1)];
  const scores = Array.from({ length: 300 }, () => {
    const problem = { ...task.make(random, 1), level: 1 };
    return (task.verify(problem, problem.answer) as { score: number }).score;
  });
  const share = scores.reduce((a, b) => a + b) / scores.length;
  expect(share).toBeGreaterThan(0.15);
  expect(share).toBeLessThan(0.35);
});
