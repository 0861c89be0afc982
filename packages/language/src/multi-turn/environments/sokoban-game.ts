import type { Generator } from "@reins/core/random";
import { between, letters, until } from "../../tasks/random.ts";
import { type ConversationState, type Problem, textTask } from "../../tasks/text-task.ts";
import { novice } from "./novice.ts";
import { type Board, home, isSolved, moved, moves, pulled, shown, solution } from "./sokoban-board.ts";

/** Maximum moves per turn. */
const run = 3;

/** Width and height of the board, walls, boxes, fewest and most moves of its solution, and turns. */
const sizes = [
  [4, 3, 0, 1, 4, 8, 6],
  [4, 4, 1, 1, 6, 12, 7],
  [4, 4, 1, 2, 9, 18, 8],
  [5, 4, 2, 2, 11, 24, 10],
  [5, 4, 2, 3, 13, 30, 13],
] as const;

interface Drawn {
  readonly board: Board;
  /** The fewest moves. */
  readonly moves: string;
  readonly turns: number;
}

interface Game {
  board: Board;
  /** Moves made. */
  made: string;
  turns: number;
  readonly most: number;
}

/** The board after the valid prefix of these moves, and that prefix. */
function after(board: Board, text: string): [board: Board, made: string] {
  let made = "";
  for (const move of text) {
    const next = moved(board, move);
    if (!next) break;
    [board, made] = [next, made + move];
  }
  return [board, made];
}

const expert = ({ data }: Problem<Drawn>, { state: { board, made } }: ConversationState<Game>): string => {
  const left = data.moves.startsWith(made) ? data.moves.slice(made.length) : solution(board);
  // On an unsolvable board any move will do.
  return left?.slice(0, run) ?? moves[0];
};

const chance = (_: Problem<Drawn>, __: ConversationState<Game>, random: Generator): string =>
  letters(random, between(random, 1, run), moves);

/** All turns of one to three moves. */
const runs = [...moves].flatMap((a) => [
  a,
  ...[...moves].flatMap((b) => [a + b, ...[...moves].map((c) => a + b + c)]),
]);

/** Distances of boxes to the nearest goals, and of the player to the nearest box off goal: less is better. */
function distance({ width, ground, boxes, player }: Board): number {
  const steps = (a: number, b: number) =>
    Math.abs((a % width) - (b % width)) + Math.abs(Math.floor(a / width) - Math.floor(b / width));
  const goals = [...ground].flatMap((cell, i) => (cell === "o" ? [i] : []));
  const away = boxes.filter((box) => ground[box] !== "o");
  const boxesToGoals = away.reduce((sum, box) => sum + Math.min(...goals.map((goal) => steps(goal, box))), 0);
  return boxesToGoals * 10 + (away.length ? Math.min(...away.map((box) => steps(box, player))) : 0);
}

/**
 * Sokoban in turns of up to three moves u, d, l, r: push boxes `$` onto goals `o`. Rows are separated by `/`, and the
 * board is shown after every turn; beyond its edges is wall. An invalid move ends the turn.
 */
export const sokobanGame = textTask<Drawn, Game>({
  id: "sokoban-game",
  about: "Push all boxes onto goals by turns of up to three moves; the board is shown after each.",
  levels: sizes.length,
  alphabet: ".#o@+$*/?udlr",
  longest: { prompt: 23, answer: run, conversation: 352 },
  make(random, level) {
    const [width, height, walls, boxes, fewest, most, turns] = sizes[level - 1];
    let moves = "";
    const board = until(
      () => pulled(random, { width, height }, walls, boxes, 10 + 10 * boxes),
      (drawn) => {
        if (home(drawn) > 0) return false;
        moves = solution(drawn, most) ?? "";
        return moves.length >= fewest;
      },
    );
    return { prompt: shown(board), answer: moves.slice(0, run), data: { board, moves, turns } };
  },
  /** Each box on a goal scores its share of a half; the full score needs all of them. */
  verify(_, __, conversation) {
    if (!conversation) return { score: 0 };
    const { board } = conversation.state;
    if (isSolved(board)) return { score: 1 };
    const part = home(board) / board.boxes.length;
    return {
      score: part / 2,
      terms: { home: part },
      why: "Not all boxes are on goals; those that are count for half.",
    };
  },
  episode: {
    turns: 13,
    begin: ({ data: { board, turns } }) => ({ board, made: "", turns: 0, most: turns }),
    turn(game, { content }) {
      game.turns++;
      const isRun =
        content.length > 0 && content.length <= run && [...content].every((c) => moves.includes(c));
      const [board, made] = after(game.board, isRun ? content : "");
      game.board = board;
      game.made += made;
      if (isSolved(board) || game.turns >= game.most) return { done: true };
      return { say: isRun ? shown(board) : "?" };
    },
    players: {
      expert,
      random: chance,
      novice: novice(expert, chance),
      /** Looks one turn ahead: boxes nearer to goals, then the player nearer to a box. */
      fixed(_, { state: { board } }, random) {
        const scored = runs.map((text) => [distance(after(board, text)[0]), text] as const);
        const least = Math.min(...scored.map(([far]) => far));
        return random.choice(scored.filter(([far]) => far === least))[1];
      },
    },
  },
});
