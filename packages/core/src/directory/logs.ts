import { join } from "node:path";
import type { Metrics } from "../algorithm.ts";
import { fail } from "../errors.ts";
import { EventWriter } from "./events.ts";
import type { Files } from "./files.ts";
import { LineFile, type Written } from "./lines.ts";
import { cutEvents } from "./read-events.ts";
import { writeRow } from "./row.ts";
import { JsonText } from "./text.ts";

/** Settings of {@link Logs}. */
export interface LogOptions {
  readonly files: Files;
  readonly tensorboard: boolean;
  /** The step from which the run continues; later logs are removed. Absent for a new run. */
  readonly from?: number;
  /** The rows of metrics at that step. */
  readonly known?: Written;
  /** Called with a description of lost rows. */
  readonly warn: (message: string) => void;
  /** When this process opened the run, by `performance.now()`: time counts from there, not from the first row. */
  readonly began: number;
}

/**
 * Logs of a run: `metrics.jsonl`, the same for the same run however often it is interrupted; `times.jsonl`
 * with the wall-clock times of its rows; and TensorBoard events.
 */
export class Logs {
  private readonly metrics: LineFile;
  private readonly times: LineFile;
  private readonly events: EventWriter | undefined;
  private readonly text = new JsonText();
  private readonly time = { at: 0, seconds: 0, cpu: 0, memory: 0 };
  /** Processor time as of the last row; at first since the process began. */
  private load: { readonly cpu: NodeJS.CpuUsage; readonly at: number } = {
    cpu: { user: 0, system: 0 },
    at: 0,
  };
  /** Seconds that earlier processes spent on this run. */
  private readonly before: number;
  private readonly began: number;
  private last: number;

  constructor(path: string, { files, tensorboard, from, known, warn, began }: LogOptions) {
    this.began = began;
    this.metrics = new LineFile(join(path, "metrics.jsonl"), files);
    this.times = new LineFile(join(path, "times.jsonl"), files);
    const { last, loss } = this.metrics.cut(from ?? -1, known);
    if (loss)
      warn(
        `${this.metrics.path}: ${loss}. The checkpoint at step ${from} is intact, so the run continues from there. Readable rows are kept.`,
      );
    this.last = last?.step ?? 0;
    this.before = this.times.cut(from ?? -1).last?.seconds ?? 0;
    cutEvents(files, path, from ?? -1);
    if (tensorboard) this.events = new EventWriter(path, files, from);
  }

  /** Writes a row of metrics. Steps must not decrease. */
  log(step: number, metrics: Readonly<Metrics>): void {
    if (!(step >= this.last))
      fail("log", `step ${step} is below the last step ${this.last}; steps must not decrease.`);
    this.last = step;
    const now = Date.now();
    this.append(this.metrics, step, metrics);
    this.time.at = now / 1000;
    this.time.seconds = Math.round(this.before * 1000 + performance.now() - this.began) / 1000;
    this.noteLoad();
    this.append(this.times, step, this.time);
    this.events?.scalars(step, metrics, now);
  }

  /** Resources since the last row: processor cores and bytes of memory. */
  private noteLoad(): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.load.cpu);
    this.time.cpu = Math.round((user + system) / Math.max(1, now - this.load.at)) / 1000;
    this.time.memory = process.memoryUsage.rss();
    this.load = { cpu: process.cpuUsage(), at: now };
  }

  /** Number and digest of the rows of metrics so far. */
  get written(): Written {
    return this.metrics.written;
  }

  /** Syncs all logs to the disk: a checkpoint must not be more durable than the rows before it. */
  sync(): void {
    this.metrics.sync();
    this.times.sync();
    this.events?.sync();
  }

  /** Closes every file, even if writing the last events fails. */
  close(): void {
    this.metrics.close();
    this.times.close();
    this.events?.close();
  }

  private append(to: LineFile, step: number, numbers: Readonly<Metrics>): void {
    writeRow(this.text, step, numbers);
    to.append(this.text.bytes, this.text.length);
  }
}
