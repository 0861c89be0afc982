import { expect, it } from "vitest";
import { dataset } from "../tasks/dataset.ts";
import type { TextTask } from "../tasks/text-task.ts";
import { evaluationMetrics } from "./evaluation-metrics.ts";
import { verdictsOf } from "./verifier.ts";

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

it("votes by the answers that a judge found in the texts", async () => {
  const { listed, verify } = dataset([{ prompt: "6*7=", answer: "42" }], { judge: "number" });
  const [asked] = listed.train;
  const majority = async (...texts: readonly string[]) => {
    const verdicts = await verdictsOf(
      { verify } as TextTask,
      texts.map((text) => ({ problem: asked, text })),
    );
    return evaluationMetrics(
      [asked],
      texts.map((text) => ({ ...answer, text })),
      verdicts,
    ).measures!.majority;
  };
  expect(await majority("6*7 is 42", "so 42.0", "it is 41")).toBe(1);
  expect(await majority("6*7 is 41", "so 41", "it is 42")).toBe(0);
  // Parts of a value and texts without a number are votes of their own.
  expect(await majority("it is 1/42", "it is 3/42", "42")).toBeCloseTo(1 / 3, 12);
  expect(await majority("yes", "no", "42")).toBeCloseTo(1 / 3, 12);
});
