import {
  characters,
  conversationVerdict,
  expertConversation,
  newModel,
  sampleProblem,
  type TextTask,
} from "@reins/language";
import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { counsel } from "./counsel.ts";
import { streams } from "./streams.ts";

/** A player's turns and observations in a problem, and the verdict. */
async function played(task: TextTask, level: number, seed: number, skill: string) {
  const tokenizer = characters(task.alphabet);
  const start = newModel(
    { layers: 1, width: 8, heads: 2, context: 48, vocabulary: tokenizer.size },
    random.key(0),
  );
  const problem = sampleProblem(task, level, "test", seed);
  const { result, segments } = await expertConversation(
    { task, level, start, tokenizer },
    problem,
    seed,
    skill,
  );
  const { terms = {}, reward } = await conversationVerdict(task, result);
  return { problem, segments, result, terms, reward };
}

describe("streams", () => {
  const task = streams({ id: "streams-test", lengths: [8] });

  it("show only the memory and one fact, in one segment per turn", async () => {
    const { segments, result } = await played(task, 2, 3, "append");
    expect(segments).toHaveLength(8);
    const seen = result.messages.filter((m) => m.role === "user").map((m) => m.content);
    for (const text of seen) expect(text).toMatch(/^[a-r]{0,3}\|[a-r]$/);
  });

  it("score the share of latest values that the memory holds at the end", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { problem, result, terms, reward } = await played(task, 2, seed, "newest");
      const { told } = problem.data as { told: string[] };
      const { memory } = result.state as { memory: string[] };
      expect(memory.length).toBeLessThanOrEqual(3);
      const last = ["abc", "def", "ghi"].map((name) => told.filter((fact) => name.includes(fact)).at(-1));
      const asked = last.filter((fact) => fact !== undefined);
      const held = asked.filter((fact) => memory.includes(fact)).length;
      expect(terms.worth).toBeCloseTo(asked.length ? held / asked.length : 1);
      expect(reward).toBe(terms.worth);
    }
  });
});

describe("counsel", () => {
  const task = counsel({ id: "counsel-test" });

  it("rewards each answer immediately, less the cost of the expert", async () => {
    const { result, terms, reward } = await played(task, 2, 1, "always");
    expect(result.rewards).toHaveLength(4);
    for (const earned of result.rewards) expect(earned).toBeCloseTo(0.7 / 4);
    expect(reward).toBeCloseTo(0.7);
    expect(terms).toMatchObject({ accuracy: 1, advice: 1, recall: 0 });
  });

  it("has a memory that saves a second request", async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { problem, terms } = await played(task, 2, seed, "best");
      const { names } = problem.data as { names: string[] };
      const unknown = names.filter((name) => name > "d").length;
      expect(terms.advice).toBeCloseTo(Math.min(1, unknown) / 4);
      expect(terms.recall).toBeCloseTo(Math.max(0, unknown - 1) / 4);
    }
  });
});
