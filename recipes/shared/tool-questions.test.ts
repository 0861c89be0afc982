import { defaultRng } from "@reins/core/random";
import {
  characters,
  conversationVerdict,
  expertConversation,
  newModel,
  type Problem,
  sampleProblem,
  type TextTask,
  transcript,
} from "@reins/language";
import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type ToolQuestionOptions, toolQuestions } from "./tool-questions.ts";
import type { ToolQuestion } from "./tool-teacher.ts";

/** The task with a player that writes these turns. */
const scripted = (turns: readonly string[], o: Omit<ToolQuestionOptions, "id"> = {}): TextTask => {
  const task = toolQuestions({ id: "scripted", ...o }) as TextTask;
  return {
    ...task,
    episode: {
      ...task.episode,
      players: { expert: (_, { turns: n }) => turns[n] ?? "" },
    } as TextTask["episode"],
  };
};

/** A two-step question whose tables send each name to the next in "abcdhijklmnp", with the given failing calls. */
const question = (failing: readonly number[] = [], verified = false): Problem<ToolQuestion> => {
  const names = [..."abcdhijklmnp"];
  const table = Object.fromEntries(names.map((name, i) => [name, names[(i + 1) % 12]]));
  const prompt = `${verified ? "v" : "."}h?!`;
  const data: ToolQuestion = {
    question: prompt,
    entries: { f: table, g: table },
    way: ["f(h)", "g(i)"],
    known: false,
    failing: Array.from({ length: 8 }, (_, i) => failing.includes(i)),
    verified,
    done: 0,
    made: [],
    answer: null,
    withdrawn: false,
    closed: false,
  };
  return { prompt, key: prompt, answer: "j", data, level: 4 };
};

async function played(task: TextTask, problem: Problem, seed = 7) {
  const tokenizer = characters(task.alphabet);
  const shape = { layers: 1, width: 8, heads: 2, context: 64, vocabulary: tokenizer.size };
  const options = { task, level: 4, start: newModel(shape, random.key(1)), tokenizer };
  const { result } = await expertConversation(options, problem, seed);
  const { score, terms } = await conversationVerdict(task, result);
  return { lines: transcript(result).split("\n"), score, terms, state: result.state as ToolQuestion };
}

describe("questions with tools", () => {
  it("count needed and needless calls, and go on after a failed one", async () => {
    const found = await played(scripted(["f(h)", "f(h)", "f(i)", "g(i)", "j"]), question([0]));
    expect(found.state.made).toEqual([
      { call: "f(h)", result: null },
      { call: "f(h)", result: "i" },
      { call: "f(i)", result: "j" },
      { call: "g(i)", result: "j" },
    ]);
    expect(found).toMatchObject({ score: 1, terms: { calls: 4, needless: 1, missing: 0, unsupported: 0 } });
  });

  it("say whether a correct answer is unsupported", async () => {
    expect(await played(scripted(["f(h)", "j"]), question())).toMatchObject({
      score: 1,
      terms: { missing: 1, unsupported: 1 },
    });
  });

  it("let an answer be withdrawn once before it is confirmed", async () => {
    const turns = ["f(h)", "i", "-", "g(i)", "j", "-"];
    const found = await played(scripted(turns), question([], true));
    expect(found.lines.filter((line) => line.includes("="))).toHaveLength(2);
    expect(found).toMatchObject({ score: 1, state: { answer: "j", withdrawn: true } });
  });

  it("ask for memorised entries at level 1, and for drawn ones at the others", () => {
    const task = toolQuestions({ id: "asked" });
    const answers = (level: number) => {
      const found = new Map<string, Set<string>>();
      for (let i = 0; i < 200; i++) {
        const { prompt, answer } = task.make(defaultRng(i), level);
        found.set(prompt, (found.get(prompt) ?? new Set()).add(answer));
      }
      return [...found.values()].map((all) => all.size);
    };
    expect(answers(1)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const level of [2, 3]) expect(Math.min(...answers(level))).toBeGreaterThan(1);
  });

  it("have a teacher that errs in about half of the questions with one call", async () => {
    const task = toolQuestions({ id: "taught" }) as TextTask;
    let right = 0;
    for (let i = 0; i < 100; i++)
      right += (await played(task, sampleProblem(task, 2, "train", i), i)).score ?? 0;
    expect(right).toBeGreaterThan(30);
    expect(right).toBeLessThan(70);
  });
});
