/** Types of the routes. NaN and infinities are null. */

import type { RunStatus } from "@reins/core/directory";

/** The value of a setting or metric; null if unknown. */
export type FieldValue = number | string | null;

/** A run in the list. */
export interface RunLine {
  readonly name: string;
  /** Its state; `unreadable` if it is not a valid run. */
  readonly state: RunStatus | "unreadable";
  /** Why it cannot be read, or the error of a crash. */
  readonly problem?: string;
  readonly algorithm: string;
  readonly env: string;
  readonly seed: number;
  /** The flags of its command that distinguish it from other runs. */
  readonly given: string;
  readonly steps: number;
  readonly budget: number;
  /** Mean return of the last training episodes, and of evaluation episodes. */
  readonly return: number | null;
  readonly fresh: number | null;
  readonly seconds: number;
  readonly stepsPerSecond: number | null;
  /** Estimated remaining seconds of a run in training. */
  readonly left: number | null;
  readonly created: string;
  readonly tags: readonly string[];
  readonly note: string;
  /** The version of the note and tags, to send with changes. */
  readonly notesVersion: number;
  /** Equal for runs that differ only in the seed. */
  readonly group: string;
  /** Bounds of the return, if the environment defines them. */
  readonly returnBounds?: readonly [number, number];
  /** Requested settings and metrics that the run has. */
  readonly fields?: Readonly<Record<string, FieldValue>>;
}

/** Settings and metrics for filters and columns. */
export interface FieldNames {
  /** Settings, with the number of distinct values. */
  readonly settings: readonly { readonly name: string; readonly values: number }[];
  readonly metrics: readonly string[];
}

/** The list of runs, which may be incomplete. */
export interface RunListing {
  readonly root: string;
  readonly runs: readonly RunLine[];
  /** Number of runs not read yet. */
  readonly waiting: number;
  /** Names of deleted runs, which can be restored. */
  readonly deleted: readonly string[];
}

/** The note and tags of a run. */
export interface Marks {
  readonly tags: readonly string[];
  readonly note: string;
  /** Increases with every change. */
  readonly version: number;
}

/** A metric of a run, with its description. */
export interface MetricName {
  readonly name: string;
  readonly about?: string;
  readonly unit?: string;
}

/** The details of a run, without its curves. */
export interface RunDetail extends RunLine {
  readonly config: Readonly<Record<string, unknown>>;
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly metrics: readonly MetricName[];
  readonly checkpoints: readonly { readonly steps: number; readonly bytes: number }[];
  readonly episodes: number;
  readonly transcripts: boolean;
  /** The command that reproduces the run; absent if a program started it. */
  readonly reproduce?: string;
  /** The command that resumes the run; absent without checkpoint and agent. */
  readonly goOn?: string;
}

/** A file of a run that can be downloaded. */
export interface RunFile {
  readonly name: string;
  readonly about: string;
  /** Null if it is generated during the download. */
  readonly bytes: number | null;
}

/** Actions on a run: downloads, and whether this studio can start runs. */
export interface RunActions {
  readonly files: readonly RunFile[];
  readonly starts: boolean;
}

/** An episode in the list of a run. */
export interface EpisodeLine {
  readonly number: number;
  readonly steps: number;
  readonly length: number;
  readonly return: readonly number[];
}

/** The head of a response with a part of a log. */
export interface ColumnsHead {
  /** Number of rows. */
  readonly rows: number;
  /** Names of the columns, in order. */
  readonly names: readonly string[];
  /** The byte after the last complete line, to continue from. */
  readonly next: number;
  /** A hash of the bytes before `next`, to send with the next request; null at the beginning. */
  readonly mark: number | null;
  /** Whether more rows are available. */
  readonly more: boolean;
  /** Whether the log was rewritten, so that earlier rows must be discarded. */
  readonly anew: boolean;
  /** Number of invalid lines. */
  readonly damaged: number;
}

/** Marks rows without the metric, unlike NaN, which is a measured value. */
export const absent = -Number.MAX_VALUE;

/** A shape of a drawing: plain data from the environment. */
export interface Frame {
  readonly text?: string;
  readonly drawing?: {
    readonly width: number;
    readonly height: number;
    readonly background?: string;
    readonly shapes: readonly Readonly<Record<string, unknown>>[];
  };
}

/** A recorded episode. */
export interface EpisodeData {
  readonly number: number;
  readonly task?: string;
  readonly return: readonly number[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Steps between frames. */
  readonly every: number;
  readonly frames: readonly Frame[];
  /** By name; parts of an observation are `observation.part`. */
  readonly columns: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly data: readonly (number | string)[] }>
  >;
  /** Labels of the components of a column, or of the values of a discrete action. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

/** A transcript in the list of a run. */
export interface TranscriptLine {
  readonly number: number;
  readonly step: number;
  readonly task: string;
  readonly by: "policy" | "teacher";
  /** The role whose context it shows, if not the model's. */
  readonly role?: string;
  /** A hash of the key of its problem. */
  readonly problem: string;
  readonly prompt: string;
  readonly answer: string;
  readonly reward: number | null;
  readonly score: number | null;
  /** All tokens, with those of the prompt. */
  readonly tokens: number;
  /** Tokens that enter the loss. */
  readonly trained: number;
  readonly turns: number;
  readonly failed: boolean;
}

/** An event of a run: an evaluation, or a change of settings. */
export interface RunEvent {
  readonly step: number;
  readonly kind: "measured" | "changed";
  readonly values: Readonly<Record<string, number | null>>;
}
