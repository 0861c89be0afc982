import { basename, parse, resolve } from "node:path";
import { type Metrics, ReinsError, type Run } from "@reins/core";
import { LogSchedule, type RunConfig, RunDirectory, type StoredAgent } from "@reins/core/directory";
import { printable } from "@reins/core/errors";
import type { EvaluationObserver } from "@reins/core/evaluations";
import { writeAgent } from "../agents/agent-file.ts";
import { writeLanguageWeights } from "../agents/language-file.ts";
import { contentOf } from "../agents/run-content.ts";
import { EpisodeFilm } from "../pictures/episode-film.ts";
import { policyOutputs } from "../pictures/thoughts.ts";
import type { Source } from "../places/source.ts";
import { noteTarget } from "../places/trust.ts";
import type { Assembly } from "./assembly.ts";
import { openChannel } from "./channel.ts";
import { commitAround } from "./commit.ts";
import { evaluatedReturn } from "./evaluations.ts";
import { LinesFile } from "./lines-file.ts";
import { type Obedient, type Remote, settingMetric } from "./remote.ts";
import { sampleKind } from "./sample-file.ts";
import { isLanguageRun } from "./samples.ts";
import type { RowSource, SinkRun } from "./sink.ts";
import { type Targets, targetsIn } from "./targets.ts";
import { transcriptKind } from "./transcript-file.ts";

/** Where to write a run: a path, or the next free folder under a root. */
export type KeptAt = { readonly path: string; readonly overwrite?: boolean } | { readonly root: string };

/** Creates the directory of a new run. `command` is the command line that started it. */
export function openRunWriter(
  run: Run,
  { place, config }: Assembly,
  where: KeptAt,
  command?: string,
): RunWriter {
  // Absolute, so that the run can be resumed from any folder.
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
  return new RunWriter(run, place, directory);
}

/** The label of a run's directory: the name of its task file, or the environment's id. */
function labelOf({ env, module }: Assembly["config"]): string {
  if (typeof module !== "string") return env;
  const { name, dir } = parse(module);
  return name === "index" ? basename(dir) : name;
}
/** Warnings contain paths and errors, which may hold any characters. */
const warn = (message: string): void => console.warn(printable(message));

/** Episodes recorded per run, evenly over its steps, beside the last. */
const films = 10;

/** Milliseconds after which the agent is written in any case. */
const patience = 5 * 60_000;

/**
 * Writes a running run to its directory: metrics, checkpoints, agents, episodes and the summary. Rows depend on steps only, so that
 * the same run has the same rows. Checkpoints do not affect the run, so they follow the clock unless a number of steps is given.
 */
export class RunWriter implements RowSource, Obedient {
  private readonly run: Run;
  private readonly directory: RunDirectory;
  private readonly savable: boolean;
  private readonly schedule: { readonly rows: number; readonly checkpoints: number };
  private readonly rows: LogSchedule;
  private readonly agents: LogSchedule;
  /** Whether the agent can be written to a file. */
  private keepsAgent: boolean;
  /** Samples and transcripts of a language run. */
  private readonly texts: readonly Pick<LinesFile<never>, "round">[] = [];
  private agentKept = performance.now();
  private rounds = 0;
  /** Whether episodes take place in environments, which may be rendered. */
  private films: boolean;
  /** The recording in progress. */
  private film: EpisodeFilm | undefined;
  /** Steps of the run at the last recording; -1 before the first. */
  private filmed: number | undefined;
  /** Notes for the summary. */
  private readonly notes: string[] = [];
  /** Closes the control channel. */
  private silence: (() => void) | undefined;
  /** Highest mean return of the evaluations during training. */
  private best: number | undefined;

  constructor(run: Run, env: Source, directory: RunDirectory) {
    const { steps } = run.options;
    const { checkpointEvery } = directory.config;
    this.run = run;
    this.directory = directory;
    this.savable = env.savable;
    // Always one at the end, and one every few minutes.
    this.schedule = { rows: 200, checkpoints: checkpointEvery ? Math.max(1, steps / checkpointEvery) : 1 };
    this.rows = new LogSchedule(steps, this.schedule.rows, true);
    this.agents = new LogSchedule(steps, this.schedule.checkpoints);
    this.agents.resume(run.steps);
    if (isLanguageRun(run) && !directory.isOver) {
      const { samplesEvery } = directory.config;
      this.texts = [
        new LinesFile(run, directory.path, sampleKind, samplesEvery),
        new LinesFile(run, directory.path, transcriptKind, samplesEvery),
      ];
    }
    this.films = env.make !== undefined;
    this.keepsAgent = (this.films || env.stage !== undefined) && run.process.acting !== undefined;
  }

  /** Options of the first start that a resumed run keeps. */
  get wishes(): Pick<RunConfig, "evalEpisodes" | "evalEvery" | "solved"> {
    return this.directory.config;
  }

  /** Folders for the language model and adapters at the end of the run, from its configuration. */
  get targets(): Targets {
    return targetsIn(this.directory.config);
  }

  /** The run as sinks see it; `rows` are those up to the checkpoint if it was resumed. */
  get about(): SinkRun {
    const { directory } = this;
    return { name: directory.name, config: directory.config, rows: directory.metrics() };
  }

  /** Adds a listener for rows. */
  onRow(listener: NonNullable<RunDirectory["onRow"]>): void {
    this.directory.onRow = listener;
  }

  get path(): string {
    return this.directory.path;
  }

  /** Whether the run is finished, so that nothing is left to compute or write. */
  get isOver(): boolean {
    return this.directory.isOver;
  }

  /** Called after every round; cheap if nothing is due. */
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

  log(): void {
    const { directory, run } = this;
    directory.log(run.steps, run.row);
  }

  /** Saves the current state and agent. */
  save(): void {
    this.stop(false);
    this.keepAgent("last");
  }

  /** Records a setting that was changed by a command, in a row of its own. */
  changed(setting: string, value: number): void {
    this.directory.log(this.run.steps, { [settingMetric(setting)]: value });
  }

  /** Settings that commands changed before the run was resumed, and that still hold. */
  changes(): string[] {
    const found = new Map<string, string>();
    for (const { step, ...row } of this.directory.metrics()) {
      const [only, more] = Object.keys(row);
      // Scheduled settings appear in other rows.
      if (more !== undefined) continue;
      for (const name of Object.keys(this.run.process.settings))
        if (only === settingMetric(name))
          found.set(name, `${name} is ${row[only]}, as it was set at step ${step}`);
    }
    return [...found.values()];
  }

  /** Opens the control channel until the run is closed. */
  listen(remote: Remote): void {
    this.silence = openChannel(this.path, (command) => remote.receive(command), warn);
  }

  /** The observer that records an episode of an evaluation. Depends on steps only: the same run records the same episodes. */
  spectator(last = false): EvaluationObserver | undefined {
    const { run, directory } = this;
    this.film = undefined;
    if (!this.films) return undefined;
    this.filmed ??= directory.episodes().at(-1)?.steps ?? -1;
    const share = (steps: number) => Math.floor((films * steps) / run.options.steps);
    const due = last ? this.filmed < run.steps : share(run.steps) > share(this.filmed);
    const { acting } = run.process;
    if (due)
      this.film = new EpisodeFilm((views) =>
        acting ? policyOutputs(acting, run.options.env.spec, views) : {},
      );
    return this.film;
  }

  /** Writes the recorded episode, if any. An environment that cannot be rendered is not recorded again. */
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

  /** Records an evaluation during training in a row of its own. The best agent so far is saved. */
  evaluated(metrics: Metrics): void {
    const { directory, run } = this;
    this.best ??= bestIn(directory.metrics());
    directory.log(run.steps, metrics);
    this.keepEpisode();
    if (!(metrics[evaluatedReturn] > this.best)) return;
    this.best = metrics[evaluatedReturn];
    this.keepAgent("best");
  }

  /** Writes the current agent to a file. Warns once if its policy cannot be written. */
  keepAgent(which: StoredAgent): void {
    // The last agent of a language run is in its checkpoint, which is large enough.
    if (!this.keepsAgent || (which === "last" && isLanguageRun(this.run))) return;
    this.agentKept = performance.now();
    let bytes: Uint8Array;
    try {
      bytes = this.bytesOfAgent();
    } catch (error) {
      if (!(error instanceof ReinsError)) throw error;
      this.keepsAgent = false;
      warn(`${this.path}: no agent is saved beside the checkpoints. ${error.message}`);
      return;
    }
    this.directory.keepAgent(which, bytes);
  }

  private bytesOfAgent(): Uint8Array {
    const { run, savable } = this;
    const { process, steps, options } = run;
    if (isLanguageRun(run) && process.acting)
      return writeLanguageWeights(process.acting.weights, { algorithm: options.algorithm.name, steps });
    // Without checkpoints the agent file holds the training state.
    return writeAgent(contentOf(run, !savable));
  }

  /** Stops before the end of the budget: saves the state. A row is written only if nothing follows. */
  stop(final: boolean): void {
    const { directory, run } = this;
    if (final && directory.metrics().at(-1)?.step !== run.steps) this.log();
    if (this.savable) directory.checkpoint(run);
  }

  /** Writes the summary. */
  finish(status: "finished" | "stopped", more: { readonly [name: string]: unknown }): void {
    const { run, notes } = this;
    this.keepAgent("last");
    this.keepEpisode();
    const noted = notes.length ? { notes } : {};
    this.directory.finish({ status, steps: run.steps, metrics: run.metrics, ...noted, ...more });
  }

  /** Records an error, saves the agent and closes the directory. A failure to write must not hide the error. */
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
   * Saves the agent of a crashed run with its training state: no checkpoint can be made in the middle of a round, and there may be no earlier one.
   * Weights that are NaN do not replace saved ones.
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

/** The highest mean return of an evaluation among rows of metrics. */
function bestIn(rows: readonly Metrics[]): number {
  return rows.reduce((best, row) => Math.max(best, row[evaluatedReturn] ?? best), Number.NEGATIVE_INFINITY);
}
