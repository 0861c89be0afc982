import type { Metrics, Run } from "@reins/core";
import { LogSchedule, type RunConfig, type RunDirectory } from "@reins/core/directory";
import { printable } from "@reins/core/errors";
import type { EvaluationObserver } from "@reins/core/evaluations";
import type { Source } from "../places/source.ts";
import { AgentWriter } from "./agent-writer.ts";
import { openChannel } from "./channel.ts";
import { EpisodeRecordings } from "./episode-recordings.ts";
import { evaluatedReturn } from "./evaluations.ts";
import { LinesFile } from "./lines-file.ts";
import { type Obedient, type Remote, settingMetric } from "./remote.ts";
import { sampleKind } from "./sample-file.ts";
import { isLanguageRun } from "./samples.ts";
import type { RowSource, SinkRun } from "./sink.ts";
import { type Targets, targetsIn } from "./targets.ts";
import { transcriptKind } from "./transcript-file.ts";

/** Warnings contain paths and errors, which may hold any characters. */
const warn = (message: string): void => console.warn(printable(message));

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
  private readonly agentSchedule: LogSchedule;
  private readonly agents: AgentWriter;
  private readonly recordings: EpisodeRecordings;
  /** Samples and transcripts of a language run. */
  private readonly texts: readonly Pick<LinesFile<never>, "round">[] = [];
  private rounds = 0;
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
    this.agentSchedule = new LogSchedule(steps, this.schedule.checkpoints);
    this.agentSchedule.resume(run.steps);
    if (isLanguageRun(run) && !directory.isOver) {
      const { samplesEvery } = directory.config;
      this.texts = [
        new LinesFile(run, directory.path, sampleKind, samplesEvery),
        new LinesFile(run, directory.path, transcriptKind, samplesEvery),
      ];
    }
    // Episodes that take place in environments may be rendered.
    const isStepped = env.make !== undefined;
    this.recordings = new EpisodeRecordings(run, directory, isStepped);
    const { savable } = env;
    this.agents = new AgentWriter(run, directory, { savable, enabled: isStepped || env.stage !== undefined });
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
    if (this.agentSchedule.due(run.steps) || (++this.rounds % 64 === 0 && this.agents.isOld))
      this.agents.write("last");
  }

  log(): void {
    const { directory, run } = this;
    directory.log(run.steps, run.row);
  }

  /** Saves the current state and agent. */
  save(): void {
    this.stop(false);
    this.agents.write("last");
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

  /** The observer that records an episode of an evaluation, if a recording is due. */
  spectator(last = false): EvaluationObserver | undefined {
    return this.recordings.observer(last);
  }

  private writeEpisode(): void {
    const note = this.recordings.write();
    if (note !== undefined) this.notes.push(note);
  }

  /** Records an evaluation during training in a row of its own. The best agent so far is saved. */
  evaluated(metrics: Metrics): void {
    const { directory, run } = this;
    this.best ??= bestIn(directory.metrics());
    directory.log(run.steps, metrics);
    this.writeEpisode();
    if (!(metrics[evaluatedReturn] > this.best)) return;
    this.best = metrics[evaluatedReturn];
    this.agents.write("best");
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
    this.agents.write("last");
    this.writeEpisode();
    const noted = notes.length ? { notes } : {};
    this.directory.finish({ status, steps: run.steps, metrics: run.metrics, ...noted, ...more });
  }

  /** Records an error, saves the agent and closes the directory. A failure to write must not hide the error. */
  crash(error: unknown): void {
    try {
      this.agents.writeAfterCrash();
    } catch {}
    try {
      const message = error instanceof Error ? error.message : String(error);
      this.directory.finish({ status: "crashed", steps: this.run.steps, error: message });
    } catch {}
    try {
      this.close();
    } catch {}
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
