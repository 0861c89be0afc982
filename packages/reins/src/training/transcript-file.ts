import { type LinesKind, readLines } from "./lines-file.ts";
import { type Transcript, transcriptsOf, transcriptVersion } from "./transcripts.ts";

/** Texts that are kept at a time, evenly from a batch. */
const count = 4;
/** Answers to one problem that are kept at a time, to be read side by side. */
const group = 8;

/** Transcripts of some texts of a run in words. */
export const transcriptKind: LinesKind<Transcript> = {
  file: "transcripts.jsonl",
  times: 50,
  linesOf: (run) => transcriptsOf(run, count, group),
};

/** The transcripts that a run has kept; those of another form are left out. */
export const readTranscripts = (path: string): Transcript[] =>
  readLines<Transcript>(path, transcriptKind.file).filter((t) => t.version === transcriptVersion);
