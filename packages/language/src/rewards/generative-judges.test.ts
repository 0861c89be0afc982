import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { newModel } from "../models/language-model.ts";
import { textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import {
  type JudgeModel,
  languageJudge,
  pairwise,
  positionBias,
  repliesJudge,
  rubric,
  withPreference,
} from "./judges.ts";

const criteria = "Which answer is longer?";
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Prefers the longer answer, and the one that is shown first by `bias`, in logits. */
const biased = (bias: number): JudgeModel => ({
  async choose([{ content }]) {
    const [, first, second] = /Answer A:\n(.*)\n\nAnswer B:\n(.*)\n\nReply/s.exec(content) as RegExpExecArray;
    const share = sigmoid(first.length - second.length + bias);
    return [share, 1 - share];
  },
});

const pairs = [
  { prompt: "?", one: "a", other: "aa" },
  { prompt: "?", one: "aaaaaa", other: "a" },
  { prompt: "?", one: "b", other: "aaa" },
];

describe("a judge that compares", () => {
  it("has a position bias, which is measured, and which both orders remove", async () => {
    expect((await positionBias(biased(0), criteria, pairs)).bias).toBeCloseTo(0, 12);
    const found = await positionBias(biased(1.5), criteria, pairs);
    expect(found.bias).toBeGreaterThan(0.1);
    // Only the first pair is closer than the bias.
    expect(found.inconsistent).toBeCloseTo(1 / 3, 12);
    expect((await positionBias(biased(-1.5), criteria, pairs)).bias).toBeCloseTo(-found.bias, 12);
    const [once, both] = [false, true].map((bothOrders) => pairwise(biased(1.5), { criteria, bothOrders }));
    const [{ one, other }] = pairs;
    // Shown first, the shorter answer wins.
    expect(await once({ prompt: "?" }, one, other)).toBeGreaterThan(0.5);
    expect(await both({ prompt: "?" }, one, other)).toBeLessThan(0.5);
    for (const p of pairs) {
      const sum = (await both(p, p.one, p.other)) + (await both(p, p.other, p.one));
      expect(sum).toBeCloseTo(1, 12);
    }
    // Equal answers tie.
    expect(await both({ prompt: "?" }, "a", "a")).toBeCloseTo(0.5, 12);
    await expect(positionBias(biased(0), criteria, [])).rejects.toThrow("got no pairs");
  });

  it("is a task's preference", async () => {
    const task = textTask({
      id: "longer",
      about: "Write.",
      levels: 1,
      alphabet: "a?",
      longest: { prompt: 1, answer: 4 },
      make: () => ({ prompt: "?", answer: "a", data: {} }),
      verify: () => ({ score: 0 }),
    });
    const { prefer } = withPreference(task, pairwise(biased(3), { criteria }));
    expect(await prefer!({ prompt: "?", answer: "a", data: {}, level: 1 }, "aaa", "a")).toBeGreaterThan(0.5);
  });
});

describe("a judge that grades", () => {
  const problem = { prompt: "2+2?", answer: "4", data: {}, level: 1 };
  it("gives the expected grade, from 0 to 1", async () => {
    const grading = (shares: readonly number[]) => rubric({ choose: async () => shares }, { criteria });
    expect(await grading([0, 0, 0, 0, 1])("4", problem)).toBe(1);
    expect(await grading([1, 0, 0, 0, 0])("4", problem)).toBe(0);
    expect(await grading([0, 0.5, 0, 0.5, 0])("4", problem)).toBe(0.5);
    expect(() => rubric(biased(0), { criteria, grades: 12 })).toThrow("grades is 12");
  });

  it("reads the replies of an API, and refuses others", async () => {
    const saying = (reply: string) =>
      rubric(
        repliesJudge(async () => reply),
        { criteria },
      );
    expect(await saying("Grade: 4.")("4", problem)).toBe(0.75);
    expect(await saying("5")("4", problem)).toBe(1);
    expect(await saying("I give it 4/5, so 4 out of 5.")("4", problem)).toBe(0.75);
    await expect(saying("On a scale from 1 to 5: 4")("4", problem)).rejects.toThrow(
      'the reply "On a scale from 1 to 5: 4" has 1 and 4 and 5. Ask for one of them alone.',
    );
    await expect(saying("4.5")("4", problem)).rejects.toThrow("none of 1, 2, 3, 4, 5");
    await expect(saying("10 of 10")("4", problem)).rejects.toThrow(
      'the reply "10 of 10" has none of 1, 2, 3, 4, 5',
    );
  });
});

it("a language model judges by its own probabilities", async () => {
  const tokenizer = characters([...Array(95)].map((_, i) => String.fromCharCode(32 + i)).join("") + "\n");
  const shape = { layers: 1, width: 16, heads: 2, vocabulary: tokenizer.size, style: "llama" } as const;
  const judge = languageJudge(newModel({ ...shape, context: 256, deviation: 0.5 }, random.key(1)), tokenizer);
  const shares = await judge.choose([{ role: "user", content: "?" }], ["A", "B", "BA"]);
  expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 6);
  // A longer reply has the probability of all of its tokens.
  const [, , long] = shares;
  expect(long).toBeLessThan(shares[1]);
  const prefer = pairwise(judge, { criteria });
  const sum = (await prefer({ prompt: "?" }, "x", "yy")) + (await prefer({ prompt: "?" }, "yy", "x"));
  expect(sum).toBeCloseTo(1, 6);
  expect(Math.abs((await positionBias(judge, criteria, pairs)).bias)).toBeGreaterThan(0);
  await expect(prefer({ prompt: "?".repeat(300) }, "x", "y")).rejects.toThrow(
    "the context of its model is 256",
  );
});
