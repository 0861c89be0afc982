import { DamagedDataError } from "@reins/core/errors";
import { expect, it } from "vitest";
import { examplesFrom } from "./file.ts";
import { surveyExamples } from "./survey.ts";

it("counts kinds and faults, and splits what can be used by prompts", () => {
  const good = Array.from({ length: 40 }, (_, i) => ({ prompt: `${i % 20}+1=`, completion: `${i}` }));
  const bad = [{ prompt: "?" }, { text: "" }, { prompt: "!" }];
  const survey = surveyExamples(
    examplesFrom([...good.slice(0, 10), ...bad, ...good.slice(10), { text: "a" }]),
  );
  expect([survey.usable.count, survey.invalid]).toEqual([41, 3]);
  expect([...survey.kinds]).toEqual([
    ["document", 1],
    ["completion", 40],
  ]);
  expect(survey.faults).toEqual([
    {
      message: expect.stringContaining("the line has a prompt, but no completion"),
      count: 2,
      at: ["examples, example 11", "examples, example 13"],
    },
    { message: expect.stringContaining("text is empty"), count: 1, at: ["examples, example 12"] },
  ]);
  const { train, test } = survey.split(0.25);
  const prompts = (side: typeof train) =>
    new Set(Array.from({ length: side.count }, (_, i) => JSON.stringify({ ...side.read(i), completion: 0 })));
  expect(train.count + test.count).toBe(41);
  expect(prompts(test).size).toBe(5);
  expect([...prompts(test)].filter((p) => prompts(train).has(p))).toEqual([]);
});

it("follows the splits that lines name", () => {
  const lines = [{ text: "a" }, { text: "b", split: "validation" }, { text: "c", split: "train" }];
  const { train, test } = surveyExamples(examplesFrom(lines)).split(0.5);
  expect([train.count, test.read(0)]).toEqual([2, { kind: "document", text: "b", split: "test" }]);
});

it("leaves out examples, but not a file that has changed", () => {
  const source = examplesFrom([{ text: "a" }]);
  const read = (): never => {
    throw new DamagedDataError("data.jsonl: the file was changed while it was in use.");
  };
  expect(() => surveyExamples({ ...source, read })).toThrow("the file was changed");
});
