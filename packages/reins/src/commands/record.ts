import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { fail } from "@reins/core";
import type { Family } from "@reins/language";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { text, toggle, whole } from "../cli/flags.ts";
import { envNamed } from "../cli/names.ts";
import { misuse } from "../cli/usage.ts";
import type { TextSource } from "../places/source.ts";
import { print } from "../terminal/io.ts";
import { counted, short } from "../terminal/words.ts";

const flags = {
  player: text(
    "NAME",
    "who plays: expert, novice, random, fixed or another of the task's players (default expert)",
  ),
  count: whole("N", "conversations (default 100)", 1, 1e7),
  level: whole("N", "difficulty (default 1)", 1),
  seed: whole("N", "other problems and other chance (default 0)"),
  test: toggle("problems that are held out, instead of those for training"),
  out: text("FILE", "where they are written (default: they are printed)"),
};

/** `reins record` */
export const command: Command = {
  usage: "record <task> [flags]",
  about: `Writes conversations of a task's players down, one JSON line each: what was said (messages), the score, the reward, the number of turns. Players are programs of several skills that come with a world, so that there is something to learn from what others did: reins train sft takes the file as it is.`,
  groups: () => ({ Flags: flags }),
  examples: [
    [
      "reins record wordle-game --player novice --count 1000 --out novice.jsonl",
      "a thousand games of a novice",
    ],
    ["reins train sft novice.jsonl", "imitates them"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "record" });
    noMore(words, 1, "record");
    const [name = misuse("which task? As in reins record wordle-game.")] = words;
    const family = ((await envNamed(name)) as Partial<TextSource>).family as Family | undefined;
    if (!family) return fail(name, "nobody talks there: it is no task in words.");
    const { isTalked, talkLines } = await import("@reins/language");
    if (!isTalked(family))
      fail(name, "it is answered in one turn. reins record is for tasks of several turns.");
    const { level = 1, count = 100, out, test, ...rest } = given;
    const how = { ...rest, split: test ? "test" : "train" } as const;
    if (level > family.levels)
      misuse(`--level is ${level}, and ${name} has levels from 1 to ${family.levels}.`);
    const file = out === undefined ? undefined : createWriteStream(out);
    const failed = file && once(file, "error").then(([error]) => Promise.reject(error));
    let [score, turns] = [0, 0];
    for await (const line of talkLines({ family, level, count, ...how })) {
      score += line.score;
      turns += line.turns;
      if (!file) print(io.out, JSON.stringify(line));
      else if (!file.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(file, "drain"), failed]);
    }
    if (file) {
      file.end();
      await Promise.race([once(file, "close"), failed]);
      print(
        io.out,
        `${counted(count, "conversation")} in ${out}: score ${short(score / count)}, ${short(turns / count)} turns each.`,
      );
    }
    return 0;
  },
};
