import type { TracedEnv } from "@reins/core";
import {
  cast,
  lt,
  slice,
  split,
  squeeze,
  type Tensor,
  type Tree,
  take,
  tensor,
  treeMap,
  where,
  zeros,
} from "@reins/tensor";
import { type GameForm, gameSpec, type MinAtarOptions, meaningOf } from "../../minatar/game.ts";
import { gamePicture, gameText } from "../../minatar/rendering.ts";
import { uniformTable } from "../../physics/random-columns.ts";
import { limited } from "../../step-limit.ts";
import { screenOf } from "./screen.ts";

/**
 * A game of MinAtar in tensor operations on all rows: the rules of the class of the same name. Its random numbers
 * are a table of uniform numbers from 0 to 1, so that a test can play both forms with equal ones.
 */
export interface TracedGame<S extends Tree = Tree> {
  readonly form: GameForm;
  /** Random numbers for the start of a game, and for a frame. */
  readonly draws: { readonly start: number; readonly frame: number };
  /** `drawn` is [rows, draws]. */
  start(rows: number, drawn: Tensor): S;
  /** Plays one frame with one of the six actions, i32 [rows]. */
  play(state: S, action: Tensor, drawn: Tensor): Frame<S>;
  /** The channels, as {@link screenOf} takes them. */
  paint(state: S): readonly Tensor[];
}

/** Result of a frame: its reward is i32. */
export interface Frame<S extends Tree> {
  readonly state: S;
  readonly reward: Tensor;
  readonly terminated: Tensor;
}

/** The state of a game, and the last action of each row as one of the six. */
export type PlayedGame<S extends Tree> = { readonly game: S; readonly last: Tensor };

/** A game as an environment. */
export function tracedGame<S extends Tree>(
  game: TracedGame<S>,
  { sticky = 0.1, allActions = false, maxSteps }: MinAtarOptions,
): TracedEnv<Record<string, never>, PlayedGame<S>> {
  const { form, draws } = game;
  const { channels } = form;
  const meaning = tensor(Int32Array.from(meaningOf(form, allActions)));
  const screen = (state: PlayedGame<S>) => screenOf(game.paint(state.game));
  const rowScreen = (state: PlayedGame<S>, row: number) => {
    const one = treeMap((t) => slice(t, [[row, row + 1], ...t.shape.slice(1).map(() => null)]), state);
    return screen(one as PlayedGame<S>).data;
  };
  return {
    spec: limited(gameSpec(form, allActions), maxSteps),
    rowKeys: true,
    reset: (_, rows, key) => ({
      game: game.start(rows, uniformTable(key, rows, draws.start)),
      last: zeros([rows], "i32"),
    }),
    observe: (_, state) => screen(state),
    step(_, { game: now, last }, action, key) {
      const table = uniformTable(key, last.shape[0], 1 + draws.frame);
      const [repeat, drawn] = split(table, [1, draws.frame], 1);
      const chosen = where(lt(squeeze(repeat, 1), sticky), last, take(meaning, action as Tensor));
      const { state, reward, terminated } = game.play(now, chosen, drawn);
      return { state: { game: state, last: chosen }, reward: cast(reward, "f32"), terminated };
    },
    render: (_, state, row) => gameText(channels, rowScreen(state, row)),
    picture: (_, state, row) => gamePicture(channels, rowScreen(state, row)),
  };
}
