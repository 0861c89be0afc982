import { isNumber, isText, listOf, maybe, recordOf } from "./line-form.ts";
import { type LinesKind, readLines } from "./lines-file.ts";
import { type Sample, samplesOf } from "./samples.ts";

/** A sampled answer as it is kept. */
export interface KeptSample extends Sample {
  readonly step: number;
  /** Who wrote it: a teacher, where the run imitates one. */
  readonly by: "policy" | "teacher";
}

/** Answers that are kept at a time. */
const count = 8;

/** Some of the answers of a run in words. */
export const sampleKind: LinesKind<KeptSample> = {
  file: "samples.jsonl",
  times: 100,
  linesOf(run) {
    const { taught, samples } = samplesOf(run, count);
    return samples.map((s) => ({ step: run.steps, by: taught ? "teacher" : "policy", ...s }));
  },
};

const isSample = recordOf({
  ...{ step: isNumber, by: isText, prompt: isText, answer: isText, right: isText },
  ...{ turns: maybe(listOf(isText)), score: maybe(isNumber) },
});

/** The answers that a run has kept; lines of another form are left out. */
export const readSamples = (path: string): KeptSample[] =>
  readLines<KeptSample>(path, sampleKind.file).filter(isSample);
