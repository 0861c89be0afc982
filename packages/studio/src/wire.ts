/** What the server and the page say to each other. Numbers that JSON lacks are null. */

import type { RunStatus } from "@reins/core/directory";

/** The value of a setting or of a metric; null where it is not known. */
export type FieldValue = number | string | null;

/** A run in the list. */
export interface RunLine {
  readonly name: string;
  /** How it stands. `unreadable` is what is no run, or not any more. */
  readonly state: RunStatus | "unreadable";
  /** Why it cannot be read, or what it died of. */
  readonly problem?: string;
  readonly algorithm: string;
  readonly env: string;
  readonly seed: number;
  /** Settings as they were typed, which tell runs of one algorithm and environment apart. */
  readonly given: string;
  readonly steps: number;
  readonly budget: number;
  /** Mean return of the last episodes of training, and of the trained agent over fresh ones. */
  readonly return: number | null;
  readonly fresh: number | null;
  readonly seconds: number;
  readonly stepsPerSecond: number | null;
  /** Seconds that a run in progress will take, about. */
  readonly left: number | null;
  readonly created: string;
  readonly tags: readonly string[];
  readonly note: string;
  /** The version of the note and tags, to be given back with changes to them. */
  readonly notesVersion: number;
  /** The same for runs that differ in the seed alone. */
  readonly group: string;
  /** The lowest and the highest return of an episode, where the environment knows them. */
  readonly returnBounds?: readonly [number, number];
  /** Settings and metrics that were asked for; those that the run does not have are missing. */
  readonly fields?: Readonly<Record<string, FieldValue>>;
}

/** Settings and metrics that runs can be filtered by and shown with. */
export interface FieldNames {
  /** Settings, and how many different values the runs have of each. */
  readonly settings: readonly { readonly name: string; readonly values: number }[];
  readonly metrics: readonly string[];
}

/** The list, as far as it is known by now. */
export interface RunListing {
  readonly root: string;
  readonly runs: readonly RunLine[];
  /** Runs that were not looked at yet. */
  readonly waiting: number;
  /** Names of deleted runs, which can be brought back. */
  readonly deleted: readonly string[];
}

/** The note and tags of a run. */
export interface Marks {
  readonly tags: readonly string[];
  readonly note: string;
  /** Rises with every change. */
  readonly version: number;
}

/** One metric of a run, and what it means. */
export interface MetricName {
  readonly name: string;
  readonly about?: string;
  readonly unit?: string;
}

/** All that there is to know of a run, but for its curves. */
export interface RunDetail extends RunLine {
  readonly config: Readonly<Record<string, unknown>>;
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly metrics: readonly MetricName[];
  readonly checkpoints: readonly { readonly steps: number; readonly bytes: number }[];
  readonly episodes: number;
  readonly transcripts: boolean;
  /** What was typed, to have the same run again; absent where a program began it. */
  readonly reproduce?: string;
  /** What to type for it to go on; absent where nothing was kept. */
  readonly goOn?: string;
}

/** A file of a run that can be downloaded. */
export interface RunFile {
  readonly name: string;
  readonly about: string;
  /** Null where it is made while it is downloaded. */
  readonly bytes: number | null;
}

/** What can be done with a run: downloads, and whether this studio starts runs. */
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

/** What comes before the numbers of a stretch of a log. */
export interface ColumnsHead {
  /** Numbers in each column. */
  readonly rows: number;
  /** Names of the columns, in their order. */
  readonly names: readonly string[];
  /** The byte after the last whole line, to go on from. */
  readonly next: number;
  /** What lies before that byte, as a number to be given back; null at the beginning. */
  readonly mark: number | null;
  /** Whether there is more to be read already. */
  readonly more: boolean;
  /** Whether the log is another one than it was: what was read before must be forgotten. */
  readonly anew: boolean;
  /** Lines that are no rows. */
  readonly damaged: number;
}

/** What stands in a column where a row does not have it: NaN is what a run may have measured. */
export const absent = -Number.MAX_VALUE;

/** A shape of a drawing is plain data, as environments give it. */
export interface Frame {
  readonly text?: string;
  readonly drawing?: {
    readonly width: number;
    readonly height: number;
    readonly background?: string;
    readonly shapes: readonly Readonly<Record<string, unknown>>[];
  };
}

/** An episode, to be played. */
export interface EpisodeData {
  readonly number: number;
  readonly task?: string;
  readonly return: readonly number[];
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Steps from one frame to the next. */
  readonly every: number;
  readonly frames: readonly Frame[];
  /** By name; parts of an observation are `observation.part`. */
  readonly columns: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly data: readonly (number | string)[] }>
  >;
  /** Names of the numbers of a column, or of the choices of a discrete action. */
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

/** Something that happened in a run beside its rounds. */
export interface RunEvent {
  readonly step: number;
  readonly kind: "measured" | "changed";
  readonly values: Readonly<Record<string, number | null>>;
}
