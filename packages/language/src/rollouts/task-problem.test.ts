import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { newModel } from "../models/language-model.ts";
import { type Problem, type TextTask, textTask } from "../tasks/text-task.ts";
import { characters } from "../tokenizers/characters.ts";
import { problemOf } from "./task-problem.ts";

const plain: TextTask = textTask({
  id: "echo",
  about: "Say it again.",
  levels: 1,
  alphabet: "ab!",
  longest: { prompt: 2, answer: 2 },
  make: (r) => ({ prompt: r.choice(["a", "b"]), key: `${r.integers(99)}`, answer: "a", data: 0 }),
  verify: () => ({ score: 1 }),
});
const tokenizer = characters(plain.alphabet);
const start = newModel(
  { layers: 1, width: 8, heads: 1, context: 8, vocabulary: tokenizer.size },
  random.key(1),
);
const of = (task: TextTask, lead?: string) =>
  problemOf(
    { task, level: 1, start, tokenizer },
    { key: "echo", groupSize: 1, seed: 5, ...(lead === undefined ? {} : { context: { lead } }) },
  );

it("a context with a lead gives the same problem with a prefix", () => {
  const led = {
    ...plain,
    led: (problem: Problem, lead: string) => ({
      ...problem,
      prompt: `${problem.prompt}${lead}`,
    }),
  };
  expect(of(led)).toEqual(of(plain));
  expect(of(led, "!")).toEqual({ ...of(plain), prompt: `${of(plain).prompt}!` });
});

it("is rejected where the task has no led()", () => {
  expect(() => of(plain, "!")).toThrow('task echo: the context has a lead ("!"), but the task has no led().');
});
