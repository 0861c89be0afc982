import { isNumber, isText, listOf, maybe, recordOf } from "./line-form.ts";
import { type LinesKind, readLines } from "./lines-file.ts";
import { type Sample, samplesOf } from "./samples.ts";

/** A saved sample. */
export interface KeptSample extends Sample {
  readonly step: number;
  /** Author: a teacher, if the run imitates one. */
  readonly by: "policy" | "teacher";
}

/** Samples per write. */
const count = 8;

/** Writes samples of a language run. */
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
  ...{ turns: maybe(listOf(isText)), score: maybe(isNumber), recorded: maybe(isNumber) },
});

/** Reads the saved samples of a run; lines of another form are left out. */
export const readSamples = (path: string): KeptSample[] =>
  readLines<KeptSample>(path, sampleKind.file).filter(isSample);
