import {
  characters,
  conversationVerdict,
  expertConversation,
  newModel,
  sampleProblem,
  transcript,
} from "@reins/language";
import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { tableQuestions } from "./tables.ts";

const task = tableQuestions();
const tokenizer = characters(task.alphabet);
const start = newModel(
  { layers: 1, width: 8, heads: 1, context: 32, vocabulary: tokenizer.size },
  random.key(1),
);

it("tables have tools, a known path to the answer, and teacher errors", async () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const level = 1 + (seed % 4);
    const problem = sampleProblem(task, level, "train", seed);
    const { result } = await expertConversation({ task, level, start, tokenizer }, problem, seed);
    const { score, terms, wellFormed } = await conversationVerdict(task, result);
    const calls = result.messages.flatMap((m) => m.calls ?? []).length;
    const done = (result.state as { done: number }).done;
    expect(wellFormed).toBe(true);
    // After all calls the answer is the last table's entry.
    if (done === [1, 1, 1, 2][level - 1]) expect(score).toBe(1);
    if (level === 1) expect([score, terms?.needless]).toEqual([1, calls]);
    else expect(terms).toEqual({ needless: calls - done, missing: (level === 4 ? 2 : 1) - done });
    seen.add(`${level} ${score} ${calls}: ${transcript(result).split("\n").length}`);
  }
  // Each level has correct and, except for the first, wrong answers, with and without calls.
  expect([...seen].filter((s) => s.startsWith("4 1 2"))).toHaveLength(1);
  for (const start of ["1 1 0", "1 1 1", "2 0 0", "2 0 1", "2 1 1", "3 0 1", "3 1 1", "4 0 1", "4 0 2"])
    expect([...seen].some((s) => s.startsWith(start))).toBe(true);
});
