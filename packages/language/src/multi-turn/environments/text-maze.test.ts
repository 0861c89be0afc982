import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import type { Problem } from "../../tasks/text-task.ts";
import { checkMultiTurnTask, playedBy, scoreOf } from "./testing.ts";
import { textMaze } from "./text-maze.ts";

const { verify, make } = textMaze;
const { begin, turn, players } = episodeOf(textMaze);

/**
 * From the start in the middle of the lowest row one path leads east and up to two dead ends, the other west and
 * around to the goal, which is in the middle of the highest row.
 */
const data = {
  side: 3,
  ways: ["es", "w", "s", "ns", "e", "nsw", "ne", "ew", "nw"],
  start: 7,
  goal: 1,
  most: 10,
  far: true,
};
const problem: Problem<typeof data> = { prompt: "ew:n2", answer: "e", level: 1, data };
const start = (more = {}) => begin!({ ...problem, data: { ...data, ...more } }, defaultRng(0)) as never;
const say = (state: never, content: string) => turn!(state, { role: "assistant", content }, defaultRng(0));
const verdict = (state: never) => verify(problem, "", { state, messages: [], turns: 0 });
const words = (...texts: string[]) => texts.map((text) => ({ say: text }));

describe("text-maze", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(textMaze, { most: 0.3 }));

  it("shows the open directions and the distance to the goal, until it is reached", () => {
    const state = start();
    expect([..."wnn"].map((way) => say(state, way))).toEqual(words("ne:n2e1", "ns:n1e1", "es:e1"));
    expect(verdict(state)).toMatchObject({ score: 0 });
    expect(say(state, "e")).toEqual({ done: true });
    expect(verdict(state)).toEqual({ score: 1 });
  });

  it("shows only the direction at higher levels, and distinguishes walls from nonsense", () => {
    const state = start({ far: false });
    const said = ["n", "x", "", "ee", "constructor", "e"].map((text) => say(state, text));
    expect(said).toEqual(words("#", "?", "?", "?", "?", "nw:nw"));
  });

  it("ends with its turns", () => {
    const state = start();
    const said = [..."nnnnnnnnnn"].map((way) => say(state, way));
    expect(said).toEqual([...words(..."#########"), { done: true }]);
    expect(verdict(state)).toMatchObject({ score: 0 });
  });

  it("has an expert without hidden information that enters no dead end twice", () => {
    const state = start({ most: 20 });
    let way = "";
    for (let i = 0; i < 20 && (verdict(state) as { score: number }).score === 0; i++) {
      way += players.expert(problem, { state, messages: [], turns: i }, defaultRng(0));
      say(state, way[i]);
    }
    expect(way).toBe("ennsweswwnne");
  });

  it("is shown as described", async () => {
    const { result } = await playedBy(textMaze, "expert", { level: 1, index: 0 });
    const heard = result.messages.map(({ content }) => content);
    expect(heard).toEqual(["ne:n2e1", "n", "es:n1e1", "e", "nsw:n1", "n"]);
  });

  it("has bigger mazes at higher levels", () => {
    const sides = [1, 2, 3, 4].map((level) => (make(defaultRng(0), level).data as typeof data).ways.length);
    expect(sides).toEqual([9, 16, 16, 25]);
  });

  it("rewards a memory", async () => {
    const fixed = [await scoreOf(textMaze, "fixed", 1), await scoreOf(textMaze, "fixed", 4)];
    expect(fixed[0]).toBeLessThan(0.95);
    expect(fixed[1]).toBeLessThan(0.5);
  });
});
