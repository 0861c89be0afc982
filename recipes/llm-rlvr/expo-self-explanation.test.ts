import type { JudgedEpisode } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { answerOf, characters, textEpisode } from "@reins/language";
import type { Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { tracesTask } from "../testbeds/traces.ts";
import { drawn, explaining, explanation } from "./expo-self-explanation.parts.ts";

const tokenizer = characters(tracesTask.alphabet);
const problem = { prompt: "3121=", answer: "cdfg", level: 2, data: { last: "g", terms: 4 } };
const sample = (text: string, reward = 0, group = "a"): JudgedEpisode => ({
  episode: textEpisode(
    [
      { by: "environment", tokens: tokenizer.encode(problem.prompt) },
      { by: "policy", tokens: [...tokenizer.encode(text), tokenizer.end] },
    ],
    { group, truncated: false, answered: { problem, text, ended: "end" } },
  ),
  verdict: { reward },
  reward,
});

it("keeps the reasoning of a sample and replaces its result", () => {
  const made = explanation(sample("cefh").episode)!;
  expect([answerOf(made).text, made.role]).toEqual(["cefg", "teacher"]);
  const { action, by } = made.columns as { [name: string]: Tensor };
  const own = [...action.data].filter((_, i) => makers[by.data[i]] === "teacher");
  expect(own).toEqual([...tokenizer.encode("cefg"), tokenizer.end]);
  expect(explanation(sample("cef").episode)).toBeUndefined();
});

it("draws in proportion to weights", () => {
  const at = [0, 0.24, 0.26, 0.99].map((uniform) => drawn([1, 0, 3], uniform));
  expect(at).toEqual([0, 0, 2, 2]);
});

it("explains groups without a success by the likeliest reasoning to the result", () => {
  const likely = new Map([
    ["cdeg", 1],
    ["cefg", 3],
  ]);
  const select = (uniform: number, judged: readonly JudgedEpisode[]) =>
    explaining(
      (e) => likely.get(answerOf(e).text)!,
      () => uniform,
    )
      .select(judged)!
      .map((j) => answerOf(j.episode).text);
  const failed = [sample("cdeh"), sample("cefh"), sample("ce")];
  expect(select(0.2, failed)).toEqual(["cdeh", "cefh", "ce", "cdeg"]);
  expect(select(0.3, failed)).toEqual(["cdeh", "cefh", "ce", "cefg"]);
  const solved = [sample("cdfg", 1, "b"), sample("cdfh", 0, "b")];
  expect(select(0.3, solved)).toEqual(["cdfg", "cdfh"]);
  expect(select(0.3, [sample("c", 0, "c")])).toEqual(["c"]);
});
