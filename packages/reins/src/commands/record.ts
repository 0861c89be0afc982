import { fail } from "@reins/core";
import type { TextTask } from "@reins/language";
import { noMore, readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { text, toggle, whole } from "../cli/flags.ts";
import { envNamed } from "../cli/names.ts";
import { usageError } from "../cli/usage.ts";
import type { TextSource } from "../places/source.ts";
import { counted, short } from "../terminal/format.ts";
import { print } from "../terminal/io.ts";
import { openOutput } from "./record/output.ts";

const flags = {
  player: text(
    "NAME",
    "scripted player: expert, novice, random, fixed or another player of the task (default expert)",
  ),
  count: whole("N", "number of conversations (default 100)", 1, 1e7),
  level: whole("N", "difficulty level (default 1)", 1),
  seed: whole("N", "seed of problems and players (default 0)"),
  test: toggle("use held-out problems instead of training problems"),
  out: text("FILE", "output file (default: standard output)"),
};

/** `reins record` */
export const command: Command = {
  usage: "record <task> [flags]",
  about: `Records conversations of a scripted player on a multi-turn language task, one JSON object per line: messages, score, reward and number of turns. Players come with the task and differ in skill. reins train sft reads the file.`,
  groups: () => ({ Flags: flags }),
  examples: [
    [
      "reins record wordle-game --player novice --count 1000 --out novice.jsonl",
      "record a thousand games of a novice",
    ],
    ["reins train sft novice.jsonl", "imitate them"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(args, flags, { command: "record" });
    noMore(words, 1, "record");
    const [name = usageError("missing task. Example: reins record wordle-game.")] = words;
    const task = ((await envNamed(name)) as Partial<TextSource>).task as TextTask | undefined;
    if (!task) return fail(name, "this is not a language task. reins envs lists them.");
    const { isMultiTurn, conversationLines } = await import("@reins/language");
    if (!isMultiTurn(task))
      fail(name, "this is a single-turn task. reins record needs a multi-turn task, such as wordle-game.");
    const { level = 1, count = 100, out, test, ...rest } = given;
    const how = { ...rest, split: test ? "test" : "train" } as const;
    if (level > task.levels)
      usageError(`--level ${level} does not exist: ${name} has levels 1 to ${task.levels}.`);
    const file = out === undefined ? undefined : openOutput(out);
    let [score, turns] = [0, 0];
    try {
      for await (const line of conversationLines({ task, level, count, ...how })) {
        score += line.score;
        turns += line.turns;
        if (file) file.write(`${JSON.stringify(line)}\n`);
        else print(io.out, JSON.stringify(line));
      }
      file?.finish();
    } finally {
      file?.close();
    }
    if (file)
      print(
        io.out,
        `${counted(count, "conversation")} in ${out}: score ${short(score / count)}, ${short(turns / count)} turns on average.`,
      );
    return 0;
  },
};
