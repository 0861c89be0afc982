import { fail } from "@reins/core";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { findRun } from "../cli/find-run.ts";
import { toggle, whole } from "../cli/flags.ts";
import { usageError } from "../cli/usage.ts";
import { inkOf, print, tableWidth } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import { listLines, tokenRows, transcriptLines } from "../terminal/transcript.ts";
import { readTranscripts } from "../training/transcript-file.ts";

const flags = {
  number: whole("N", "number of the transcript, as in --list (default: the last)", 1),
  tokens: toggle("print one line per token: author, loss mask, log-probability, reward and advantage"),
  list: toggle("list all transcripts"),
  json: toggle("print JSON: one transcript, or all with --list"),
};

/** `reins transcript` */
export const command: Command = {
  usage: "transcript [run] [flags]",
  about: `Prints a transcript of a language run: the messages of all roles and tools, and for each reply its tokens, log-probability, reward and advantage. Fifty times a run, four evenly spaced samples of the batch are saved in transcripts.jsonl, with up to eight samples of the first one's problem (train --samples-every changes the interval). The run is given by its directory or by its name in runs/ (default: the newest).`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins transcript", "the last transcript of the newest run"],
    ["reins transcript grpo-wordle-game-1 --list", "list all transcripts"],
    ["reins transcript --number 3 --tokens", "the third, token by token"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "transcript" });
    noMore(words, 1, "transcript");
    const path = findRun(words[0]);
    const all = readTranscripts(path);
    if (all.length === 0)
      fail(path, "the run has no transcripts. Language runs save them: reins train grpo wordle-game.");
    const ink = inkOf(io.out);
    if (given.list) {
      print(io.out, ...(given.json ? [JSON.stringify(all)] : listLines(all, ink, tableWidth(io.out))));
      return 0;
    }
    const number = given.number ?? all.length;
    if (number > all.length)
      usageError(`--number ${number} does not exist: ${path} has ${all.length} transcripts.`);
    const one = all[number - 1];
    if (given.json) print(io.out, JSON.stringify(one));
    else {
      print(io.out, `${path}   ${number} of ${all.length}, after ${one.step} tokens`, "");
      print(io.out, ...transcriptLines(one, ink));
      if (given.tokens) {
        const { heading, rows, right } = tokenRows(one);
        print(io.out, "", ...table(heading, rows, { ink, right, width: tableWidth(io.out) }));
      }
    }
    return 0;
  },
};
