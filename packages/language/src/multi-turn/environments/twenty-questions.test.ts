import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import { checkMultiTurnTask, playedBy, scoreOf } from "./testing.ts";
import { twentyQuestions } from "./twenty-questions.ts";

const { verify, make } = twentyQuestions;
const { begin, turn, players } = episodeOf(twentyQuestions);
const problem = {
  prompt: "acfh?",
  answer: "c",
  level: 2,
  data: { thing: "c", among: "acfh", level: 2 },
};
const say = (state: unknown, content: string) =>
  turn!(state as never, { role: "assistant", content }, defaultRng(0));
const score = (state: unknown) => verify(problem, "", { state: state as never, messages: [], turns: 0 });

describe("twenty-questions", () => {
  it("meets the requirements of every environment", () =>
    checkMultiTurnTask(twentyQuestions, { most: 0.35 }));

  it("answers for a cat that it has fur, does not fly and is kept", () => {
    const state = begin!(problem, defaultRng(0));
    expect(["1", "0", "5"].map((q) => say(state, q))).toEqual([{ say: "y" }, { say: "n" }, { say: "y" }]);
    expect(say(state, "c")).toEqual({ done: true });
    expect(score(state)).toEqual({ score: 1, wellFormed: true });
  });

  it("counts invalid questions, and ends with the fourth", () => {
    const state = begin!(problem, defaultRng(0));
    expect(["", "12", "?"].map((q) => say(state, q))).toEqual([{ say: "?" }, { say: "?" }, { say: "?" }]);
    expect(say(state, "1")).toEqual({ done: true });
    expect(score(state)).toMatchObject({ score: 0, wellFormed: false });
  });

  it("is lost by a wrong name at once, and inherited property names are invalid", () => {
    const state = begin!(problem, defaultRng(0));
    expect(say(state, "constructor")).toEqual({ say: "?" });
    expect(say(state, "f")).toEqual({ done: true });
    expect(score(state)).toMatchObject({ score: 0, wellFormed: true, why: "It is c, not f." });
  });

  it("distinguishes all things by the informative questions", () => {
    const rows = new Set<string>();
    for (const thing of "abcdefghijklmnopqrstuvwz") {
      const state = begin!({ ...problem, data: { thing, among: thing, level: 4 } }, defaultRng(0));
      const ask = (q: string) => (say(state, q) as { say: string }).say;
      expect([ask("8"), ask("9")]).toEqual(["y", "n"]);
      const again = ["01234", "567"].map((qs) => {
        const fresh = begin!({ ...problem, data: { thing, among: thing, level: 4 } }, defaultRng(0));
        return [...qs].map((q) => (say(fresh, q) as { say: string }).say).join("");
      });
      rows.add(again.join(""));
    }
    expect(rows.size).toBe(24);
  });

  it("has an expert that halves the candidates, then names one", () => {
    const state = begin!(problem, defaultRng(0));
    const turns: string[] = [];
    for (let i = 0; i < 3; i++) {
      turns.push(players.expert(problem, { state: state as never, messages: [], turns: i }, defaultRng(0)));
      say(state, turns[i]);
    }
    expect(turns).toEqual(["1", "4", "c"]);
  });

  it("is shown as described", async () => {
    const { result } = await playedBy(twentyQuestions, "expert", { level: 2, index: 0 });
    const texts = result.messages.map(({ content }) => content);
    expect(texts).toEqual(["eiklop?", "6", "n", "1", "y", "3", "y", "l"]);
  });

  it("has more candidates at higher levels", () => {
    const lengths = [1, 2, 3, 4].map((level) => make(defaultRng(1), level).prompt.length);
    expect(lengths).toEqual([5, 7, 11, 17]);
  });

  it("rewards questions that depend on the answers", async () => {
    for (let level = 1; level <= twentyQuestions.levels; level++) {
      const fixed = await scoreOf(twentyQuestions, "fixed", level, 100);
      expect(fixed, `level ${level}`).toBeGreaterThan(await scoreOf(twentyQuestions, "random", level, 100));
      expect(fixed, `level ${level}`).toBeLessThan(0.95);
    }
  });
});
