import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { saying } from "./testing-conversations.ts";
import { werewolf } from "./werewolf.ts";

/** The wolf is c: it accuses d, and is accused by a. */
const village = {
  players: "abcde",
  wolves: "c",
  statements: { a: ["c-"], b: ["e+"], c: ["d-"], d: ["a+"], e: ["b+"] },
};
const problem = { prompt: "e1?", answer: "!c", data: village, level: 1 };

describe("werewolf", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(werewolf, { most: 0.5 }));

  it("lets players make statements, and then takes a vote", async () => {
    const { heard, verdict } = await saying(werewolf, problem, ["a", "a", "c", "!c"]);
    expect(heard).toEqual(["c-", ".", "d-"]);
    expect(verdict).toMatchObject({ score: 1, wellFormed: true });
  });

  it("counts nonsense as a question, and treats the turn after the last question as a vote", async () => {
    const { heard, truncated, verdict } = await saying(werewolf, problem, ["", "g", "ab", "?", "b", "a"]);
    expect(heard).toEqual(["?", "?", "?", "?", "e+"]);
    expect(truncated).toBe(false);
    expect(verdict).toMatchObject({ score: 0, wellFormed: false });
    for (const vote of ["!", "!d", "!cd", "!cc"])
      expect((await saying(werewolf, problem, [vote])).verdict.score, vote).toBe(0);
  });

  it("has an expert that uses only the statements", () => {
    const said = (heard: readonly (readonly [string, string])[], left = 5) => {
      const state = { ...village, heard, left } as never;
      return episodeOf(werewolf).players.expert(
        problem,
        { state, messages: [], turns: 0 },
        undefined as never,
      );
    };
    expect(said([])).toBe("a");
    // Either a lies or c is the wolf, so c is asked next.
    expect(said([["a", "c-"]])).toBe("c");
    expect(
      said([
        ["a", "c-"],
        ["c", "d-"],
      ]),
    ).toBe("!c");
    // A wolf cannot vouch truthfully: it always lies.
    expect(
      said([
        ["a", "c-"],
        ["c", "b+"],
      ]),
    ).toBe("!a");
  });

  it("scores each of two wolves", async () => {
    const two = { ...problem, prompt: "e2?", data: { ...village, wolves: "cd" }, level: 3 };
    for (const [vote, score] of [
      ["!cd", 1],
      ["!dc", 1],
      ["!ac", 0.5],
      ["!ab", 0],
      ["!c", 0],
      ["!cc", 0],
    ] as const)
      expect((await saying(werewolf, two, [vote])).verdict.score, vote).toBe(score);
  });

  it("is played worse by counting accusations", async () => {
    for (let level = 1; level <= werewolf.levels; level++)
      expect(await scoreOf(werewolf, "fixed", level)).toBeLessThan(0.75);
  });
});
