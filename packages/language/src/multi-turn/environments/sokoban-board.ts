import type { Generator } from "@reins/core/random";
import { many, some } from "../../tasks/random.ts";
import { beside, type Grid, type Way } from "./compass.ts";

/** A board. It is plain data, and a move makes a new one. */
export interface Board extends Grid {
  /** Each cell without player and boxes: `.` floor, `#` wall, `o` goal. */
  readonly ground: string;
  readonly player: number;
  readonly boxes: readonly number[];
}

const compassOf: { readonly [move: string]: Way } = { u: "n", r: "e", d: "s", l: "w" };

/** Moves: up, right, down, left. */
export const moves = Object.keys(compassOf).join("");

/** The cell that a move leads to; undefined at a wall or the edge. */
function reached(board: Board, from: number, move: string): number | undefined {
  const to = beside(from, compassOf[move], board);
  return to === undefined || board.ground[to] === "#" ? undefined : to;
}

/** The board after a move, which pushes a box in its way; undefined where the move is invalid. */
export function moved(board: Board, move: string): Board | undefined {
  const player = reached(board, board.player, move);
  if (player === undefined) return undefined;
  if (!board.boxes.includes(player)) return { ...board, player };
  const pushed = reached(board, player, move);
  if (pushed === undefined || board.boxes.includes(pushed)) return undefined;
  return { ...board, player, boxes: board.boxes.map((box) => (box === player ? pushed : box)) };
}

/** Number of boxes on goals. */
export const home = ({ boxes, ground }: Board): number => boxes.filter((box) => ground[box] === "o").length;

/** Whether all boxes are on goals. */
export const isSolved = (board: Board): boolean => home(board) === board.boxes.length;

/**
 * The text of a board, rows separated by `/`: `@` the player, `$` a box, `o` a goal; `+` and `*` are the player and a
 * box on goals.
 */
export function shown({ width, height, ground, player, boxes }: Board): string {
  const cells = [...ground].map((cell, i) => {
    if (i === player) return cell === "o" ? "+" : "@";
    return boxes.includes(i) ? (cell === "o" ? "*" : "$") : cell;
  });
  return many(height, (row) => cells.slice(row * width, (row + 1) * width).join("")).join("/");
}

/** The cell that each move leads to from each cell; −1 for invalid moves. */
const tableOf = (board: Board): number[][] =>
  [...moves].map((move) => many(board.ground.length, (cell) => reached(board, cell, move) ?? -1));

/**
 * The fewest moves that solve a board of up to 25 cells, by breadth-first search; undefined where it needs more than
 * `most` moves or is unsolvable.
 */
export function solution(board: Board, most = Number.POSITIVE_INFINITY): string | undefined {
  const next = tableOf(board);
  const bits = (places: readonly number[]) => places.reduce((sum, cell) => sum | (1 << cell), 0);
  const goals = bits([...board.ground].flatMap((cell, i) => (cell === "o" ? [i] : [])));
  // Boxes are interchangeable: a set of boxes and the player's cell are one number of 30 bits.
  const first = bits(board.boxes) * 32 + board.player;
  const [states, parents, made, depths] = [[first], [-1], [-1], [0]];
  const known = new Set(states);
  for (let i = 0; i < states.length; i++) {
    const [boxes, player] = [states[i] >>> 5, states[i] & 31];
    if ((boxes & ~goals) === 0) return way(i, parents, made);
    if (depths[i] >= most) return undefined;
    for (let move = 0; move < next.length; move++) {
      const to = next[move][player];
      if (to < 0) continue;
      let after = boxes;
      if (boxes & (1 << to)) {
        const pushed = next[move][to];
        if (pushed < 0 || boxes & (1 << pushed)) continue;
        after = (boxes & ~(1 << to)) | (1 << pushed);
      }
      const state = after * 32 + to;
      if (known.has(state)) continue;
      known.add(state);
      states.push(state);
      parents.push(i);
      made.push(move);
      depths.push(depths[i] + 1);
    }
  }
  return undefined;
}

/** The moves that led to a state. */
function way(end: number, parents: readonly number[], made: readonly number[]): string {
  let text = "";
  for (let at = end; parents[at] >= 0; at = parents[at]) text = moves[made[at]] + text;
  return text;
}

/**
 * A solvable board: it begins with all boxes on goals, and the player pulls them away backwards, in `steps` moves or
 * some more. A box that cannot be pulled stays on its goal.
 */
export function pulled(random: Generator, grid: Grid, walls: number, boxes: number, steps: number): Board {
  const cells = grid.width * grid.height;
  const [player, ...places] = some(
    random,
    1 + walls + boxes,
    many(cells, (i) => i),
  );
  const [goals, stones] = [places.slice(0, boxes), places.slice(boxes)];
  const ground = many(cells, (i) => (goals.includes(i) ? "o" : stones.includes(i) ? "#" : ".")).join("");
  const board: Board = { ...grid, ground, player, boxes: goals };
  const next = tableOf(board);
  const at = [...goals];
  let place = player;
  const away = () => at.every((box) => ground[box] !== "o");
  for (let i = 0; i < steps || (i < 5 * steps && !away()); i++) {
    const can = ways.filter((way) => next[way][place] >= 0 && !at.includes(next[way][place]));
    if (can.length === 0) break;
    // A box is pulled from the other side.
    const behind = (way: number) => at.indexOf(next[(way + 2) % 4][place]);
    const pulling = can.filter((way) => behind(way) >= 0);
    const pull = pulling.length > 0 && random.chance(0.7);
    const way = random.choice(pull ? pulling : can);
    if (pull) at[behind(way)] = place;
    place = next[way][place];
  }
  return { ...board, player: place, boxes: at };
}

const ways = [0, 1, 2, 3];
