import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { newModel } from "../models/language-model.ts";
import { rewardHead } from "../models/reward-model.ts";
import { textEpisode } from "../rollouts/text-episode.ts";
import { characters } from "../tokenizers/characters.ts";
import { rewardModel } from "./reward-judge.ts";
import { RewardScorer } from "./reward-scorer.ts";

const tokenizer = characters("0123456789+=");
const base = newModel(
  { layers: 1, width: 8, heads: 2, context: 8, vocabulary: tokenizer.size, style: "llama" },
  random.key(1),
);
const scorer = new RewardScorer([{ name: "scorer", model: rewardHead(base, random.key(2)), tokenizer }]);

const episodeOf = (text: string) =>
  textEpisode(
    [
      { by: "environment", tokens: tokenizer.encode("1+1=") },
      { by: "teacher", tokens: tokenizer.encode("2") },
    ],
    {
      truncated: false,
      answered: { problem: { prompt: "1+1=", answer: "2", data: {}, level: 1 }, text, ended: "end" },
    },
  );

it("as a judge of episodes: a completion that it cannot read fails alone", async () => {
  const judge = rewardModel(scorer).episodes;
  const verdicts = await judge([episodeOf("12345678"), episodeOf("2"), episodeOf("x")], {} as never);
  expect(verdicts.map((v) => v.failed)).toEqual([
    expect.stringContaining("the context of the reward model is 8"),
    undefined,
    expect.stringContaining("x"),
  ]);
  expect(verdicts[1].reward).toBe(scorer.rewards("1+1=", ["2"])[0]);
});
