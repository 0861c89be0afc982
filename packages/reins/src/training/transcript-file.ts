import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "@reins/core";
import { LogSchedule } from "@reins/core/directory";
import { type Transcript, transcriptsOf, transcriptVersion } from "./transcripts.ts";

const nameOf = (path: string) => join(path, "transcripts.jsonl");
/** Texts that are kept at a time, evenly from a batch. */
const count = 4;
/** How often some are kept where nobody says so. */
const times = 50;

/** Keeps transcripts of a run in words while it goes on, by steps alone: the same run has the same file. */
export class TranscriptFile {
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
    const kept = readTranscripts(path).filter((t) => t.step <= run.steps);
    writeFileSync(this.path, kept.map(lineOf).join(""));
  }

  /** After every round. */
  round(): void {
    const { run, schedule, path } = this;
    if (schedule.due(run.steps)) appendFileSync(path, transcriptsOf(run, count).map(lineOf).join(""));
  }
}

const lineOf = (transcript: Transcript) => `${JSON.stringify(transcript)}\n`;

/** The transcripts that a run has kept, in the order in which they were written. Torn lines and those of another form are left out. */
export function readTranscripts(path: string): Transcript[] {
  if (!existsSync(nameOf(path))) return [];
  return readFileSync(nameOf(path), "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        const read = JSON.parse(line) as Transcript;
        return read.version === transcriptVersion ? [read] : [];
      } catch {
        return [];
      }
    });
}
