import type { Episode, JudgeContext, Stage } from "@reins/core";
import {
  characters,
  conversationVerdict,
  episodeOf,
  expertConversation,
  newModel,
  sampleProblem,
  type TextTask,
  transcript,
} from "@reins/language";
import { random, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { standardisedByKind } from "./foraging.ts";
import { formed, recalled, selfSearched } from "./self-search.ts";
import { sources } from "./sources.ts";
import { trails } from "./trails.ts";

/** The teacher's conversation about a problem, and its verdict. */
async function shown(task: TextTask, level: number, seed = 7) {
  const tokenizer = characters(task.alphabet);
  const start = newModel(
    { layers: 1, width: 8, heads: 2, context: 80, vocabulary: tokenizer.size },
    random.key(1),
  );
  const { result } = await expertConversation(
    { task, level, start, tokenizer },
    sampleProblem(task, level, "train", seed),
    seed,
  );
  return { result, text: transcript(result), ...(await conversationVerdict(task, result)) };
}

/** The first seed at which the teacher does this. */
async function first(task: TextTask, level: number, does: (text: string) => boolean) {
  for (let seed = 0; seed < 60; seed++) {
    const found = await shown(task, level, seed);
    if (does(found.text)) return found;
  }
  throw new Error("no seed does it");
}

describe("self-search", () => {
  it("uses the model as the search engine", async () => {
    const { result, failed } = await first(selfSearched, 1, (text) => text.startsWith("f("));
    expect(failed).toBeUndefined();
    const asked = result.problem.prompt[0];
    expect(result.messages.slice(1, 4).map((m) => `${m.name ?? m.role} ${m.content}`)).toEqual([
      `assistant f(${asked})`,
      `user ${asked}`,
      expect.stringMatching(/^engine /),
    ]);
    expect(result.calls).toEqual({});
  });

  it("has format rewards, like real search", async () => {
    const { result, score, reward } = await first(formed, 2, (text) => text.startsWith("f("));
    expect([score, reward]).toEqual([1, 1.2]);
    expect(result.calls).toEqual({ ok: 1 });
    expect((await first(formed, 2, (text) => !text.startsWith("f("))).reward).toBeLessThanOrEqual(1);
  });

  it("has an engine that has memorised the fixed facts", async () => {
    const { result } = await shown(recalled, recalled.levels);
    expect(result.problem.prompt).toMatch(/^![a-l]$/);
    expect(result.text).toBe(result.problem.answer);
  });
});

describe("trails", () => {
  it.each([false, true])("reach both names (rebuilt: %s)", async (rebuilt) => {
    const task = trails({ id: "trails to test", rebuilt });
    const { score, result } = await first(task, 3, (text) => /^[a-f]{2}$/.test(text.split("\n").pop()!));
    const { pages, first: at } = result.problem.data as { pages: string[]; first: number };
    expect(result.problem.answer).toBe(pages[at] + pages[pages.length - 1]);
    expect(score).toBe(result.text === result.problem.answer ? 1 : 0);
    expect(result.messages.filter((m) => m.role === "user")).toHaveLength(result.rewards.length);
  });
});

describe("rewards standardised by kind", () => {
  /** A sample of these turns with turn rewards before the answer. */
  const play = (turns: readonly number[], rewards: readonly number[]) => ({
    columns: {
      action: tensor(Int32Array.from(turns), { dtype: "i32" }),
      by: tensor(
        Uint8Array.from(turns, (t) => (t ? 0 : 4)),
        { dtype: "u8" },
      ),
      turn: tensor(Int32Array.from(turns), { dtype: "i32" }),
    },
    segments: [{ from: 0, to: turns.length }],
    terminated: true,
    truncated: false,
    return: [],
    group: "g",
    answered: { rewards },
  });

  it("by hand: gains and answers standardised separately", async () => {
    const scores = [1, 0, 0, 1];
    const { judge } = standardisedByKind({
      judge: () => scores.map((score) => ({ reward: score, score })),
    } as unknown as Stage);
    const plays = [
      play([1, 1, 0, 2, 0, 3], [0.1, 0.5, 0]),
      play([1, 1, 0, 2], [0.3, 0]),
      play([1], [0]),
      play([1, 0, 2, 2], [0.3, 0]),
    ];
    const verdicts = await judge(plays as unknown as Episode[], {} as JudgeContext);
    const [low, high] = [-0.2 / Math.sqrt(0.02), 0.2 / Math.sqrt(0.02)];
    const steps = verdicts.map((v) => Array.from(v.steps!, (x) => Number(x.toFixed(4)) + 0));
    const [l, h] = [low, high].map((x) => Number(x.toFixed(4)));
    expect(steps).toEqual([[0, l, 0, h, 0, 1], [0, 0, 0, -1], [-1], [0, 0, 0, 1]]);
  });
});

describe("sources", () => {
  const judged = sources({ id: "judged", judged: true, instructive: 0.2 });

  it("are judged, and bad ones leave the context", async () => {
    const { result, score, reward } = await first(judged, 1, (text) => text.startsWith("-"));
    const { found } = result.problem.data as { found: readonly string[] };
    const right = (i: number, says: string) => ("mn".includes(found[i][0]) === (says !== "-") ? 0.2 : -0.2);
    const said = result.messages.filter((m) => m.role === "assistant").map((m) => m.content);
    expect(result.rewards).toEqual(said.map((says, i) => right(i, says)));
    expect(reward).toBeCloseTo(score! + result.rewards.reduce((sum, r) => sum + r, 0));
    expect(episodeOf(judged).rebuild!({ state: { found, at: 2 } } as never)).toEqual([
      { role: "user", content: found[1] },
    ]);
  });

  it("can be searched again without a judgement, with reward 0", async () => {
    const { result, score, reward } = await first(sources({ id: "plain" }), 1, (text) =>
      text.startsWith("?"),
    );
    expect(result.messages[2].content).toBe((result.problem.data as { found: string[] }).found[1]);
    expect(reward).toBe(score);
  });
});
