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
      /** An agent from a file, which plays, and learns on when it is told `more`. */
      readonly from?: Uint8Array;
    }
  | { readonly do: "set"; readonly setting: string; readonly value: number }
  /** Steps a second at most; null: as many as there can be. */
  | { readonly do: "pace"; readonly stepsPerSecond: number | null }
  /** Plays fresh episodes, as `reins eval` does. */
  | { readonly do: "measure"; readonly episodes: number; readonly seed: number }
  /** `more` goes on after the end, for as many steps again, or with an agent that was loaded. */
  | { readonly do: "pause" | "go" | "stop" | "save" | "more" };

/** An episode that was watched. */
export interface Played {
  readonly steps: number;
  /** Absent where it was broken off, because the agent had become better since it began. */
  readonly return?: number;
}

/** A moment of an episode that is watched. */
export interface Moment extends Frame {
  /** Episodes that were watched before, and the last of them. */
  readonly episode: number;
  readonly before: readonly Played[];
  readonly step: number;
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
  /** Settings that can be moved, and what each of them means. */
  readonly settings: Readonly<Record<string, number>>;
  readonly meanings: Readonly<Record<string, string>>;
}

/** What the worker says to the page. */
export type Said =
  /** `before` counts the steps that the agent has learned from already; one that `plays` waits to be told to learn. */
  | { readonly kind: "begins"; readonly task: string; readonly before: number; readonly plays: boolean }
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
