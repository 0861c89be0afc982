import { type Drawing, discrete, fail } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { Level, mostObstacles } from "./level.ts";
import { type LevelCounts, levelCounts, levelSet, type Split } from "./level-set.ts";
import { longestMission, missionText } from "./missions.ts";
import { observationOf, showPixels, showPlanes, type ViewKind } from "./observations.ts";
import { type Scene, worldPicture, worldText } from "./pictures.ts";
import {
  ball,
  blue,
  box,
  closed,
  door,
  empty,
  goal,
  key,
  lava,
  locked,
  open,
  stepX,
  stepY,
} from "./symbols.ts";
import { View, viewCells, viewSide } from "./view.ts";
import type { World } from "./world.ts";

/** How a grid world is made. */
export interface GridWorldOptions extends BatchedOptions {
  /**
   * What is seen of the 7 × 7 cells before the agent: `symbols`, three numbers of each as MiniGrid has them; `planes`, a channel for each
   * kind, color and status, 255 where it holds; `pixels`, 56 × 56 in three colors.
   */
  readonly view?: ViewKind;
  /** How a mission is told where it differs from level to level: the color and the kind of its target as numbers, or as a text. */
  readonly mission?: "numbers" | "text";
  /** How many levels there are to train on, and to be tested on; without it every episode has a new one. */
  readonly levels?: number | LevelCounts;
  /** Which of them are played. */
  readonly split?: Split;
}

const [turnLeft, turnRight, forward, pickUp, drop, toggle, done] = [0, 1, 2, 3, 4, 5, 6];
/** Cells around it that a moving thing tries before it stays where it is. */
const mostMoves = 101;

interface Seen {
  readonly image: Tensor;
  readonly direction: Tensor;
  readonly [part: string]: Tensor | { readonly letters: Tensor; readonly count: Tensor };
}

/**
 * A world of cells with walls, doors, keys, balls, boxes, lava and goals, of which the agent sees the 7 × 7 before it: left (0), right (1),
 * forward (2), pick up (3), drop (4), toggle (5), done (6). Success pays 1 - 0.9 × the share of `maxSteps` that it took. Rules, symbols
 * and levels are MiniGrid's, the same level for the same seed. Chevalier-Boisvert et al., "Minigrid & Miniworld" (2023).
 */
export class GridWorld extends BatchedEnv<Seen> {
  protected readonly state;
  protected override readonly mixed = true;
  private readonly world: World;
  private readonly view = new View();
  private readonly kind: ViewKind;
  private readonly scratch: Level;
  private readonly levels: readonly Level[] | undefined;
  private readonly size: number;

  constructor(world: World, options: GridWorldOptions = {}) {
    const { view = "symbols", mission = "numbers", levels, split, rows, maxSteps } = options;
    const { id, width, height } = world;
    if (split === "test" && levels === undefined)
      fail(
        id,
        `split is "test", and nothing says how many levels there are. Give levels: { train: 200 } too.`,
      );
    const counts = levelCounts(id, levels);
    const observation = observationOf(world, view, mission);
    const action = discrete(world.rule === "dodge" ? 3 : 7);
    super({ id, observation, action, maxSteps: world.maxSteps }, { rows, maxSteps }, { level: -1 });
    this.world = world;
    this.kind = view;
    this.scratch = new Level(width, height);
    this.levels = counts && levelSet(id, world, counts, split ?? "train");
    this.size = 3 * width * height;
    const column = () => new Int32Array(this.rows);
    this.state = {
      cells: new Uint8Array(this.rows * this.size),
      x: column(),
      y: column(),
      direction: column(),
      steps: column(),
      heldKind: column(),
      heldColor: column(),
      targetKind: column(),
      targetColor: column(),
      targetCell: column(),
      obstacles: new Int32Array(this.rows * mostObstacles),
      obstacleCount: column(),
    };
  }

  protected begin(row: number): void {
    const level = this.levelFor(row);
    const { state } = this;
    const start = row * this.size;
    for (let i = 0; i < this.size; i++) state.cells[start + i] = level.cells[i];
    for (let i = 0; i < level.obstacleCount; i++)
      state.obstacles[row * mostObstacles + i] = level.obstacles[i];
    state.obstacleCount[row] = level.obstacleCount;
    state.x[row] = level.x;
    state.y[row] = level.y;
    state.direction[row] = level.direction;
    state.targetKind[row] = level.targetKind;
    state.targetColor[row] = level.targetColor;
    state.targetCell[row] = level.targetCell;
    state.steps[row] = state.heldKind[row] = state.heldColor[row] = 0;
  }

  /** A new level, or one of those that there are: the context's, or any. */
  private levelFor(row: number): Level {
    const { levels, scratch } = this;
    const asked = this.parameters.columns.level[row];
    if (levels === undefined) {
      if (asked >= 0)
        fail(
          this.spec.id,
          `the context asks for level ${asked}, and levels are not counted. Make it with levels: { train: 200 }.`,
        );
      this.world.generate(scratch, this.random[row]);
      return scratch;
    }
    if (asked < 0) return levels[this.random[row].integers(0, levels.length)];
    return (
      levels[asked] ??
      fail(this.spec.id, `the context asks for level ${asked}; there are 0 to ${levels.length - 1}.`)
    );
  }

  protected observe(row: number): void {
    const { targetKind, targetColor } = this.state;
    const { mission } = this.observation;
    if (mission !== undefined && "letters" in mission) {
      const told = this.told(row);
      const start = row * 2 * longestMission;
      mission.letters.data.fill(0, start, start + 2 * longestMission);
      for (let i = 0; i < told.length; i++) mission.letters.data[start + 2 * i] = told.charCodeAt(i);
      mission.count.data[row] = told.length;
    } else if (mission !== undefined) {
      mission.data[2 * row] = targetColor[row];
      mission.data[2 * row + 1] = targetKind[row];
    }
    this.see(row);
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { steps } = this.state;
    const given = action.data as Int32Array;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      steps[row]++;
      reward[row] = this.world.rule === "dodge" ? this.dodge(row, given[row]) : this.act(row, given[row]);
      this.see(row);
    }
  }

  /** What success is worth now. */
  private success(row: number): number {
    return 1 - 0.9 * (this.state.steps[row] / (this.spec.maxSteps ?? this.world.maxSteps));
  }

  /** The cell before the agent, as the place of its bytes. */
  private front(row: number): number {
    const { x, y, direction } = this.state;
    const column = x[row] + stepX[direction[row]];
    const line = y[row] + stepY[direction[row]];
    return row * this.size + 3 * (line * this.world.width + column);
  }

  /** Does an action, gives what it pays, and notes where it ends the episode. */
  private act(row: number, action: number): number {
    const { cells, direction, heldKind, heldColor } = this.state;
    const over = this.terminated.data;
    const at = this.front(row);
    const kind = cells[at];
    if (action === turnLeft) direction[row] = (direction[row] + 3) % 4;
    else if (action === turnRight) direction[row] = (direction[row] + 1) % 4;
    else if (action === forward) return this.walk(row, kind, cells[at + 2]);
    else if (action === pickUp && heldKind[row] === 0 && (kind === key || kind === ball || kind === box)) {
      heldKind[row] = kind;
      heldColor[row] = cells[at + 1];
      this.put(at, empty, 0);
    } else if (action === drop && heldKind[row] !== 0 && kind === empty) {
      this.put(at, heldKind[row], heldColor[row]);
      heldKind[row] = heldColor[row] = 0;
    } else if (action === toggle) this.toggle(row, at);

    if (this.world.rule === "goTo" && (action === toggle || action === done)) {
      over[row] = 1;
      return action === done && this.isBeside(row) ? this.success(row) : 0;
    }
    if (this.world.rule === "pickUp" && action === pickUp && this.holdsTarget(row)) {
      over[row] = 1;
      return this.success(row);
    }
    return 0;
  }

  private walk(row: number, kind: number, status: number): number {
    const { x, y, direction } = this.state;
    if (kind !== empty && kind !== goal && kind !== lava && !(kind === door && status === open)) return 0;
    x[row] += stepX[direction[row]];
    y[row] += stepY[direction[row]];
    if (kind === goal || kind === lava) this.terminated.data[row] = 1;
    return kind === goal ? this.success(row) : 0;
  }

  private put(at: number, kind: number, color: number): void {
    const { cells } = this.state;
    cells[at] = kind;
    cells[at + 1] = color;
    cells[at + 2] = 0;
  }

  /** Doors open and close, locked ones with their key; boxes vanish. */
  private toggle(row: number, at: number): void {
    const { cells, heldKind, heldColor } = this.state;
    if (cells[at] === box) this.put(at, empty, 0);
    if (cells[at] !== door) return;
    const hasKey = heldKind[row] === key && heldColor[row] === cells[at + 1];
    if (cells[at + 2] !== locked) cells[at + 2] = cells[at + 2] === open ? closed : open;
    else if (hasKey) cells[at + 2] = open;
  }

  private isBeside(row: number): boolean {
    const { x, y, targetCell } = this.state;
    const column = targetCell[row] % this.world.width;
    const line = Math.floor(targetCell[row] / this.world.width);
    return Math.abs(column - x[row]) + Math.abs(line - y[row]) === 1;
  }

  private holdsTarget(row: number): boolean {
    const { heldKind, heldColor, targetKind, targetColor } = this.state;
    return heldKind[row] === targetKind[row] && heldColor[row] === targetColor[row];
  }

  /** Things move first; who goes to where a wall or one of them was before that has run into it. */
  private dodge(row: number, action: number): number {
    const ahead = this.state.cells[this.front(row)];
    const isFree = ahead === empty || ahead === goal;
    for (let i = 0; i < this.state.obstacleCount[row]; i++) this.drift(row, row * mostObstacles + i);
    const reward = this.act(row, action);
    if (action !== forward || isFree) return reward;
    this.terminated.data[row] = 1;
    return -1;
  }

  /** A thing goes to one of the eight cells around it, if one that is tried is free. */
  private drift(row: number, i: number): void {
    const { width, height } = this.world;
    const { cells, obstacles, x, y } = this.state;
    const random = this.random[row];
    const left = Math.max(0, (obstacles[i] % width) - 1);
    const top = Math.max(0, Math.floor(obstacles[i] / width) - 1);
    for (let tries = 0; tries < mostMoves; tries++) {
      const column = random.integers(left, Math.min(left + 3, width));
      const line = random.integers(top, Math.min(top + 3, height));
      const cell = line * width + column;
      if (cells[row * this.size + 3 * cell] !== empty || (column === x[row] && line === y[row])) continue;
      this.put(row * this.size + 3 * cell, ball, blue);
      this.put(row * this.size + 3 * obstacles[i], empty, 0);
      obstacles[i] = cell;
      return;
    }
  }

  /** Writes what the agent sees; in its own cell is what it carries. */
  private see(row: number): void {
    const { cells, x, y, direction, heldKind, heldColor } = this.state;
    const { width, height, seeThrough = false } = this.world;
    const { symbols } = this.view;
    this.view.look(cells, row * this.size, width, height, x[row], y[row], direction[row], seeThrough);
    const own = 3 * (Math.floor(viewSide / 2) * viewSide + viewSide - 1);
    symbols[own] = heldKind[row] === 0 ? empty : heldKind[row];
    symbols[own + 1] = heldColor[row];
    symbols[own + 2] = 0;
    this.observation.direction.data[row] = direction[row];
    const to = this.observation.image.data;
    if (this.kind === "symbols") {
      const start = row * 3 * viewCells;
      for (let i = 0; i < 3 * viewCells; i++) to[start + i] = symbols[i];
    } else if (this.kind === "planes") showPlanes(symbols, to as Uint8Array, row);
    else showPixels(symbols, to as Uint8Array, row, heldKind[row] === 0);
  }

  private told(row: number): string {
    return missionText(this.world.mission, this.state.targetKind[row], this.state.targetColor[row]);
  }

  render(row: number): string {
    return worldText(this.scene(row));
  }

  picture(row: number): Drawing {
    return worldPicture(this.scene(row));
  }

  private scene(row: number): Scene {
    const { cells, x, y, direction, heldKind, heldColor } = this.state;
    this.see(row);
    return {
      width: this.world.width,
      height: this.world.height,
      cells: cells.subarray(row * this.size, (row + 1) * this.size),
      x: x[row],
      y: y[row],
      direction: direction[row],
      heldKind: heldKind[row],
      heldColor: heldColor[row],
      mission: this.told(row),
      isSeen: (column, line) => this.view.hasSeen(column, line, x[row], y[row], direction[row]),
    };
  }
}
