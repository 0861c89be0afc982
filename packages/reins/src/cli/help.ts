import { wrap } from "../terminal/format.ts";
import type { Ink } from "../terminal/ink.ts";
import type { Command } from "./command.ts";
import { flagLines } from "./flag-lines.ts";
import { list } from "./list.ts";

/** The list of commands. */
export function overview(ink: Ink): string {
  const entries = Object.entries(list).map(
    ([name, { about }]) => `  ${ink.color(0, name.padEnd(12))}${about}`,
  );
  return [
    `${ink.bold("reins")}: reinforcement learning for TypeScript`,
    "",
    ink.bold("Commands"),
    ...entries,
    "",
    ink.bold("Getting started"),
    ...examplesOf(
      [
        ["reins train ppo CartPole-v1", "train an agent with tuned settings"],
        ["reins watch ppo-CartPole-v1-1", "watch it act"],
        ["reins runs plot", "plot the learning curves of all runs"],
      ],
      ink,
    ),
    "",
    "Help on a command: reins train --help",
  ].join("\n");
}

/** The help of one command. */
export function helpOf(command: Command, args: readonly string[], ink: Ink, width = 100): string {
  const groups = Object.entries(command.groups(args)).filter(([, flags]) => Object.keys(flags).length);
  return [
    `${ink.bold("reins")} ${command.usage}`,
    "",
    ...command.about.split("\n").flatMap((line) => wrap(line, width)),
    ...groups.flatMap(([heading, flags]) => ["", ink.bold(heading), ...flagLines(flags, ink, width)]),
    "",
    ink.bold("Examples"),
    ...examplesOf(command.examples, ink),
  ].join("\n");
}

function examplesOf(examples: Command["examples"], ink: Ink): string[] {
  const longest = Math.max(...examples.map(([c]) => c.length));
  // Side by side if the commands are short; otherwise the description goes above.
  if (longest > 58) return examples.flatMap(([c, what]) => [`  ${ink.dim(`# ${what}`)}`, `  ${c}`]);
  return examples.map(([c, what]) => `  ${c.padEnd(longest + 2)}${ink.dim(what)}`);
}
