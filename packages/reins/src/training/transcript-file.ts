import { isNumber, isNumbers, isText, listOf, maybe, recordOf } from "./line-form.ts";
import { type LinesKind, readLines } from "./lines-file.ts";
import { type Transcript, transcriptsOf, transcriptVersion } from "./transcripts.ts";

/** Texts per write, evenly from a batch. */
const count = 4;
/** Samples of one problem per write, for comparison. */
const group = 8;

/** Writes transcripts of a language run. */
export const transcriptKind: LinesKind<Transcript> = {
  file: "transcripts.jsonl",
  times: 50,
  linesOf: (run) => transcriptsOf(run, count, group),
};

const isTranscript = recordOf({
  version: (x) => x === transcriptVersion,
  step: isNumber,
  ...{
    task: maybe(isText),
    by: isText,
    prompt: isText,
    answer: isText,
    first: isText,
    failed: maybe(isText),
  },
  ...{ reward: isNumber, score: maybe(isNumber), terms: maybe(isNumbers) },
  messages: maybe(listOf(recordOf({ role: isText, content: isText }))),
  segments: listOf(recordOf({ from: isNumber, to: isNumber, parent: maybe(recordOf({ step: isNumber })) })),
  ...{ tokens: listOf(isText), makers: listOf(isText), turns: listOf(isNumber), logProbs: listOf(isNumber) },
  ...{ rewards: listOf(isNumber), advantages: maybe(listOf(isNumber)), entropies: maybe(listOf(isNumber)) },
});

/** Reads the saved transcripts of a run; lines of another form are left out. Null stands for numbers that are not finite. */
export const readTranscripts = (path: string): Transcript[] =>
  readLines<Transcript>(path, transcriptKind.file)
    .filter(isTranscript)
    .map(({ reward, rewards, advantages, ...rest }) => ({
      ...rest,
      reward: reward ?? Number.NaN,
      rewards: rewards.map((x) => x ?? Number.NaN),
      ...(advantages ? { advantages: advantages.map((x) => x ?? Number.NaN) } : {}),
    }));
