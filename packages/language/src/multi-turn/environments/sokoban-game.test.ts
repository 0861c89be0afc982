import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import { episodeOf } from "../../tasks/episode.ts";
import type { Problem } from "../../tasks/text-task.ts";
import { type Board, isSolved, moved, shown, solution } from "./sokoban-board.ts";
import { sokobanGame } from "./sokoban-game.ts";
import { checkMultiTurnTask, playedBy, scoreOf } from "./testing.ts";

const { verify, make } = sokobanGame;
const { begin, turn, players } = episodeOf(sokobanGame);

/** Two boxes in a row, one goal at the right end and one under the left box. */
const board: Board = { width: 4, height: 3, ground: "#..o.....o..", player: 4, boxes: [2, 5] };
const problem: Problem<{ board: Board; moves: string; turns: number }> = {
  prompt: "#.$o/@$../.o..",
  answer: "urd",
  level: 1,
  data: { board, moves: "", turns: 4 },
};
const start = () => begin!(problem, defaultRng(0)) as never;
const say = (state: never, content: string) => turn!(state, { role: "assistant", content }, defaultRng(0));
const verdict = (state: never) => verify(problem, "", { state, messages: [], turns: 0 });
const after = (from: Board, way: string) => [...way].reduce((b, move) => moved(b, move)!, from);

describe("sokoban-game", () => {
  it("meets the requirements of every environment", () => checkMultiTurnTask(sokobanGame, { most: 0.25 }));

  it("shows the board after each turn, and pushes boxes only where there is room", () => {
    const state = start();
    expect(say(state, "rr")).toEqual({ say: "#.$o/..@$/.o.." });
    expect(say(state, "r")).toEqual({ say: "#.$o/..@$/.o.." });
    expect(verdict(state)).toMatchObject({ score: 0 });
    expect(say(start(), "rlu")).toEqual({ say: "#.$o/@.$./.o.." });
    expect(moved(board, "u"), "a wall").toBeUndefined();
    expect(moved({ ...board, boxes: [5, 6] }, "r"), "a box behind a box").toBeUndefined();
  });

  it("executes moves up to the first invalid one", () => {
    const state = start();
    expect(say(state, "dld")).toEqual({ say: "#.$o/.$../@o.." });
    expect(["", "u d", "uuuu"].map((text) => say(state, text))).toEqual([
      { say: "?" },
      { say: "?" },
      { done: true },
    ]);
  });

  it("scores half of the fraction of boxes on goals, and 1 for all", () => {
    const easy = { ...board, ground: "...o.....o..", player: 1 };
    const state = begin!({ ...problem, data: { board: easy, moves: "", turns: 4 } }, defaultRng(0)) as never;
    expect(say(state, "r")).toEqual({ say: "..@*/.$../.o.." });
    expect(verdict(state)).toMatchObject({ score: 0.25, terms: { home: 0.5 } });
    expect(say(state, "l")).toEqual({ say: ".@.*/.$../.o.." });
    expect(say(state, "d")).toEqual({ done: true });
    expect(verdict(state)).toEqual({ score: 1 });
  });

  it("finds the fewest moves, and none for a box in a corner", () => {
    const easy = { ...board, ground: "...o.....o..", player: 1 };
    expect(solution(easy)).toBe("rld");
    expect(solution(easy, 2)).toBeUndefined();
    expect(solution({ ...easy, boxes: [0, 5] })).toBeUndefined();
    const one: Board = { width: 3, height: 3, ground: ".......o.", player: 3, boxes: [4] };
    expect(solution(one)).toBe("urd");
    expect(shown(after(one, "urd"))).toBe(".../.@./.*.");
  });

  it("generates solvable boards, with longer solutions at higher levels", () => {
    const lengths = [1, 2, 3, 4, 5].map((level) => {
      const random = defaultRng(level);
      let sum = 0;
      for (let i = 0; i < 20; i++) {
        const { data } = make(random, level) as { data: { board: Board; moves: string } };
        expect(isSolved(data.board)).toBe(false);
        expect(isSolved(after(data.board, data.moves))).toBe(true);
        sum += data.moves.length;
      }
      return sum;
    });
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  });

  it("has an expert that recovers from other players' moves", () => {
    const one: Board = { width: 3, height: 3, ground: ".......o.", player: 3, boxes: [4] };
    const own = { ...problem, data: { board: one, moves: "urd", turns: 4 } };
    const state = begin!(own, defaultRng(0)) as never;
    say(state, "d");
    expect(players.expert(own, { state, messages: [], turns: 1 }, defaultRng(0))).toBe("uur");
  });

  it("is shown as described", async () => {
    const { result } = await playedBy(sokobanGame, "expert", { level: 1, index: 0 });
    const heard = result.messages.map(({ content }) => content);
    expect(heard).toEqual(["..../..$./o..@", "ull", "..../$@../o...", "uld"]);
  });

  it("needs more than looking one turn ahead", async () => {
    expect(await scoreOf(sokobanGame, "fixed", 4, 40)).toBeLessThan(0.6);
  });
});
