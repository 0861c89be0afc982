import type { VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { sampleValue } from "@reins/core/spaces";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { checkEnv } from "../../check/check-env.ts";
import { showFinding } from "../../check/finding.ts";
import { make } from "../../registry.ts";
import { actionOf, actions } from "./actions.ts";
import { planes } from "./planes.ts";
import { randomChess, searchingChess } from "./players.ts";
import { type ChessGame, newGame, useChess } from "./rules.ts";
import { ChessTables } from "./table.ts";

/** Leaves of the tree of moves, each of which must have its own action. */
function perft(game: ChessGame, depth: number): number {
  const moves = game.moves({ verbose: true });
  const taken = new Set(moves.map((move) => actionOf(move, game.turn())));
  expect(taken.size).toBe(moves.length);
  expect(Math.min(...taken) >= 0 && Math.max(...taken, 0) < actions).toBe(true);
  if (depth === 1) return taken.size;
  return moves.reduce((sum, move) => {
    game.move(move);
    const below = perft(game, depth - 1);
    game.undo();
    return sum + below;
  }, 0);
}

const move = (from: string, to: string, promotion?: "q" | "n" | "b" | "r") => ({
  from,
  to,
  ...(promotion ? { promotion } : {}),
});
const masked = (env: VectorEnv) => (env.mask as Tensor).data;

describe("actions", () => {
  test("are one per move, to a depth of three", () => {
    expect([1, 2, 3].map((depth) => perft(newGame(), depth))).toEqual([20, 400, 8902]);
  });
  test("and where pawns promote in all ways, for both sides", () => {
    for (const turn of ["w", "b"])
      expect(perft(newGame(`n1n5/PPPk4/8/8/8/8/4Kppp/5N1N ${turn} - - 0 1`), 2)).toBe(496);
  });
  test("are equal from either side", () => {
    expect(actionOf(move("e2", "e4"), "w")).toBe(actionOf(move("e7", "e5"), "b"));
    expect(actionOf(move("b7", "a8", "n"), "w")).toBe(4096 + 3);
    expect(actionOf(move("b2", "a1", "r"), "b")).toBe(4096 + 48 + 3);
    expect(actionOf(move("h7", "h8", "q"), "w")).toBe(64 * 55 + 63);
  });
});

describe("opponents", () => {
  const random = defaultRng(1);
  test("take hanging pieces, and see one step further what is defended", () => {
    const hanging = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
    expect(searchingChess(1)(newGame(hanging), random)).toMatchObject({ from: "e4", to: "d5" });
    // A rook may take a pawn that another pawn defends.
    const defended = "4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1";
    expect(searchingChess(1)(newGame(defended), random)).toMatchObject({ to: "d5" });
    expect(searchingChess(2)(newGame(defended), random).to).not.toBe("d5");
  });
  test("mate where they can", () => {
    const mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    expect(searchingChess(1)(newGame(mate), random)).toMatchObject({ from: "a1", to: "a8" });
    expect(newGame(mate).moves({ verbose: true })).toContainEqual(
      expect.objectContaining(randomChess(newGame(mate), random)),
    );
  });
});

describe("Chess-v0", () => {
  test("has no findings, as a vector environment and after save and restore", () => {
    const world = () => make("Chess-v0", { rows: 2, maxSteps: 4, opponent: "random" });
    expect(checkEnv(world, { seeds: [0], steps: 8 }).map(showFinding)).toEqual([]);
  });
  test("a masked move loses", () => {
    const env = make("Chess-v0", { learner: "white" });
    env.reset({ seed: 1 });
    env.step(tensor(Int32Array.of(0)));
    expect([env.reward.data[0], env.terminated.data[0], env.ended.length[0]]).toEqual([-1, 1, 1]);
    expect(Array.from(masked(env)).filter((allowed) => allowed).length).toBe(20);
  });
  test("shows pieces from the learner's side", () => {
    for (const learner of ["white", "black"] as const) {
      const env = make("Chess-v0", { learner, opponent: "random" });
      env.reset({ seed: 2 });
      const seen = env.observation as Tensor;
      const at = (line: number, file: number, plane: number) => seen.data[(8 * line + file) * planes + plane];
      // The own king on the lowest row, the other's on the highest; own pawns ahead of it; all castling rights.
      expect([at(7, 4, 5), at(0, 4, 11), at(6, 0, 0), at(3, 3, 12), at(3, 3, 15)]).toEqual(
        Array(5).fill(255),
      );
    }
  });
  test("plays to an end, identically from a checkpoint", () => {
    const env = make("Chess-v0", { opponent: "random", maxSteps: 30 });
    env.reset({ seed: 5 });
    const random = defaultRng(3);
    const act = (to: VectorEnv) => {
      const action = sampleValue(env.spec.action, random, masked(env)) as number;
      for (const world of new Set([env, to])) world.step(tensor(Int32Array.of(action)));
    };
    for (let i = 0; i < 10; i++) act(env);
    const other = make("Chess-v0", { opponent: "random", maxSteps: 30 });
    other.reset({ seed: 9 });
    other.restore(env.save());
    for (let i = 0; i < 25; i++) {
      act(other);
      expect(other.render!(0)).toBe(env.render!(0));
      expect([...masked(other)]).toEqual([...masked(env)]);
    }
    expect(env.picture!(0).shapes.length).toBeGreaterThan(64);
  });
  test("a repeated position is marked, and the third time it is a draw", () => {
    const [table] = new ChessTables(1).rows;
    table.begin();
    for (let i = 0; i < 2; i++) {
      expect(table.repeated).toBe(i > 0);
      for (const [from, to] of [
        ["g1", "f3"],
        ["g8", "f6"],
        ["f3", "g1"],
        ["f6", "g8"],
      ])
        table.play(move(from, to));
    }
    expect([table.repeated, table.game.isDraw()]).toEqual([true, true]);
  });
  test("rejects rules other than chess.js's", () => {
    expect(() => useChess({})).toThrow("pass the module");
  });
});
