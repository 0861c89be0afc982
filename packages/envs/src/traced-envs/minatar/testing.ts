import { defaultRng, type Generator } from "@reins/core/random";
import { compile, type Tensor, tensor, where } from "@reins/tensor";
import type { MinAtarGame } from "../../minatar/game.ts";
import { GivenNumbers, uniforms } from "../testing.ts";
import type { TracedGame } from "./game.ts";
import { screenOf } from "./screen.ts";

/** The columns of a class. */
export type ClassState = { readonly [name: string]: Int8Array | Int16Array | Int32Array };

/** A state of columns, by name. */
export type Columns = { readonly [name: string]: Tensor };

/** The state of one row as numbers, by name. */
export type RowState = { readonly [name: string]: number & readonly number[] };

/** A game in both forms, and how it is played. */
export interface Lockstep<S extends Columns, U> {
  readonly game: TracedGame<S>;
  readonly usual: MinAtarGame;
  readonly steps: number;
  /** Numbers of a frame in the order in which the usual form uses them. */
  readonly used?: (frame: readonly number[], state: RowState) => readonly number[];
  /** Changes a row in both forms now and then, to reach rare states. */
  readonly disturb?: (state: Columns, usual: U, row: number, random: Generator) => void;
  /** One of the six actions. */
  readonly act: (state: RowState, random: Generator) => number;
  /** Names of what happened in a step. */
  readonly events: (before: RowState, after: RowState, reward: number, ended: boolean) => readonly string[];
}

/**
 * Plays both forms with equal actions and random numbers; returns the first difference, and how often each event
 * occurred. The usual form has all six actions and no sticky ones.
 */
export function lockstep<S extends Columns, U = ClassState>({
  game,
  usual,
  steps,
  act,
  events,
  disturb,
  used = (u) => u,
}: Lockstep<S, U>) {
  const { rows } = usual;
  const random = defaultRng(1);
  const given = Array.from({ length: rows }, () => new GivenNumbers(random.bits));
  const starts: number[][] = [];
  const inner = Reflect.get(usual, "random") as Generator[];
  const start = Reflect.get(usual, "start") as (row: number) => void;
  Reflect.set(usual, "start", (row: number) => {
    given[row].queue = starts[row];
    start.call(usual, row);
  });
  given.forEach((one, row) => (inner[row] = one));

  const table = (count: number) => uniforms(random, rows, count);
  const rowOf = ({ data, shape }: Tensor, row: number) =>
    Array.from(data.slice(row * shape[1], (row + 1) * shape[1]));
  const begin = compile((drawn: Tensor) => {
    const state = game.start(rows, drawn);
    return { state, screen: screenOf(game.paint(state)) };
  });
  const play = compile((state: S, action: Tensor, frame: Tensor, drawn: Tensor) => {
    const next = game.play(state, action, frame);
    const fresh = game.start(rows, drawn);
    const entries = Object.entries<Tensor>(next.state).map(([name, t]) => {
      const over = next.terminated.reshape(t.shape.map((d, axis) => (axis === 0 ? d : 1)));
      return [name, where(over, fresh[name], t)];
    });
    const kept: S = Object.fromEntries(entries);
    const last = screenOf(game.paint(next.state));
    return { ...next, kept, last, screen: screenOf(game.paint(kept)) };
  });

  let drawn = table(game.draws.start);
  for (let row = 0; row < rows; row++) starts[row] = rowOf(drawn, row);
  usual.reset();
  const { state: first, screen } = begin(drawn);
  let state = first;
  const counts: Record<string, number> = {};
  let difference = equalBytes(screen, usual.observation) ? undefined : "the first screen";
  for (let t = 0; t < steps && !difference; t++) {
    const frame = table(game.draws.frame);
    drawn = table(game.draws.start);
    for (let row = 0; row < rows; row++)
      if (random.chance(0.02)) disturb?.(state, Reflect.get(usual, "state") as U, row, random);
    const before = Array.from({ length: rows }, (_, row) => rowState(state, row));
    const action = Int32Array.from(before, (one) => act(one, random));
    for (let row = 0; row < rows; row++) {
      starts[row] = rowOf(drawn, row);
      // The first number is the one that decides whether the last action is repeated.
      given[row].queue = [1, ...used(rowOf(frame, row), before[row])];
    }
    usual.step(tensor(action));
    const next = play(state, tensor(action), frame, drawn);
    for (let row = 0; row < rows; row++) {
      const ended = next.terminated.data[row] === 1;
      for (const event of events(before[row], rowState(next.state, row), next.reward.data[row], ended))
        counts[event] = (counts[event] ?? 0) + 1;
      if (next.reward.data[row] !== usual.reward.data[row]) difference = `the reward in step ${t}`;
      if (ended !== (usual.terminated.data[row] === 1)) difference = `the end in step ${t}`;
      if (ended && !equalBytes(next.last, usual.final, row)) difference = `the last screen in step ${t}`;
    }
    if (!equalBytes(next.screen, usual.observation)) difference = `the screen in step ${t}`;
    state = next.kept;
  }
  return { difference, counts };
}

function equalBytes(a: Tensor, b: Tensor, row?: number): boolean {
  const size = a.size / a.shape[0];
  const [from, to] = row === undefined ? [0, a.size] : [row * size, (row + 1) * size];
  for (let i = from; i < to; i++) if (a.data[i] !== b.data[i]) return false;
  return true;
}

function rowState(state: Columns, row: number): RowState {
  const entries = Object.entries(state).map(([name, t]) => {
    const width = t.size / t.shape[0];
    return [name, width === 1 ? t.data[row] : Array.from(t.data.slice(row * width, (row + 1) * width))];
  });
  return Object.fromEntries(entries);
}
