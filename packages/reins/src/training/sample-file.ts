import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "@reins/core";
import { LogSchedule } from "@reins/core/directory";
import { type Sample, samplesOf } from "./samples.ts";

/** A sampled answer as it is kept. */
export interface KeptSample extends Sample {
  readonly step: number;
  /** Who wrote it: a teacher, where the run imitates one. */
  readonly by: "policy" | "teacher";
}

const nameOf = (path: string) => join(path, "samples.jsonl");
/** Answers that are kept at a time. */
const count = 8;
/** How often some are kept where nobody says so. */
const times = 100;

/** Keeps some of the answers of a run in words while it goes on, by steps alone: the same run has the same file. */
export class SampleFile {
  private readonly run: Run;
  private readonly path: string;
  private readonly schedule: LogSchedule;

  constructor(run: Run, path: string, every: unknown) {
    const { steps } = run.options;
    this.run = run;
    this.path = nameOf(path);
    this.schedule = new LogSchedule(steps, typeof every === "number" ? Math.max(1, steps / every) : times);
    this.schedule.resume(run.steps);
    // What was written after the checkpoint that it goes on from comes again.
    if (!existsSync(this.path)) return;
    const kept = readSamples(path).filter((s) => s.step <= run.steps);
    writeFileSync(this.path, kept.map(lineOf).join(""));
  }

  /** After every round. */
  round(): void {
    const { run, schedule, path } = this;
    if (!schedule.due(run.steps)) return;
    const { taught, samples } = samplesOf(run, count);
    const by = taught ? "teacher" : "policy";
    appendFileSync(path, samples.map((s) => lineOf({ step: run.steps, by, ...s })).join(""));
  }
}

const lineOf = (sample: KeptSample) => `${JSON.stringify(sample)}\n`;

/** The answers that a run has kept, in the order in which they were written. Torn lines are left out. */
export function readSamples(path: string): KeptSample[] {
  if (!existsSync(nameOf(path))) return [];
  return readFileSync(nameOf(path), "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as KeptSample];
      } catch {
        return [];
      }
    });
}
