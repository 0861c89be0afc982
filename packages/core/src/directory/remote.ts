/** What a run can be told from outside, and nothing else. */
export type RemoteCommand =
  | { readonly do: "status" | "log" | "save" | "stop" | "pause" | "go" }
  | { readonly do: "set"; readonly setting: string; readonly value: number };

/** How a run is, as it tells others; what is not known is null. */
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
  /** Settings that have one number, as they are now. */
  readonly settings: { readonly [name: string]: number };
  readonly metrics: { readonly [name: string]: number | null };
}

/** What a command is answered with. A command that was carried out may still carry a warning. */
export type RemoteAnswer =
  | { readonly done: string; readonly warning?: string; readonly state: RunState }
  | { readonly error: string };
