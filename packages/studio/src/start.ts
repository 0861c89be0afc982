/** What a run is started as: on from its checkpoint, or anew with its configuration. */
export type StartRequest =
  | {
      readonly do: "resume";
      /** Environment steps in all; more than before extend the run. */
      readonly steps?: number;
    }
  | {
      readonly do: "train";
      readonly seed?: number;
      /** Settings that differ from those of the run, as they are typed. */
      readonly settings?: Readonly<Record<string, string>>;
    };

/** What a request would do. */
export interface StartPlan {
  /** The command, as it is typed. */
  readonly command: string;
  /** Files of code beside Reins' own that it runs. */
  readonly code: readonly string[];
  /** Why it is not started from here. */
  readonly refused?: string;
}

/** Starts runs as the command line does. */
export interface RunStarter {
  plan(path: string, request: StartRequest): Promise<StartPlan>;
  /** Starts it; resolves to the name of the run once it trains. */
  start(path: string, request: StartRequest): Promise<{ readonly name: string }>;
}
