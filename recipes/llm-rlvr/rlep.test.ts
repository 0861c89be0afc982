import type { JudgedEpisode } from "@reins/core";
import { makers } from "@reins/core/episodes";
import { type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { replayed, replaying, tokensOf } from "./rlep.parts.ts";

const [environment, policy] = [makers.indexOf("environment"), makers.indexOf("policy")];
const numbers = (values: readonly number[]) => tensor(Int32Array.from(values), { dtype: "i32" });
/** The prompt 7 8 9 and the answer 1 2: each step sees a token and chooses the next. */
const sample = (group: string, problem: string): JudgedEpisode => ({
  episode: {
    columns: {
      observation: numbers([7, 8, 9, 1]),
      action: numbers([8, 9, 1, 2]),
      logProb: tensor(new Float32Array(4)),
      version: numbers([0, 0, 0, 0]),
      by: tensor(Uint8Array.from([environment, environment, policy, policy]), { dtype: "u8" }),
    },
    segments: [{ from: 0, to: 4 }],
    terminated: true,
    truncated: false,
    return: [],
    group,
    problem,
  },
  verdict: { reward: 0 },
  reward: 0,
});

it("puts a stored answer in place of the answer of a sample", () => {
  expect(tokensOf(sample("a", "p").episode)).toEqual([1, 2]);
  const { episode, reward } = replayed(sample("a", "p"), [4, 5, 6]);
  const { observation, action, by } = episode.columns as { [name: string]: Tensor };
  expect([...observation.data]).toEqual([7, 8, 9, 4, 5]);
  expect([...action.data]).toEqual([8, 9, 4, 5, 6]);
  expect([...by.data]).toEqual([environment, environment, policy, policy, policy]);
  expect([reward, episode.group, episode.problem]).toEqual([1, "a", "p"]);
  expect(tokensOf(episode)).toEqual([4, 5, 6]);
});

it("joins two different answers of the problem to each group", () => {
  const selection = replaying({ p: [[4], [5], [6]], q: [[3]] }, 1);
  const chosen =
    selection.select([sample("a", "p"), sample("b", "q"), sample("c", "r"), sample("a", "p")]) ?? [];
  const groups = ["a", "b", "c"].map((name) =>
    chosen.filter((j) => j.episode.group === name).map((j) => tokensOf(j.episode).join()),
  );
  expect(groups.map((g) => g.length)).toEqual([4, 2, 1]);
  expect(groups[0].slice(0, 2)).toEqual(["1,2", "1,2"]);
  const added = groups[0].slice(2);
  expect(new Set(added).size).toBe(2);
  expect(added.every((answer) => ["4", "5", "6"].includes(answer))).toBe(true);
  expect(groups[1]).toEqual(["1,2", "3"]);
});
