/** Commands that a run accepts from other processes. */
export type RemoteCommand =
  | { readonly do: "status" | "log" | "save" | "stop" | "pause" | "go" }
  | { readonly do: "set"; readonly setting: string; readonly value: number };

/** State of a run as it reports it; unknown values are null. */
export interface RunState {
  readonly steps: number;
  readonly budget: number;
  readonly paused: boolean;
  /** Whether the agent is being evaluated, during which nothing is trained. */
  readonly evaluating?: boolean;
  /** Mean return of the last 100 episodes. */
  readonly return: number | null;
  readonly seconds: number;
  readonly stepsPerSecond: number | null;
  /** Current values of settings with a single number. */
  readonly settings: { readonly [name: string]: number };
  readonly metrics: { readonly [name: string]: number | null };
}

/** Answer to a command. A successful command may still carry a warning. */
export type RemoteAnswer =
  | { readonly done: string; readonly warning?: string; readonly state: RunState }
  | { readonly error: string };
