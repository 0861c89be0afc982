import type { Frame } from "../../src/wire.ts";

/** What the page tells the worker that trains. */
export type Told =
  | {
      readonly do: "begin";
      /** The id of a task; that of the agent, if absent. */
      readonly task?: string;
      readonly seed: number;
      /** Steps to take, instead of the task's own number. */
      readonly steps?: number;
      /** An agent to go on from. */
      readonly from?: Uint8Array;
    }
  | { readonly do: "set"; readonly setting: string; readonly value: number }
  /** Steps a second at most; null: as many as there can be. */
  | { readonly do: "pace"; readonly stepsPerSecond: number | null }
  /** Plays fresh episodes, as `reins eval` does. */
  | { readonly do: "measure"; readonly episodes: number; readonly seed: number }
  /** `more` goes on after the end, for as many steps again. */
  | { readonly do: "pause" | "go" | "stop" | "save" | "more" };

/** A moment of an episode that is watched. */
export interface Moment extends Frame {
  /** Episodes that were watched before. */
  readonly episode: number;
  readonly step: number;
  /** Return of the episode before, once there was one. */
  readonly last?: number;
}

/** A problem in words, and what was answered. */
export interface Answer {
  readonly prompt: string;
  readonly answer: string;
  readonly right: string;
  readonly score: number;
}

/** How training goes. */
export interface LessonProgress {
  readonly steps: number;
  readonly budget: number;
  readonly return: number;
  readonly seconds: number;
  readonly stepsPerSecond: number;
  readonly settings: Readonly<Record<string, number>>;
}

/** What the worker says to the page. */
export type Said =
  | { readonly kind: "begins"; readonly task: string }
  | ({ readonly kind: "progress" } & LessonProgress)
  /** A row of metrics, for curves. */
  | { readonly kind: "row"; readonly step: number; readonly metrics: Readonly<Record<string, number>> }
  | { readonly kind: "frames"; readonly frames: readonly Moment[] }
  /** Answers to problems that training never sees, and a share of all that are right. */
  | { readonly kind: "answers"; readonly answers: readonly Answer[] }
  | { readonly kind: "measured"; readonly mean: number; readonly episodes: number }
  | { readonly kind: "saved"; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "ended"; readonly how: "finished" | "stopped" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };
