import {
  characters,
  conversationVerdict,
  expertConversation,
  newModel,
  sampleProblem,
} from "@reins/language";
import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { type ModeQuestion, modes } from "./modes.ts";

const tokenizer = characters(modes.alphabet);
const start = newModel(
  { layers: 1, width: 8, heads: 1, context: 32, vocabulary: tokenizer.size },
  random.key(1),
);

it("is answered in three modes, one of which is the cheapest for each kind of question", async () => {
  const outcomes = new Map<string, number[]>();
  for (let seed = 0; seed < 90; seed++) {
    const level = 1 + (seed % 9);
    const problem = sampleProblem(modes, level, "train", seed);
    const { result } = await expertConversation({ task: modes, level, start, tokenizer }, problem, seed);
    const { score, terms } = await conversationVerdict(modes, result);
    const [way] = ["instant", "thinking", "tools"].filter((name) => terms?.[name] === 1);
    const { lead } = problem.data as ModeQuestion;
    if (lead) expect(way).toBe(lead === "r" ? "thinking" : "tools");
    // A tool is always correct; reasoning is correct for memorised facts; an immediate answer is correct for one step.
    const kind = (level - 1) % 3;
    if (way === "tools" || (way === "thinking" && kind < 2) || kind === 0) expect(score).toBe(1);
    outcomes.set(`${kind} ${way}`, [...(outcomes.get(`${kind} ${way}`) ?? []), score as number]);
  }
  expect(outcomes.size).toBe(9);
  expect(outcomes.get("2 instant")).toContain(0);
});

it("begins with its lead", async () => {
  const problem = modes.led!(sampleProblem(modes, 1, "train", 3), "i");
  const { result } = await expertConversation({ task: modes, level: 1, start, tokenizer }, problem, 1);
  expect(result.messages.map((m) => m.content)).toEqual([problem.prompt, problem.answer]);
  expect(problem.prompt.endsWith("?i")).toBe(true);
  expect((await conversationVerdict(modes, result)).score).toBe(1);
});
