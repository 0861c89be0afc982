import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import { sampleProblem } from "../../tasks/sample-problem.ts";
import { factsStream } from "./facts-stream.ts";
import { checkMultiTurnTask, scoreOf } from "./testing.ts";
import { saying } from "./testing-conversations.ts";

const problem = {
  prompt: "a:b=2",
  answer: "a-",
  data: { events: ["b=2", "a=3", "a?", "b=4", "a=5", "a?"], wanted: "a" },
  level: 1,
};

describe("facts-stream", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(factsStream, { most: 0.1 }));

  it("shows the memory before each fact", async () => {
    const { heard, verdict } = await saying(factsStream, problem, ["a-", "a3", "a3", "a3", "a5", "a5"]);
    expect(heard).toEqual(["a- a=3", "a3 a?", "a3 b=4", "a3 a=5", "a5 a?"]);
    expect(verdict.score).toBe(1);
  });

  it("is limited by the memory's capacity, and uses nothing else", async () => {
    // The second pair has no room; a value added at the question comes too late; nonsense is an empty memory.
    const { heard, verdict } = await saying(factsStream, problem, ["b2a-", "b2a3", "a3", "?=", "a4", "a5"]);
    expect(heard).toEqual(["b2 a=3", "b2 a?", "a3 b=4", "a=5", "a4 a?"]);
    expect(verdict.score).toBe(0);
    const half = await saying(factsStream, problem, ["", "a3", "a3", "a3", "a3", "a5"]);
    expect(half.verdict.score).toBe(0.5);
  });

  it("does not score questions before any facts: they show what matters", async () => {
    const hidden = {
      prompt: ":a?",
      answer: "a-",
      data: { events: ["a?", "c?", "b=1", "c=3", "c?", "a=2", "a?"], wanted: "ac" },
      level: 4,
    };
    const turns = ["a-", "a-c-", "a-c-", "a-c3", "a-c3", "a2c3", "a2c3"];
    const { heard, verdict } = await saying(factsStream, hidden, turns);
    expect(heard.slice(0, 3)).toEqual(["a- c?", "a-c- b=1", "a-c- c=3"]);
    expect(verdict.score).toBe(1);
  });

  it("has a prompt with the expert's first line", () => {
    for (let level = 1; level <= factsStream.levels; level++) {
      const drawn = sampleProblem(factsStream, level, "train", 3);
      const state = episodeOf(factsStream).begin!(drawn, undefined as never);
      expect(drawn.answer).toBe(
        episodeOf(factsStream).players.expert(drawn, { state, messages: [], turns: 0 }, undefined as never),
      );
    }
  });

  it("counts unreached questions", async () => {
    const { truncated, verdict } = await saying(factsStream, problem, ["a-", "a3", "a3"]);
    expect(truncated).toBe(true);
    expect(verdict.score).toBe(0.5);
  });

  it("needs the names that matter: keeping the newest facts is worse", async () => {
    for (let level = 1; level <= factsStream.levels; level++) {
      expect(await scoreOf(factsStream, "fixed", level)).toBeLessThan(0.8);
      const novice = await scoreOf(factsStream, "novice", level);
      expect(novice).toBeGreaterThan(0.7);
      expect(novice).toBeLessThan(0.95);
    }
  });
});
