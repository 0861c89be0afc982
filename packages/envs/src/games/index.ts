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
    description: "Push tiles on a 4 × 4 board so that equal ones merge.",
    options: {
      reward: choice("score", ["score", "log"], "Reward of a merge: the new tile, or its logarithm."),
    } satisfies OptionTable,
    make: (options: Game2048Options) => new Game2048(options),
  },
  "Snake-v0": {
    description: "Steer a snake to its food, and not into itself.",
    options: {
      size: size(10, "Cells along each side: 4 to 18.", { within: "count" }),
    } satisfies OptionTable,
    make: (options: SnakeOptions) => new Snake(options),
  },
  "Catch-v0": {
    description: "Catch a falling ball, with backgrounds that carry no information.",
    options: {
      height: size(8, "Rows: 3 to 32.", { within: "count" }),
      width: size(8, "Columns: 3 to 32.", { within: "count" }),
      margin: size(0, "Margin around the field in pixels, needed by shifted images: 0 to 16.", {
        within: "whole",
      }),
      colors: choice(
        "black",
        ["black", "pure", "mixed", "any"],
        "Background of each episode: a pure color, a mixed one, or any.",
      ),
      hint: size(0, "Fraction of episodes whose color reveals where the ball will land.", {
        within: "share",
      }),
    } satisfies OptionTable,
    make: (options: CatchOptions) => new Catch(options),
  },
  "Tetris-v0": {
    description: "Place falling pieces so that rows fill up.",
    options: {
      bag: size(true, "Draw all seven pieces before any repeats."),
    } satisfies OptionTable,
    make: (options: TetrisOptions) => new Tetris(options),
  },
  "ConnectFour-v0": {
    description: "Get four stones in a row before an opponent does.",
    options: {
      opponent: choice("greedy", ["random", "greedy", "search"], "Opponent of the learner."),
      depth: size(6, "Search depth of the search opponent, in stones.", { within: "count" }),
      learner: choice(
        "either",
        ["first", "second", "either"],
        "Who begins; either samples it for each game.",
      ),
    } satisfies OptionTable,
    make: (options: ConnectFourOptions) => new ConnectFour(options),
  },
  "Chess-v0": {
    description: "Checkmate an opponent.",
    options: {
      opponent: choice("greedy", ["random", "greedy", "search"], "Opponent of the learner."),
      depth: size(2, "Search depth of the search opponent, in half-moves: 1 to 4.", { within: "count" }),
      learner: choice("either", ["white", "black", "either"], "The learner's color; either samples it."),
    } satisfies OptionTable,
    /** Loads synchronously; missing rules are reported before training begins. */
    load: async () => void rulesFor("Chess-v0"),
    make: (options: ChessOptions) => new Chess(options),
  },
};
