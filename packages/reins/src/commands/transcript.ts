import { fail } from "@reins/core";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { findRun } from "../cli/find-run.ts";
import { toggle, whole } from "../cli/flags.ts";
import { misuse } from "../cli/usage.ts";
import { inkOf, print, tableWidth } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import { listLines, tokenRows, transcriptLines } from "../terminal/transcript.ts";
import { readTranscripts } from "../training/transcript-file.ts";

const flags = {
  number: whole("N", "which of those that were kept, from 1; --list numbers them. The last by default", 1),
  tokens: toggle(
    "a line for each token: its author, whether it is learned from, its log-probability, reward and advantage",
  ),
  list: toggle("list what was kept, a line each"),
  json: toggle("print JSON: one transcript, or with --list all of them"),
};

/** `reins transcript` */
export const command: Command = {
  usage: "transcript [run] [flags]",
  about: `Prints a text of a language-model run as the model saw and wrote it: the messages of all roles and tools, and beside each reply its tokens, log-probability, reward and advantage. Fifty times a run, transcripts.jsonl gets four texts of the batch, evenly chosen, and up to eight samples of the first one's problem (train --samples-every changes how often). The run is named by its directory or by its name in runs/; without one it is the newest.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins transcript", "the last one of the newest run"],
    ["reins transcript grpo-wordle-game-1 --list", "all that were kept"],
    ["reins transcript --number 3 --tokens", "the third, token by token"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "transcript" });
    noMore(words, 1, "transcript");
    const path = findRun(words[0]);
    const all = readTranscripts(path);
    if (all.length === 0)
      fail(path, "it has kept no transcripts. Language-model runs keep some: reins train grpo wordle-game.");
    const ink = inkOf(io.out);
    if (given.list) {
      print(io.out, ...(given.json ? [JSON.stringify(all)] : listLines(all, ink, tableWidth(io.out))));
      return 0;
    }
    const number = given.number ?? all.length;
    if (number > all.length) misuse(`--number is ${number}, and ${path} has kept ${all.length}.`);
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
