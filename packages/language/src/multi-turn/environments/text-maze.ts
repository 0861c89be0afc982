import type { Generator } from "@reins/core/random";
import { until } from "../../tasks/random.ts";
import { type ConversationState, type Problem, textTask } from "../../tasks/text-task.ts";
import {
  allWays,
  beside,
  type Grid,
  grow,
  inOrder,
  isWay,
  join,
  towards,
  type Way,
  walk,
} from "./compass.ts";
import { novice } from "./novice.ts";

/**
 * Side of the maze, walls removed after generation, minimum steps to the goal, maximum turns, and whether the
 * distance is shown.
 */
const sizes = [
  [3, 1, 3, 10, true],
  [4, 1, 4, 18, true],
  [4, 1, 5, 18, false],
  [5, 2, 7, 28, false],
] as const;

interface Maze {
  readonly side: number;
  /** The exits of each cell. */
  readonly ways: readonly string[];
  readonly start: number;
  readonly goal: number;
  readonly most: number;
  /** Whether the distance is shown, too. */
  readonly far: boolean;
}

interface Game {
  readonly maze: Maze;
  at: number;
  /** Cells visited. */
  readonly seen: number[];
  turns: number;
}

const gridOf = ({ side }: Maze): Grid => ({ width: side, height: side });
const enter = (maze: Maze): Game => ({ maze, at: maze.start, seen: [maze.start], turns: 0 });

/**
 * The description of a cell: the open directions, and where the goal is: `ns:e2s1`, or `ns:es` without the distance.
 */
function describeCell(maze: Maze, at: number): string {
  const { side, goal, ways, far } = maze;
  const [right, down] = [(goal % side) - (at % side), Math.floor(goal / side) - Math.floor(at / side)];
  const where = [...towards(at, goal, gridOf(maze))].map((way) => {
    return far ? `${way}${Math.abs("ns".includes(way) ? down : right)}` : way;
  });
  return `${ways[at]}:${where.join("")}`;
}

function go(game: Game, way: Way): boolean {
  const { maze, seen } = game;
  if (!maze.ways[game.at].includes(way)) return false;
  game.at = beside(game.at, way, gridOf(maze))!;
  if (!seen.includes(game.at)) seen.push(game.at);
  return true;
}

const next = (maze: Maze) => (cell: number) =>
  [...maze.ways[cell]].map((way) => [way, beside(cell, way as Way, gridOf(maze))!] as const);

/**
 * The first step to an unvisited cell, by a policy with perfect memory: a near one, and one in the direction of the
 * goal. It uses no hidden information.
 */
function wise({ maze, at, seen }: Game): string {
  const known = (cell: number) => (seen.includes(cell) ? next(maze)(cell) : []);
  let [best, cost] = ["", Number.POSITIVE_INFINITY];
  for (const from of seen)
    for (const [way, to] of next(maze)(from)) {
      if (seen.includes(to)) continue;
      const steps = `${walk(at, known, (cell) => cell === from)}${way}`;
      // A step away from the goal has to be undone.
      const total = steps.length + (towards(from, maze.goal, gridOf(maze)).includes(way) ? 0 : 2);
      if (total < cost) [best, cost] = [steps[0], total];
    }
  return best;
}

/** Turns that `wise` needs. */
function needed(maze: Maze): number {
  const game = enter(maze);
  let turns = 0;
  for (; game.at !== maze.goal; turns++) go(game, wise(game) as Way);
  return turns;
}

/** A maze with some walls removed. */
function dig(random: Generator, level: number): Maze {
  const [side, broken, , most, far] = sizes[level - 1];
  const grid = { width: side, height: side };
  const cells = side * side;
  const ways = grow(random, grid, cells, 0.8);
  for (let left = broken; left > 0; ) {
    const [from, way] = [random.integers(cells), random.choice(allWays) as Way];
    const to = beside(from, way, grid);
    if (to === undefined || ways[from].includes(way)) continue;
    join(ways, from, way, to);
    left--;
  }
  const [start, goal] = [random.integers(cells), random.integers(cells)];
  return { side, ways: ways.map(inOrder), start, goal, most, far };
}

const expert = (_: Problem<Maze>, { state }: ConversationState<Game>): string => wise(state) || allWays[0];
const chance = (_: Problem<Maze>, __: ConversationState<Game>, random: Generator): string =>
  random.choice(allWays);

/**
 * A maze of which only the current cell is visible. `ns:e2s1` means that north and south are open and that the goal
 * is two cells east and one south; at higher levels, `ns:es`, only the direction. A turn is one step: n, e, s or w.
 */
export const textMaze = textTask<Maze, Game>({
  id: "text-maze",
  about: "Walk through a maze to its goal, observing only the open directions and the position of the goal.",
  levels: sizes.length,
  alphabet: `${allWays}123:#?`,
  longest: { prompt: 9, answer: 1, conversation: 256 },
  make(random, level) {
    const [, , least] = sizes[level - 1];
    const maze = until(
      () => dig(random, level),
      (drawn) => {
        const way = walk(drawn.start, next(drawn), (cell) => cell === drawn.goal)!;
        return way.length >= least && needed(drawn) <= drawn.most;
      },
    );
    return {
      prompt: describeCell(maze, maze.start),
      key: JSON.stringify(maze),
      answer: wise(enter(maze)),
      data: maze,
    };
  },
  verify({ data: { goal } }, _, conversation) {
    return conversation?.state.at === goal ? { score: 1 } : { score: 0, why: "The goal was not reached." };
  },
  episode: {
    turns: 28,
    begin: ({ data }) => enter(data),
    turn(game, { content }) {
      game.turns++;
      const { maze } = game;
      const went = isWay(content) && go(game, content);
      if (game.at === maze.goal || game.turns >= maze.most) return { done: true };
      if (went) return { say: describeCell(maze, game.at) };
      return { say: isWay(content) ? "#" : "?" };
    },
    players: {
      expert,
      random: chance,
      novice: novice(expert, chance),
      /** Goes in the direction of the goal where it can, and otherwise moves at random: it has no memory. */
      fixed(_, { state: { maze, at } }, random) {
        const good = [...towards(at, maze.goal, gridOf(maze))].filter((way) => maze.ways[at].includes(way));
        return random.choice(good.length ? good : [...maze.ways[at]]);
      },
    },
  },
});
