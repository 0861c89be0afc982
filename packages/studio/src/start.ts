/** A request to resume a run, or to train a new one with its configuration. */
export type StartRequest =
  | {
      readonly do: "resume";
      /** Total number of steps; more than before extends the run. */
      readonly steps?: number;
    }
  | {
      readonly do: "train";
      readonly seed?: number;
      /** Changed settings, in the syntax of the command line. */
      readonly settings?: Readonly<Record<string, string>>;
    };

/** What a start request would run. */
export interface StartPlan {
  /** The command line. */
  readonly command: string;
  /** Files of your own code that it runs. */
  readonly code: readonly string[];
  /** Why it cannot be started from the studio. */
  readonly refused?: string;
}

/** Starts runs as the command line does. */
export interface RunStarter {
  plan(path: string, request: StartRequest): Promise<StartPlan>;
  /** Starts it; resolves to the name of the run once it trains. */
  start(path: string, request: StartRequest): Promise<{ readonly name: string }>;
}
