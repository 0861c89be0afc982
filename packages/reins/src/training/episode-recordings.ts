import type { Run } from "@reins/core";
import type { RunDirectory } from "@reins/core/directory";
import type { EvaluationObserver } from "@reins/core/evaluations";
import { EpisodeFilm } from "../pictures/episode-film.ts";
import { policyOutputs } from "../pictures/thoughts.ts";

/** Episodes recorded per run, evenly over its steps, beside the last. */
const recordingsPerRun = 10;

/** Records episodes of evaluations. Depends on steps only: the same run records the same episodes. */
export class EpisodeRecordings {
  private readonly run: Run;
  private readonly directory: RunDirectory;
  /** Whether the environment can be rendered, as far as is known. */
  private enabled: boolean;
  /** The recording in progress. */
  private film: EpisodeFilm | undefined;
  /** Steps of the run at the last recording; -1 before the first. */
  private recordedAt: number | undefined;

  constructor(run: Run, directory: RunDirectory, enabled: boolean) {
    this.run = run;
    this.directory = directory;
    this.enabled = enabled;
  }

  /** The observer that records an episode of an evaluation, if a recording is due. */
  observer(last: boolean): EvaluationObserver | undefined {
    const { run, directory } = this;
    this.film = undefined;
    if (!this.enabled) return undefined;
    this.recordedAt ??= directory.episodes().at(-1)?.steps ?? -1;
    const share = (steps: number) => Math.floor((recordingsPerRun * steps) / run.options.steps);
    const due = last ? this.recordedAt < run.steps : share(run.steps) > share(this.recordedAt);
    const { acting } = run.process;
    if (due)
      this.film = new EpisodeFilm((views) =>
        acting ? policyOutputs(acting, run.options.env.spec, views) : {},
      );
    return this.film;
  }

  /** Writes the recorded episode, if any. Returns a note if the environment cannot be rendered; it is not recorded again. */
  write(): string | undefined {
    const { film, run, directory } = this;
    this.film = undefined;
    let note: string | undefined;
    if (film?.fault !== undefined) {
      this.enabled = false;
      note = `No episode was recorded: ${run.options.env.spec.id}: ${film.fault}`;
    }
    if (film?.episode) {
      directory.recordEpisode(film.episode, run.steps);
      this.recordedAt = run.steps;
    }
    return note;
  }
}
