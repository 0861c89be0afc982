import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import { multiTurnTasks } from "./registry.ts";
import { checkMultiTurnTask, playedBy, scoreOf } from "./testing.ts";
import { wordleGame } from "./wordle-game.ts";

describe("wordle-game", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(wordleGame, { most: 0.5 }));

  it("marks guesses, and ends with the right one", async () => {
    const { result } = await playedBy(wordleGame, "expert", { level: 1, index: 3 });
    const { word, used } = result.problem.data as { word: string; used: string };
    const said = result.messages.map((m) => m.content);
    expect(said[0]).toBe(`2${used}?`);
    expect(said[said.length - 1]).toBe(word);
    for (const marks of said.slice(2, -1).filter((_, i) => i % 2 === 0)) expect(marks).toMatch(/^[+~-]{2}$/);
  });

  it("is played better by using more of the feedback", async () => {
    const of = (skill: string) => scoreOf(wordleGame, skill, 3, 100);
    const [chance, fixed, novice, expert] = [
      await of("random"),
      await of("fixed"),
      await of("novice"),
      await of("expert"),
    ];
    expect(chance).toBeLessThan(fixed);
    expect(fixed).toBeLessThan(novice);
    expect(novice).toBeLessThan(expert);
  });
});

it("beginners seldom succeed, and sometimes play as the expert", async () => {
  const beginning = Object.values(multiTurnTasks).filter((task) => episodeOf(task).players.beginner);
  expect(beginning.length).toBeGreaterThan(5);
  for (const task of beginning) {
    const score = await scoreOf(task, "beginner", 1, 200);
    expect(score, task.id).toBeGreaterThan(0.02);
    expect(score, task.id).toBeLessThan(0.25);
  }
});

it("all are registered by name, and listed in the guide", () => {
  expect(Object.keys(multiTurnTasks)).toHaveLength(16);
  const guide = readFileSync(new URL("../../../../../docs/conversations.md", import.meta.url), "utf8");
  for (const { id, about, levels } of Object.values(multiTurnTasks))
    expect(guide).toContain(`| \`${id}\` | ${about} | ${levels} |`);
  for (const task of Object.values(multiTurnTasks))
    expect(Object.keys(episodeOf(task).players), task.id).toEqual(
      expect.arrayContaining(["expert", "fixed", "random"]),
    );
});
