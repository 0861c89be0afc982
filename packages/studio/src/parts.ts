import type { RemoteCommand, RunState } from "@reins/core/directory";
import type { RecipeBook } from "./recipe-wire.ts";
import type { RunStarter } from "./start.ts";

/** What the studio is told to use that is not its own: it knows run directories, and others know more. */
export interface StudioParts {
  /** Tells a run that goes on something, and waits for its answer. */
  ask?(path: string, command: RemoteCommand): Promise<{ readonly done: string; readonly state: RunState }>;
  /** What is probably wrong with a run, found out by bringing it back. */
  diagnose?(path: string): Promise<unknown>;
  /** The recipe book. */
  readonly recipes?: RecipeBook;
  /** Resumes runs and repeats them. */
  readonly starter?: RunStarter;
  /** The folder of searches for settings; `tuning` by default. */
  readonly tunings?: string;
  /** The command that trains with the settings of a trial, as it is typed. `setup` is what the search wrote about all its trials. */
  trainCommand?(
    setup: Readonly<Record<string, unknown>>,
    settings: Readonly<Record<string, unknown>>,
  ): string | undefined;
}
