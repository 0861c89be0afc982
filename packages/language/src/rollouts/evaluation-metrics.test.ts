import { expect, it } from "vitest";
import { evaluationMetrics } from "./evaluation-metrics.ts";

const problem = (prompt: string, key?: string) => ({ prompt, answer: "a", data: {}, level: 1, key });
const answer = { text: "a", tokens: 1, confidence: 1, entropy: 0 };
const measured = (problems: ReturnType<typeof problem>[]) =>
  evaluationMetrics(
    problems,
    problems.map(() => answer),
    problems.map(() => ({ reward: 1 })),
  );

it("counts distinct problems where some are repeated, by their keys", () => {
  expect(measured([problem("x"), problem("x"), problem("y")]).distinct).toBe(2);
  expect(measured([problem("x"), problem("y")])).not.toHaveProperty("distinct");
  expect(measured([problem("x", "1"), problem("x", "2")])).not.toHaveProperty("distinct");
});
