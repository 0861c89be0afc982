import { discrete, fail, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { enterLevel, gridState } from "./grid-state.ts";
import { Level } from "./level.ts";
import { type LevelCounts, type LevelSplit, levelCounts, levelSet } from "./level-set.ts";
import { longestMission, missionText } from "./missions.ts";
import { observationOf, showPixels, showPlanes, type ViewKind, wordsOf } from "./observations.ts";
import { type Scene, worldPicture, worldText } from "./rendering.ts";
import { act, crashes, goesOn, succeeds } from "./rules.ts";
import { empty } from "./symbols.ts";
import { hasSeen, look, ownCell, viewSize } from "./view.ts";
import type { GridWorldDefinition } from "./world.ts";

/** Options of a grid world. */
export interface GridWorldOptions extends BatchedOptions {
  /**
   * Observation of the 7 × 7 cells in front of the agent: `symbols`, three numbers each as in MiniGrid; `planes`,
   * a channel for each kind, color and status, 255 where it holds; `pixels`, a 56 × 56 color image.
   */
  readonly view?: ViewKind;
  /** Form of a mission that varies between levels: the color and kind of its target as numbers, or as text. */
  readonly mission?: "numbers" | "text";
  /** Numbers of training and test levels; without it every episode has a new one. */
  readonly levels?: number | LevelCounts;
  /** Which levels are played. */
  readonly split?: LevelSplit;
}

interface Seen {
  readonly image: Tensor;
  readonly direction: Tensor;
  readonly [part: string]: Tensor | { readonly letters: Tensor; readonly count: Tensor };
}

/**
 * A grid world with walls, doors, keys, balls, boxes, lava and goals, with a 7 × 7 view in front of the agent:
 * left (0), right (1), forward (2), pick up (3), drop (4), toggle (5), done (6). Success has reward 1 - 0.9 × the
 * used fraction of `maxSteps`. Rules, symbols and levels are MiniGrid's, with equal levels for equal seeds.
 * Chevalier-Boisvert et al., "Minigrid & Miniworld" (2023).
 */
export class GridWorld extends BatchedEnv<Seen> {
  protected readonly state;
  protected override readonly mixed = true;
  private readonly world: GridWorldDefinition;
  /** The view before it is encoded. */
  private readonly symbols = new Int32Array(viewSize);
  private readonly kind: ViewKind;
  /** Time limit, possibly infinite, in which the reward of success falls. */
  private readonly longest: number;
  private readonly scratch: Level;
  private readonly levels: readonly Level[] | undefined;
  private seenBytes: Uint8Array | undefined;
  private words: Uint32Array = new Uint32Array();

  constructor(world: GridWorldDefinition, options: GridWorldOptions = {}) {
    const { view = "symbols", mission = "numbers", levels, split, rows, maxSteps } = options;
    const { id, width, height } = world;
    if (split === "test" && levels === undefined)
      fail(id, `split is "test", but levels is not set. Set levels too, such as { train: 200 }.`);
    const counts = levelCounts(id, levels);
    const observation = observationOf(world, view, mission);
    const action = discrete(world.rule === "dodge" ? 3 : 7);
    super({ id, observation, action, maxSteps: world.maxSteps }, { rows, maxSteps }, { level: -1 });
    this.world = world;
    this.longest = maxSteps ?? world.maxSteps;
    this.kind = view;
    this.scratch = new Level(width, height);
    this.levels = counts && levelSet(id, world, counts, split ?? "train");
    this.state = gridState(this.rows, world);
  }

  protected begin(row: number): void {
    enterLevel(this.state, row, this.levelFor(row));
  }

  /** A new level, or one of the fixed set: the context's, or a random one. */
  private levelFor(row: number): Level {
    const { levels, scratch } = this;
    const { id } = this.spec;
    const asked = this.parameters.columns.level[row];
    if (levels === undefined) {
      if (asked >= 0)
        fail(
          id,
          `the context selects level ${asked}, but levels is not set. Set levels, such as { train: 200 }.`,
        );
      this.world.generate(scratch, this.random[row]);
      return scratch;
    }
    if (asked < 0) return levels[this.random[row].integers(0, levels.length)];
    return (
      levels[asked] ?? fail(id, `the context selects level ${asked}; levels are 0 to ${levels.length - 1}.`)
    );
  }

  protected observe(row: number): void {
    const { mission } = this.observation;
    if (mission !== undefined && "letters" in mission) {
      const letters = this.missionOf(row);
      const start = row * 2 * longestMission;
      mission.letters.data.fill(0, start, start + 2 * longestMission);
      for (let i = 0; i < letters.length; i++) mission.letters.data[start + 2 * i] = letters.charCodeAt(i);
      mission.count.data[row] = letters.length;
    } else if (mission !== undefined) {
      mission.data[2 * row] = this.state.targetColor[row];
      mission.data[2 * row + 1] = this.state.targetKind[row];
    }
    this.see(row);
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { state, world, random } = this;
    const { steps } = state;
    const { longest } = this;
    const given = action.data as Int32Array;
    const reward = this.reward.data as Float32Array;
    for (let row = from; row < to; row++) {
      steps[row]++;
      const outcome = act(state, world, row, given[row], random[row]);
      reward[row] = outcome === succeeds ? 1 - 0.9 * (steps[row] / longest) : outcome === crashes ? -1 : 0;
      if (outcome !== goesOn) this.terminated.data[row] = 1;
      this.see(row);
    }
  }

  /** Writes the agent's view; its own cell shows the carried object. */
  private see(row: number): void {
    const { cells, x, y, direction, heldKind, heldColor } = this.state;
    const { width, height, seeThrough = false } = this.world;
    const to = this.observation.image.data;
    const direct = this.kind === "symbols";
    const symbols = direct ? (to as Int32Array) : this.symbols;
    const at = direct ? row * viewSize : 0;
    const start = row * 3 * width * height;
    look(cells, start, width, height, x[row], y[row], direction[row], seeThrough, symbols, at);
    symbols[at + ownCell] = heldKind[row] === 0 ? empty : heldKind[row];
    symbols[at + ownCell + 1] = heldColor[row];
    symbols[at + ownCell + 2] = 0;
    this.observation.direction.data[row] = direction[row];
    if (this.kind === "planes") showPlanes(symbols, to as Uint8Array, row);
    else if (this.kind === "pixels")
      showPixels(symbols, this.wordsOf(to as Uint8Array), row, heldKind[row] === 0);
  }

  /** The pixels as words; recreated only when the bytes have moved. */
  private wordsOf(bytes: Uint8Array): Uint32Array {
    if (this.seenBytes !== bytes) {
      this.seenBytes = bytes;
      this.words = wordsOf(bytes);
    }
    return this.words;
  }

  private missionOf(row: number): string {
    return missionText(this.world.mission, this.state.targetKind[row], this.state.targetColor[row]);
  }

  render(row: number): string {
    return worldText(this.scene(row));
  }

  picture(row: number): Rendering {
    return worldPicture(this.scene(row));
  }

  private scene(row: number): Scene {
    const { cells, x, y, direction, heldKind, heldColor } = this.state;
    const { width, height } = this.world;
    const size = 3 * width * height;
    this.see(row);
    const direct = this.kind === "symbols";
    const view = {
      symbols: direct ? (this.observation.image.data as Int32Array) : this.symbols,
      at: direct ? row * viewSize : 0,
    };
    return {
      width,
      height,
      cells: cells.subarray(row * size, (row + 1) * size),
      x: x[row],
      y: y[row],
      direction: direction[row],
      heldKind: heldKind[row],
      heldColor: heldColor[row],
      mission: this.missionOf(row),
      isSeen: (column, line) => hasSeen(view, column, line, x[row], y[row], direction[row]),
    };
  }
}
