import type { Frame } from "@reins/studio/wire";

/** Commands from the page to the training worker. */
export type WorkerCommand =
  | {
      readonly do: "begin";
      /** Id of a task (default: the task of the loaded agent). */
      readonly task?: string;
      readonly seed: number;
      /** Training budget (default: that of the task). */
      readonly steps?: number;
      /** An agent file. The agent plays until `more` continues its training. */
      readonly from?: Uint8Array;
    }
  | { readonly do: "set"; readonly setting: string; readonly value: number }
  /** Maximum number of steps per second; null is unlimited. */
  | { readonly do: "pace"; readonly stepsPerSecond: number | null }
  /** Runs evaluation episodes, as `reins eval` does. */
  | { readonly do: "measure"; readonly episodes: number; readonly seed: number }
  /** `more` trains for the budget once more, or trains a loaded agent. */
  | { readonly do: "pause" | "go" | "stop" | "save" | "more" };

/** A past episode. */
export interface Played {
  readonly steps: number;
  /** Absent if the episode was cut short. */
  readonly return?: number;
}

/** A frame of an episode. */
export interface EpisodeFrame extends Frame {
  /** Number of past episodes, and the last of them. */
  readonly episode: number;
  readonly before: readonly Played[];
  readonly step: number;
}

/** An answer to a problem of a language task. */
export interface Answer {
  readonly prompt: string;
  readonly answer: string;
  readonly right: string;
  readonly score: number;
}

/** Progress of training. */
export interface TrainingProgress {
  readonly steps: number;
  readonly budget: number;
  readonly return: number;
  readonly seconds: number;
  readonly stepsPerSecond: number;
  /** Settings that can be changed, and their descriptions. */
  readonly settings: Readonly<Record<string, number>>;
  readonly meanings: Readonly<Record<string, string>>;
}

/** Messages from the worker to the page. */
export type WorkerMessage =
  /** `before`: steps that the agent was trained for already. `plays`: it waits for `more` before it trains. */
  | { readonly kind: "begins"; readonly task: string; readonly before: number; readonly plays: boolean }
  | ({ readonly kind: "progress" } & TrainingProgress)
  /** A row of metrics, for curves. */
  | { readonly kind: "row"; readonly step: number; readonly metrics: Readonly<Record<string, number>> }
  | { readonly kind: "frames"; readonly frames: readonly EpisodeFrame[] }
  /** Answers to held-out problems. */
  | { readonly kind: "answers"; readonly answers: readonly Answer[] }
  | { readonly kind: "measured"; readonly mean: number; readonly episodes: number }
  | { readonly kind: "saved"; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "ended"; readonly how: "finished" | "stopped" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };
