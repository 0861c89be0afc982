import type { JudgedEpisode } from "@reins/core";
import { textEpisode } from "@reins/language";
import { random, setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { ReferenceScores } from "./reference-scores.ts";
import { comparingStage } from "./testing.ts";

setBackend("wasm");

/** A text of five tokens, of which the first `prompt` are the prompt. */
function judged(prompt: number): JudgedEpisode {
  const tokens = [0, 1, 2, 1, 0];
  const answered = { problem: { prompt: "", answer: "", data: {}, level: 1 }, text: "", ended: "end" };
  const episode = textEpisode(
    [
      { by: "environment", tokens: tokens.slice(0, prompt) },
      { by: "teacher", tokens: tokens.slice(prompt) },
    ],
    { task: "letters", truncated: false, role: "teacher", answered },
  );
  return { episode, verdict: { reward: 0 }, reward: 0 };
}

it("tells equal texts with prompts of different lengths apart", () => {
  const { policy } = comparingStage();
  const weights = policy.init(random.key(0));
  const scoresOf = (...prompts: number[]) => {
    const scores = new ReferenceScores(policy);
    scores.attach(weights);
    return prompts.map((n) => [...scores.column([judged(n)])].find((x) => x !== 0));
  };
  expect(scoresOf(3, 1, 3)).toEqual([...scoresOf(3), ...scoresOf(1), ...scoresOf(3)]);
  expect(scoresOf(1)).not.toEqual(scoresOf(3));
});
