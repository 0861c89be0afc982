import { discrete, type EnvSpec, image, type Rendering } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import { type Channel, gamePicture, gameText } from "./rendering.ts";

/** Options of a game. */
export interface MinAtarOptions extends BatchedOptions {
  /** Probability that the previous action is repeated instead of the new one. */
  readonly sticky?: number;
  /** All six actions instead of those with an effect in this game. */
  readonly allActions?: boolean;
}

/** Options of a game with rising difficulty. */
export interface DifficultyOptions extends MinAtarOptions {
  /** Whether the difficulty rises. */
  readonly ramping?: boolean;
}

/** The six actions of all games. */
export const none = 0;
export const left = 1;
export const up = 2;
export const right = 3;
export const down = 4;
export const fire = 5;

/** Cells along each side of a screen. */
export const side = 10;

/** Description of a game. */
export interface GameForm {
  /** Its name without the version, as in `MinAtar/Breakout`. */
  readonly name: string;
  readonly channels: readonly Channel[];
  /** The actions with an effect. */
  readonly actions: readonly number[];
}

/** The actions of a game, each as one of the six. */
export const meaningOf = ({ actions }: GameForm, allActions: boolean): readonly number[] =>
  allActions ? [none, left, up, right, down, fire] : actions;

/** Description of a game as an environment: version 0 has all six actions, version 1 those with an effect. */
export const gameSpec = (form: GameForm, allActions: boolean): EnvSpec => ({
  id: `${form.name}-v${allActions ? 0 : 1}`,
  observation: image(side, side, form.channels.length),
  action: discrete(meaningOf(form, allActions).length),
});

/**
 * A game of MinAtar: a screen of 10 × 10 cells with one channel per kind of object, a byte of 255 where there is
 * one and 0 elsewhere. Young and Tian, "MinAtar: An Atari-Inspired Testbed for Thorough and Reproducible
 * Reinforcement Learning Experiments" (2019).
 *
 * The rules are those of the authors' program, step by step and draw by draw; only random numbers come from
 * NumPy's newer generator, and the sticky action is cleared at the end of an episode, which would otherwise depend
 * on the previous one.
 */
export abstract class MinAtarGame extends BatchedEnv {
  /** The bytes of all screens. Looked up in every step: they move when compiled code first uses them. */
  private pixels: Uint8Array;
  /** Bytes of a screen, and of one of its cells. */
  private readonly size: number;
  private readonly depth: number;
  private readonly channels: readonly Channel[];
  private readonly sticky: number;
  /** The six-action index of each action of the space. */
  private readonly meaning: Int32Array;
  /** The last action of each row, as one of the six. */
  protected readonly last: Int32Array;

  constructor(form: GameForm, options: MinAtarOptions) {
    const { sticky = 0.1, allActions = false, rows, maxSteps } = options;
    const { channels } = form;
    super(gameSpec(form, allActions), { rows, maxSteps });
    this.pixels = this.observation.data as Uint8Array;
    this.depth = channels.length;
    this.size = side * side * channels.length;
    this.channels = channels;
    this.sticky = sticky;
    this.meaning = Int32Array.from(meaningOf(form, allActions));
    this.last = new Int32Array(this.rows);
  }

  /** Samples the initial state of a row. */
  protected abstract start(row: number): void;
  /**
   * Plays one frame with one of the six actions, returns its reward, and writes 1 to `terminated` at the end of
   * the game.
   */
  protected abstract play(row: number, action: number): number;
  /** Draws all objects on a black screen. */
  protected abstract paint(row: number): void;

  /** Draws an object of a channel in a cell. */
  protected show(row: number, y: number, x: number, channel: number): void {
    this.pixels[row * this.size + (y * side + x) * this.depth + channel] = 255;
  }

  protected begin(row: number): void {
    this.last[row] = none;
    this.start(row);
  }

  protected observe(row: number): void {
    this.pixels = this.observation.data as Uint8Array;
    this.pixels.fill(0, row * this.size, (row + 1) * this.size);
    this.paint(row);
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { last, meaning, sticky, random } = this;
    const given = action.data as Int32Array;
    const reward = this.reward.data as Float32Array;
    this.pixels = this.observation.data as Uint8Array;
    this.pixels.fill(0, from * this.size, to * this.size);
    for (let row = from; row < to; row++) {
      if (!random[row].chance(sticky)) last[row] = meaning[given[row]];
      reward[row] = this.play(row, last[row]);
      this.paint(row);
    }
  }

  render(row: number): string {
    return gameText(this.channels, this.screen(row));
  }

  picture(row: number): Rendering {
    return gamePicture(this.channels, this.screen(row));
  }

  private screen(row: number): Uint8Array {
    return (this.observation.data as Uint8Array).subarray(row * this.size, (row + 1) * this.size);
  }
}
