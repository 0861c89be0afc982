import type { RemoteCommand, RunState } from "@reins/core/directory";
import type { RecipeBook } from "./recipe-wire.ts";
import type { RunStarter } from "./start.ts";

/** Parts of the studio that its caller provides. */
export interface StudioParts {
  /** Sends a command to a run in training, and waits for its answer. */
  control?(
    path: string,
    command: RemoteCommand,
  ): Promise<{ readonly done: string; readonly state: RunState }>;
  /** Diagnoses a run from its last checkpoint. */
  diagnose?(path: string): Promise<unknown>;
  /** The recipe book. */
  readonly recipes?: RecipeBook;
  /** Resumes runs and repeats them. */
  readonly starter?: RunStarter;
  /** The folder of hyperparameter searches (default `tuning`). */
  readonly tunings?: string;
  /** The command that trains with the settings of a trial. `setup` is the configuration that all trials of the search share. */
  trainCommand?(
    setup: Readonly<Record<string, unknown>>,
    settings: Readonly<Record<string, unknown>>,
  ): string | undefined;
}
