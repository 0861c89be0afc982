import { defaultRng } from "@reins/core/random";
import { sampleValue } from "@reins/core/spaces";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { checkEnv } from "../check/check-env.ts";
import { showFinding } from "../check/finding.ts";
import { make } from "../registry.ts";
import type { ConnectFourOptions } from "./connect-four.ts";
import { ConnectFourBoard, size, width } from "./connect-four-board.ts";
import { type ConnectFourPlayer, greedyPlayer, randomPlayer, searchPlayer } from "./connect-four-players.ts";
import { ConnectFourSearch, movesToEnd } from "./connect-four-search.ts";

/** The position after stones in these columns. */
function after(columns: string): ConnectFourBoard {
  const board = new ConnectFourBoard();
  for (const column of columns) board.play(Number(column));
  return board;
}

/** Stones to the end that a search finds. */
function seen(columns: string, depth: number): number | undefined {
  const board = after(columns);
  return movesToEnd(new ConnectFourSearch(depth).look(board), board.stones);
}

describe("the board", () => {
  test.each([
    ["in a line", "001122", 3],
    ["in a column", "010101", 0],
    ["upwards", "0112322343", 3],
    ["downwards", "6554344323", 3],
  ])("detects four %s before they are played", (_, columns, winner) => {
    const board = after(columns);
    expect(board.wins(winner, board.stones & 1)).toBe(true);
    const others = [0, 1, 2, 3, 4, 5, 6].filter((c) => c !== winner && board.wins(c, board.stones & 1));
    expect(others).toEqual([]);
  });

  test("stones that are taken back leave no trace", () => {
    const random = defaultRng(1);
    for (let game = 0; game < 30; game++) {
      const board = new ConnectFourBoard();
      const played: number[] = [];
      while (board.stones < 30) {
        const column = randomPlayer(board, random);
        played.push(column);
        board.play(column);
      }
      const copy = new ConnectFourBoard();
      copy.load(board.cells, 0);
      expect(copy).toEqual(board);
      for (const column of played.reverse()) board.undo(column);
      expect(board).toEqual(new ConnectFourBoard());
    }
  });
});

describe("the search", () => {
  test("finds wins and losses within its depth, and not before", () => {
    // Three in a column: immediately.
    expect(seen("010101", 1)).toBe(1);
    // Two next to each other with room on both sides: a third makes two threats, which one stone cannot block.
    expect(seen("2233", 2)).toBeUndefined();
    expect(seen("2233", 3)).toBe(3);
    // The same threat, from the other side to move.
    expect(seen("22334", 2)).toBe(-2);
    // Two on the ground and the move, one step before.
    expect(seen("233", 6)).not.toBe(3);
  });

  test("agrees with exhaustive search", () => {
    const random = defaultRng(3);
    const full = (board: ConnectFourBoard, depth: number): number => {
      if (board.stones === size) return 0;
      if (depth === 0) return board.stones & 1 ? -board.balance : board.balance;
      let best = Number.NEGATIVE_INFINITY;
      for (let column = 0; column < width; column++) {
        if (!board.open(column)) continue;
        let value = 10_000 + size - board.stones - 1;
        if (!board.wins(column, board.stones & 1)) {
          board.play(column);
          value = -full(board, depth - 1);
          board.undo(column);
        }
        best = Math.max(best, value);
      }
      return best;
    };
    for (let n = 0; n < 40; n++) {
      const board = new ConnectFourBoard();
      for (let over = false, stones = 4 + (n % 5) * 8; board.stones < stones && !over; ) {
        const column = randomPlayer(board, random);
        over = board.wins(column, board.stones & 1);
        if (!over) board.play(column);
      }
      const search = new ConnectFourSearch(4);
      const best = search.look(board);
      expect(best).toBe(full(board, 4));
      // The best columns are correct.
      for (let column = 0; column < width; column++)
        if (search.values[column] === best && !board.wins(column, board.stones & 1)) {
          board.play(column);
          expect(-full(board, 3)).toBe(best);
          board.undo(column);
        }
    }
  });

  test("wins nearly all games against immediate wins and blocks", () => {
    const random = defaultRng(5);
    const players = [searchPlayer(5), greedyPlayer];
    let won = 0;
    for (let game = 0; game < 20; game++) if (winner(players, game % 2, random) === 0) won++;
    expect(won).toBeGreaterThanOrEqual(17);
  });
});

/** The winner of two players, where `first` begins; undefined for a draw. */
function winner(
  players: readonly ConnectFourPlayer[],
  first: number,
  random: ReturnType<typeof defaultRng>,
): number | undefined {
  const board = new ConnectFourBoard();
  while (board.stones < size) {
    const turn = board.stones & 1;
    const column = players[turn ^ first](board, random);
    if (board.wins(column, turn)) return turn ^ first;
    board.play(column);
  }
  return undefined;
}

describe("the environment", () => {
  const options: ConnectFourOptions[] = [
    { opponent: "random", learner: "first" },
    { opponent: "greedy", learner: "second" },
    { opponent: "search", depth: 3 },
  ];
  test.each(options)("has no findings with %j", (given) => {
    const findings = checkEnv(() => make("ConnectFour-v0", { rows: 2, ...given }), { seeds: [1], steps: 60 });
    expect(findings.map(showFinding)).toEqual([]);
  });

  test("the mask has the open columns, and a full one loses", () => {
    const env = make("ConnectFour-v0", { opponent: "random", learner: "first" });
    const act = tensor(new Int32Array(1));
    let refused = 0;
    env.reset({ seed: 2 });
    for (let t = 0; t < 600; t++) {
      const screen = (env.observation as Tensor).data;
      const open = Array.from({ length: 7 }, (_, x) => (screen[x * 2] + screen[x * 2 + 1] ? 0 : 1));
      expect([...(env.mask as Tensor).data]).toEqual(open);
      const full = open.indexOf(0);
      act.data[0] = full < 0 ? [0, 0, 6, 3][t % 4] : full;
      env.step(act);
      if (full < 0) continue;
      refused++;
      expect([env.reward.data[0], env.terminated.data[0]]).toEqual([-1, 1]);
    }
    expect(refused).toBeGreaterThan(5);
  });

  test("the first player is as configured", () => {
    const stones = (learner: "first" | "second" | "either") => {
      const env = make("ConnectFour-v0", { rows: 20, learner });
      env.reset({ seed: 1 });
      return [...(env.observation as Tensor).data].filter((v) => v > 0).length;
    };
    expect(stones("first")).toBe(0);
    expect(stones("second")).toBe(20);
    expect(stones("either")).toBeGreaterThan(3);
    expect(stones("either")).toBeLessThan(17);
  });

  test("a random learner is even with a random opponent and loses to the others", () => {
    const random = defaultRng(9);
    const score = (opponent: "random" | "greedy" | "search", games: number) => {
      const env = make("ConnectFour-v0", { opponent, depth: 4 });
      env.reset({ seed: 4 });
      let [sum, n] = [0, 0];
      while (n < games) {
        const allowed = (env.mask as Tensor).data;
        env.step(tensor(Int32Array.of(sampleValue(env.spec.action, random, allowed) as number)));
        if (env.terminated.data[0]) [sum, n] = [sum + env.reward.data[0], n + 1];
      }
      return sum / games;
    };
    expect(Math.abs(score("random", 300))).toBeLessThan(0.25);
    expect(score("greedy", 100)).toBeLessThan(-0.6);
    expect(score("search", 30)).toBeLessThan(-0.9);
  });
});
