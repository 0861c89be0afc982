import { join } from "node:path";
import type { Episode } from "../episode.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { cutEpisodes, listEpisodes, numbers, type RecordedEpisode, writeEpisode } from "./episodes.ts";
import type { Files } from "./files.ts";

/** The episodes of a run, numbered from 1. */
export class RunEpisodes {
  readonly folder: string;
  private readonly files: Files;
  private readonly checkpoints: Checkpoints;
  private readonly warn: (message: string) => void;

  constructor(path: string, files: Files, checkpoints: Checkpoints, warn: (message: string) => void) {
    this.folder = join(path, "episodes");
    this.files = files;
    this.checkpoints = checkpoints;
    this.warn = warn;
  }

  /** Number of the last episode, even if its file was lost: numbers are not reused. */
  get last(): number {
    return Math.max(numbers(this.folder).at(-1) ?? 0, this.checkpoints.head?.episodes ?? 0);
  }

  /** Writes an episode after the others. Returns its number. */
  add(episode: Episode, steps: number): number {
    const number = this.last + 1;
    writeEpisode(this.files, { folder: this.folder, number, steps, episode });
    return number;
  }

  /** The saved episodes. */
  list(): RecordedEpisode[] {
    return listEpisodes(this.folder, this.warn, Math.max(this.last, this.checkpoints.episodes()));
  }

  /** Removes the episodes recorded after the last checkpoint. */
  cut(): void {
    const { steps = -1, episodes: last } = this.checkpoints.head ?? {};
    cutEpisodes(this.files, { folder: this.folder, steps, last, warn: this.warn });
  }
}
