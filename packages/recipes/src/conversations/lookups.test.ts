import { defaultRng } from "@reins/core/random";
import {
  characters,
  conversationVerdict,
  expertConversation,
  newModel,
  sampleProblem,
  type TextTask,
  transcript,
} from "@reins/language";
import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { answerReward, fromMemory, lookups } from "./lookups.ts";

/** The teacher's conversation about a problem, and its verdict. */
async function shown(task: TextTask, level: number) {
  const tokenizer = characters(task.alphabet);
  const start = newModel(
    { layers: 1, width: 8, heads: 2, context: 32, vocabulary: tokenizer.size },
    random.key(1),
  );
  const problem = sampleProblem(task, level, "train", 0);
  const { result } = await expertConversation({ task, level, start, tokenizer }, problem, 7);
  return {
    result,
    lines: transcript(result).split("\n"),
    ...(await conversationVerdict(task, result)),
  };
}

describe("lookups", () => {
  it.each([1, 2, 3, 4, 5])("are found step by step at level %i", async (level) => {
    const { lines, score, result } = await shown(lookups({ id: "sure", needless: 1, hasty: 0 }), level);
    const { path } = result.problem.data as { path: string[] };
    const searches = new Set(path.slice(0, -1)).size;
    expect(lines[0]).toBe(`f(${path[0]})`);
    expect(lines.length).toBe(2 * searches + 1);
    expect(score).toBe(1);
  });

  it("ask for memorised facts at level 1, and for random ones at level 2", () => {
    const { make } = lookups({ id: "asked" });
    for (let i = 0; i < 20; i++) {
      expect(fromMemory(make(defaultRng(i), 1).prompt[0])).toBe(true);
      expect(fromMemory(make(defaultRng(i), 2).prompt[0])).toBe(false);
    }
  });

  it("reward the answer besides its score, by the lookups", async () => {
    const pay = answerReward(({ right, asked }) => (right ? asked.length / 4 : 0));
    const { score, reward, result } = await shown(
      lookups({ id: "paid", needless: 1, hasty: 0, turnReward: pay }),
      2,
    );
    expect(score).toBe(1);
    expect(result.rewards).toEqual([0, 0.25]);
    expect(reward).toBe(1.25);
  });
});
