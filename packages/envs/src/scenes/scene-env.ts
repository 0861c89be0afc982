import type { EnvSpec, Rendering } from "@reins/core";
import type { Generator } from "@reins/core/random";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "../batch-form.ts";
import type { Defaults } from "../parameters.ts";
import { Replays } from "./replays.ts";

/** Observation storage: numbers, or the bytes of images. */
export type Column = Float32Array | Uint8Array;

/** One episode in its own world. */
export interface Scene {
  /** The reward of the last step. */
  readonly reward: number;
  /** Whether the last step ended the episode. */
  readonly over: boolean;
  /** Takes a step; the action's numbers begin at `at`. */
  act(action: Float32Array, at: number): void;
  /** Writes the observation from `at` on. */
  observe(out: Column, at: number): void;
  /** A rendering of the world. */
  picture(): Rendering;
  /** A text rendering of the world. */
  render(): string;
}

/** The parameters of one row, by name. */
export type SceneParameters<D extends Defaults> = { readonly [name in keyof D]: number };

/** Definition of an environment of scenes. */
export interface SceneEnvOptions<D extends Defaults> extends BatchedOptions {
  /** Constants that a context may change. */
  readonly parameters: D;
  /** The world of a new episode, from the generator. */
  readonly begin: (random: Generator, parameters: SceneParameters<D>) => Scene;
}

/** An environment whose rows are scenes: each episode builds a new world, so that nothing carries over to the next. */
export class SceneEnv<D extends Defaults> extends BatchedEnv {
  protected readonly state: { readonly episodes: Replays };
  private readonly scenes: Scene[] = [];
  private readonly width: number;

  constructor(spec: EnvSpec, options: SceneEnvOptions<D>) {
    super(spec, options, options.parameters);
    const { action } = spec;
    const { columns } = this.parameters;
    this.width = this.observation.size / this.rows;
    const own = (row: number) =>
      Object.fromEntries(
        Object.entries(columns).map(([name, column]) => [name, column[row]]),
      ) as SceneParameters<D>;
    const episodes = new Replays(action.kind === "box" ? action.shape[0] : 1, this.random, {
      begin: (row) => {
        this.scenes[row] = options.begin(this.random[row], own(row));
      },
      act: (row, actions, at) => this.scenes[row].act(actions, at),
    });
    this.state = { episodes };
  }

  protected begin(row: number): void {
    this.state.episodes.begin(row);
  }

  protected observe(row: number): void {
    this.scenes[row].observe(this.observation.data as Column, row * this.width);
  }

  protected move(action: Tensor, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.state.episodes.act(row, action.data);
      const { reward, over } = this.scenes[row];
      this.reward.data[row] = reward;
      if (over) this.terminated.data[row] = 1;
      this.observe(row);
    }
  }

  picture(row: number): Rendering {
    return this.scenes[row].picture();
  }

  render(row: number): string {
    return this.scenes[row].render();
  }
}
