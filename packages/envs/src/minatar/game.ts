import { type Drawing, discrete, image } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batched.ts";
import { type Channel, gamePicture, gameText } from "./pictures.ts";

/** How a game is made. */
export interface MinAtarOptions extends BatchedOptions {
  /** Probability that the action before is taken again in place of the new one. */
  readonly sticky?: number;
  /** All six actions in place of those that do something in this game. */
  readonly allActions?: boolean;
}

/** How a game is made that becomes harder as it goes on. */
export interface RampingOptions extends MinAtarOptions {
  /** Whether it becomes harder. */
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

/** What a game says of itself. */
export interface GameForm {
  /** Its name without the version, as in `MinAtar/Breakout`. */
  readonly name: string;
  readonly channels: readonly Channel[];
  /** The actions that do something. */
  readonly actions: readonly number[];
}

/**
 * A game of MinAtar: a screen of 10 × 10 cells with one channel for each kind of thing, a byte of 255 where there is one and 0 where
 * not. Young and Tian, "MinAtar: An Atari-Inspired Testbed for Thorough and Reproducible Reinforcement Learning Experiments" (2019).
 *
 * The rules are those of the authors' program, step by step and draw by draw; only random numbers come from NumPy's newer generator, and
 * the action that sticks is forgotten at the end of an episode, which would otherwise depend on the one before.
 */
export abstract class MinAtarGame extends BatchedEnv {
  /** The bytes of all screens. Looked up in every step: they move when compiled code uses them first. */
  private pixels: Uint8Array;
  /** Bytes of a screen, and of one of its cells. */
  private readonly size: number;
  private readonly depth: number;
  private readonly channels: readonly Channel[];
  private readonly sticky: number;
  /** Which of the six each action of the space is. */
  private readonly meaning: Int32Array;
  /** The action that was taken last in each row, as one of the six. */
  protected readonly last: Int32Array;

  constructor({ name, channels, actions }: GameForm, options: MinAtarOptions) {
    const { sticky = 0.1, allActions = false, rows, maxSteps } = options;
    const meaning = allActions ? [none, left, up, right, down, fire] : actions;
    const id = `${name}-v${allActions ? 0 : 1}`;
    super(
      { id, observation: image(side, side, channels.length), action: discrete(meaning.length) },
      { rows, maxSteps },
    );
    this.pixels = this.observation.data as Uint8Array;
    this.depth = channels.length;
    this.size = side * side * channels.length;
    this.channels = channels;
    this.sticky = sticky;
    this.meaning = Int32Array.from(meaning);
    this.last = new Int32Array(this.rows);
  }

  /** Draws the first state of a row. */
  protected abstract start(row: number): void;
  /** Plays one frame with one of the six actions, gives its reward, and writes 1 to `terminated` where it was the last. */
  protected abstract play(row: number, action: number): number;
  /** Shows what there is on a black screen. */
  protected abstract paint(row: number): void;

  /** Shows a thing of a channel in a cell. */
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

  picture(row: number): Drawing {
    return gamePicture(this.channels, this.screen(row));
  }

  private screen(row: number): Uint8Array {
    return (this.observation.data as Uint8Array).subarray(row * this.size, (row + 1) * this.size);
  }
}
