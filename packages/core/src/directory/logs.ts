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
  /** The step that the run goes on from; what was logged after it is removed. Absent for a new run. */
  readonly from?: number;
  /** The rows of metrics that there were then. */
  readonly known?: Written;
  /** Told what is lost of them. */
  readonly warn: (message: string) => void;
  /** When this process took the run up, by `performance.now()`: what is spent on it counts from there, and not from its first row. */
  readonly began: number;
}

/**
 * What a run writes while it runs: `metrics.jsonl`, the same for the same run wherever and however often interrupted; `times.jsonl`
 * with the wall-clock times of its rows; and TensorBoard's events.
 */
export class Logs {
  private readonly metrics: LineFile;
  private readonly times: LineFile;
  private readonly events: EventWriter | undefined;
  private readonly text = new JsonText();
  private readonly time = { at: 0, seconds: 0, cpu: 0, memory: 0 };
  /** Processor time as of the last row; at first that since the process began, which is time 0. */
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

  /** Writes a row of metrics. Steps must not fall. */
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

  /** What the process took since the last row: cores' worth of processor time, and bytes of memory. */
  private noteLoad(): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.load.cpu);
    this.time.cpu = Math.round((user + system) / Math.max(1, now - this.load.at)) / 1000;
    this.time.memory = process.memoryUsage.rss();
    this.load = { cpu: process.cpuUsage(), at: now };
  }

  /** The rows of metrics so far, to be known again. */
  get written(): Written {
    return this.metrics.written;
  }

  /** Waits until all of it is on the disk: a checkpoint must not be more durable than the rows before it. */
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
