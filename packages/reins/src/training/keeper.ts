import { basename, parse, resolve } from "node:path";
import { type Metrics, printable, ReinsError, type Run, type Spectator } from "@reins/core";
import { type KeptAgent, LogSchedule, type RunConfig, RunDirectory } from "@reins/core/directory";
import { writeAgent } from "../agents/agent-file.ts";
import { contentOf } from "../agents/of-run.ts";
import { writeWords } from "../agents/words-file.ts";
import { EpisodeFilm } from "../pictures/episode-film.ts";
import { thoughtsOf } from "../pictures/thoughts.ts";
import type { Source } from "../places/source.ts";
import { noteTarget } from "../places/trust.ts";
import type { Assembly } from "./assembly.ts";
import { openChannel } from "./channel.ts";
import { commitAround } from "./commit.ts";
import { evaluatedReturn } from "./evaluations.ts";
import { LinesFile } from "./lines-file.ts";
import { type Obedient, type Remote, settingMetric } from "./remote.ts";
import { sampleKind } from "./sample-file.ts";
import { inWords } from "./samples.ts";
import type { RowSource, SinkRun } from "./sink.ts";
import { type Targets, targetsIn } from "./targets.ts";
import { transcriptKind } from "./transcript-file.ts";

/** Where a run is kept: at a path, or in the next free folder of its name under a root. */
export type KeptAt = { readonly path: string; readonly overwrite?: boolean } | { readonly root: string };

/** Begins to keep a new run. `command` is what was typed to begin it. */
export function keep(run: Run, { place, config }: Assembly, where: KeptAt, command?: string): Keeper {
  // Found again from wherever the run goes on.
  const targets = targetsIn(config, resolve);
  const commit = commitAround();
  const began = {
    ...(command === undefined ? {} : { command }),
    ...(commit === undefined ? {} : { commit }),
  };
  const kept = { ...config, ...targets, ...began };
  const claimed = (path: string) => {
    for (const folder of Object.values(targets)) noteTarget(path, folder);
  };
  const directory =
    "path" in where
      ? RunDirectory.create(where.path, kept, { overwrite: where.overwrite, claimed })
      : RunDirectory.next(kept, { ...where, claimed, label: labelOf(config) });
  return new Keeper(run, place, directory);
}

/** How a run's directory names its task: by the file it comes from, else by the environment's id. */
function labelOf({ env, module }: Assembly["config"]): string {
  if (typeof module !== "string") return env;
  const { name, dir } = parse(module);
  return name === "index" ? basename(dir) : name;
}
/** Warnings name paths and errors, which may hold anything. */
const warn = (message: string): void => console.warn(printable(message));

/** Episodes that are recorded of a run, one in each share of its steps, beside the last. */
const films = 10;

/** Milliseconds after which the agent is written in any case. */
const patience = 5 * 60_000;

/**
 * Keeps a run in its directory while it goes on: rows of metrics, checkpoints, and how it ended. Rows follow steps alone, so that the
 * same run has the same rows. When a checkpoint is written changes nothing, so that follows the clock unless steps are asked for.
 */
export class Keeper implements RowSource, Obedient {
  private readonly run: Run;
  private readonly directory: RunDirectory;
  private readonly savable: boolean;
  private readonly schedule: { readonly rows: number; readonly checkpoints: number };
  private readonly rows: LogSchedule;
  private readonly agents: LogSchedule;
  /** Whether there is an agent that a file can hold. */
  private keepsAgent: boolean;
  /** Samples and transcripts of a run of a language model. */
  private readonly texts: readonly Pick<LinesFile<never>, "round">[] = [];
  private agentKept = performance.now();
  private rounds = 0;
  /** Whether episodes are played in environments, which may be drawn. */
  private films: boolean;
  /** What is being recorded. */
  private film: EpisodeFilm | undefined;
  /** The steps of the run when an episode was last recorded; -1 before the first. */
  private filmed: number | undefined;
  /** What whoever reads of the run should know. */
  private readonly notes: string[] = [];
  /** Ends listening. */
  private silence: (() => void) | undefined;
  /** The highest return that the agent was measured by on the way. */
  private best: number | undefined;

  constructor(run: Run, env: Source, directory: RunDirectory) {
    const { steps } = run.options;
    const { checkpointEvery } = directory.config;
    this.run = run;
    this.directory = directory;
    this.savable = env.savable;
    // One at the end in any case, and one every few minutes.
    this.schedule = { rows: 200, checkpoints: checkpointEvery ? Math.max(1, steps / checkpointEvery) : 1 };
    this.rows = new LogSchedule(steps, this.schedule.rows, true);
    this.agents = new LogSchedule(steps, this.schedule.checkpoints);
    this.agents.resume(run.steps);
    if (inWords(run) && !directory.isOver) {
      const { samplesEvery } = directory.config;
      this.texts = [
        new LinesFile(run, directory.path, sampleKind, samplesEvery),
        new LinesFile(run, directory.path, transcriptKind, samplesEvery),
      ];
    }
    this.films = env.make !== undefined;
    this.keepsAgent = (this.films || env.stage !== undefined) && run.process.acting !== undefined;
  }

  /** What was asked for when it began and is done again when it goes on. */
  get wishes(): Pick<RunConfig, "evalEpisodes" | "evalEvery" | "solved"> {
    return this.directory.config;
  }

  /** The folders that what learned in words is to be written to when it ends, as its configuration says. */
  get targets(): Targets {
    return targetsIn(this.directory.config);
  }

  /** What others who get its rows must know of it: rows are those that still hold, if it goes on. */
  get about(): SinkRun {
    const { directory } = this;
    return { name: directory.name, config: directory.config, rows: directory.metrics() };
  }

  /** Tells somebody else of every row, too. */
  onRow(listener: NonNullable<RunDirectory["onRow"]>): void {
    this.directory.onRow = listener;
  }

  get path(): string {
    return this.directory.path;
  }

  /** Whether the run is finished, so that nothing is left to do or to write. */
  get isOver(): boolean {
    return this.directory.isOver;
  }

  /** After every round; cheap where nothing is due. */
  round(): void {
    const { directory, run } = this;
    // Before a checkpoint of this step: a run that is killed in between would go on without them.
    for (const file of this.texts) file.round();
    if (this.savable) directory.record(run, this.schedule);
    else if (this.rows.due(run.steps)) this.log();
    if (
      this.agents.due(run.steps) ||
      (++this.rounds % 64 === 0 && performance.now() - this.agentKept > patience)
    )
      this.keepAgent("last");
  }

  /** Writes a row now. */
  log(): void {
    const { directory, run } = this;
    directory.log(run.steps, run.row);
  }

  /** Keeps the state and the agent as they are now. */
  save(): void {
    this.stop(false);
    this.keepAgent("last");
  }

  /** Notes that a setting was changed from outside, in a row of its own. */
  changed(setting: string, value: number): void {
    this.directory.log(this.run.steps, { [settingMetric(setting)]: value });
  }

  /** Settings that were changed from outside before the run went on from here, and still are. */
  changes(): string[] {
    const found = new Map<string, string>();
    for (const { step, ...row } of this.directory.metrics()) {
      const [only, more] = Object.keys(row);
      // Other rows say where settings are that move by themselves.
      if (more !== undefined) continue;
      for (const name of Object.keys(this.run.process.settings))
        if (only === settingMetric(name))
          found.set(name, `${name} is ${row[only]}, as it was set at step ${step}`);
    }
    return [...found.values()];
  }

  /** Listens in the run's folder for what it is told from outside, until it is closed. */
  listen(remote: Remote): void {
    this.silence = openChannel(this.path, (command) => remote.receive(command), warn);
  }

  /** Who looks on while the agent is measured and records an episode, by steps alone: the same run records the same ones. */
  spectator(last = false): Spectator | undefined {
    const { run, directory } = this;
    this.film = undefined;
    if (!this.films) return undefined;
    this.filmed ??= directory.episodes().at(-1)?.steps ?? -1;
    const share = (steps: number) => Math.floor((films * steps) / run.options.steps);
    const due = last ? this.filmed < run.steps : share(run.steps) > share(this.filmed);
    const { acting } = run.process;
    if (due)
      this.film = new EpisodeFilm((views) => (acting ? thoughtsOf(acting, run.options.env.spec, views) : {}));
    return this.film;
  }

  /** Writes the episode that was recorded, if there is one. An environment that cannot be drawn is not asked again. */
  private keepEpisode(): void {
    const { film, run, directory } = this;
    this.film = undefined;
    if (film?.fault !== undefined) {
      this.films = false;
      this.notes.push(`No episode was recorded: ${run.options.env.spec.id}: ${film.fault}`);
    }
    if (!film?.episode) return;
    directory.recordEpisode(film.episode, run.steps);
    this.filmed = run.steps;
  }

  /** Notes what the agent was measured by on the way, in a row of its own. The best one so far is kept in a file. */
  evaluated(metrics: Metrics): void {
    const { directory, run } = this;
    this.best ??= bestIn(directory.metrics());
    directory.log(run.steps, metrics);
    this.keepEpisode();
    if (!(metrics[evaluatedReturn] > this.best)) return;
    this.best = metrics[evaluatedReturn];
    this.keepAgent("best");
  }

  /** Writes the agent as it is now to a file of its own. That its policy cannot be written is said once. */
  keepAgent(which: KeptAgent): void {
    // The last one of a run in words is in its checkpoint, which is large enough.
    if (!this.keepsAgent || (which === "last" && inWords(this.run))) return;
    this.agentKept = performance.now();
    let bytes: Uint8Array;
    try {
      bytes = this.bytesOfAgent();
    } catch (error) {
      if (!(error instanceof ReinsError)) throw error;
      this.keepsAgent = false;
      warn(`${this.path}: no agent is kept beside the checkpoints. ${error.message}`);
      return;
    }
    this.directory.keepAgent(which, bytes);
  }

  private bytesOfAgent(): Uint8Array {
    const { run, savable } = this;
    const { process, steps, options } = run;
    if (inWords(run) && process.acting)
      return writeWords(process.acting.weights, { algorithm: options.algorithm.name, steps });
    // Where there is no checkpoint, what training needs is in the agent's file.
    return writeAgent(contentOf(run, !savable));
  }

  /** Before the end of the budget: the state must be kept where it stopped. A row is written only if nothing will come after. */
  stop(final: boolean): void {
    const { directory, run } = this;
    if (final && directory.metrics().at(-1)?.step !== run.steps) this.log();
    if (this.savable) directory.checkpoint(run);
  }

  /** Notes how it ended. */
  finish(status: "finished" | "stopped", more: { readonly [name: string]: unknown }): void {
    const { run, notes } = this;
    this.keepAgent("last");
    this.keepEpisode();
    const noted = notes.length ? { notes } : {};
    this.directory.finish({ status, steps: run.steps, metrics: run.metrics, ...noted, ...more });
  }

  /** Notes what went wrong and gives the directory back, with the agent as it was. That it cannot be written must not hide why. */
  crash(error: unknown): void {
    try {
      this.keepSurvivor();
    } catch {}
    try {
      const message = error instanceof Error ? error.message : String(error);
      this.directory.finish({ status: "crashed", steps: this.run.steps, error: message });
    } catch {}
    try {
      this.close();
    } catch {}
  }

  /**
   * Keeps the agent of a run that breaks off, with what training needs: a checkpoint cannot be made in the middle of a round, and there may be none before.
   * Weights that are destroyed take nobody's place.
   */
  private keepSurvivor(): void {
    const { run } = this;
    if (!this.keepsAgent || run.rounds === 0) return;
    const content = contentOf(run, true);
    const whole = [...content.policy.tensors.values()].every((t) => t.data.every(Number.isFinite));
    if (whole) this.directory.keepAgent("last", writeAgent(content));
  }

  close(): void {
    this.silence?.();
    this.silence = undefined;
    this.directory.close();
  }
}

/** The highest return of an evaluation among rows of metrics. */
function bestIn(rows: readonly Metrics[]): number {
  return rows.reduce((best, row) => Math.max(best, row[evaluatedReturn] ?? best), Number.NEGATIVE_INFINITY);
}
