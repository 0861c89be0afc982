import { choice, type OptionTable, size } from "@reins/core";
import { Catch, type CatchOptions } from "./catch.ts";
import { Chess, type ChessOptions } from "./chess/chess.ts";
import { rulesFor } from "./chess/rules.ts";
import { ConnectFour, type ConnectFourOptions } from "./connect-four.ts";
import { Game2048, type Game2048Options } from "./game-2048.ts";
import { Snake, type SnakeOptions } from "./snake.ts";
import { Tetris, type TetrisOptions } from "./tetris.ts";

/** Board and tile games, by id. */
export const games = {
  "Game2048-v0": {
    description: "Push tiles on a board of 4 × 4 so that equal ones merge.",
    options: {
      reward: choice("score", ["score", "log"], "What a merge pays: the new tile, or its logarithm."),
    } satisfies OptionTable,
    make: (options: Game2048Options) => new Game2048(options),
  },
  "Snake-v0": {
    description: "Lead a snake to its food, and not into itself.",
    options: {
      size: size(10, "Cells along each side: 4 to 18.", { within: "count" }),
    } satisfies OptionTable,
    make: (options: SnakeOptions) => new Snake(options),
  },
  "Catch-v0": {
    description: "Catch a falling ball, in front of colors that mean nothing.",
    options: {
      height: size(8, "Cells from top to bottom: 3 to 32.", { within: "count" }),
      width: size(8, "Cells from left to right: 3 to 32.", { within: "count" }),
      margin: size(0, "Pixels around the field, which shifted pictures need: 0 to 16.", { within: "whole" }),
      colors: choice(
        "black",
        ["black", "pure", "mixed", "any"],
        "What lies behind: for each episode a pure color, one between two of them, or any.",
      ),
      hint: size(0, "Share of episodes whose color tells where the ball will land.", { within: "share" }),
    } satisfies OptionTable,
    make: (options: CatchOptions) => new Catch(options),
  },
  "Tetris-v0": {
    description: "Place falling pieces so that lines become full.",
    options: {
      bag: size(true, "All seven pieces come before one comes again."),
    } satisfies OptionTable,
    make: (options: TetrisOptions) => new Tetris(options),
  },
  "ConnectFour-v0": {
    description: "Get four stones in a row before an opponent does.",
    options: {
      opponent: choice("greedy", ["random", "greedy", "search"], "Who plays against the learner."),
      depth: size(6, "Stones that an opponent who searches looks ahead.", { within: "count" }),
      learner: choice("either", ["first", "second", "either"], "Who begins; either draws it for each game."),
    } satisfies OptionTable,
    make: (options: ConnectFourOptions) => new ConnectFour(options),
  },
  "Chess-v0": {
    description: "Mate an opponent's king.",
    options: {
      opponent: choice("greedy", ["random", "greedy", "search"], "Who plays against the learner."),
      depth: size(2, "Half-moves that an opponent who searches looks ahead: 1 to 4.", { within: "count" }),
      learner: choice(
        "either",
        ["white", "black", "either"],
        "Whose pieces the learner has; either draws it.",
      ),
    } satisfies OptionTable,
    /** It takes no time, but missing rules are said before anything begins. */
    load: async () => void rulesFor("Chess-v0"),
    make: (options: ChessOptions) => new Chess(options),
  },
};
