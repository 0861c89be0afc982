import type { RemoteCommand, RunState } from "@reins/core/directory";
import { didYouMean } from "@reins/core/errors";
import { readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { findRun } from "../cli/find-run.ts";
import { toggle } from "../cli/flags.ts";
import { parseNumber } from "../cli/numbers.ts";
import { usageError } from "../cli/usage.ts";
import { compact, grouped, short, time } from "../terminal/format.ts";
import { inkOf, print, tableWidth } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import { askRun } from "../training/ask-run.ts";

const flags = { json: toggle("print JSON") };
const plain = ["status", "log", "save", "stop", "pause", "go"] as const;
const verbs: readonly string[] = [...plain, "set"];

/** `reins control` */
export const command: Command = {
  usage: "control [run] status | set <setting> <number> | log | save | stop | pause | go",
  about: `Controls a run that is training in another terminal: show its status, change a setting from now on, write a row of metrics, write a checkpoint, stop it (reins resume continues it), pause it and continue it. Settings are named as on the command line (learning-rate) or as in programs (learningRate); a value outside the usual range is accepted with a warning. The run is given by its directory or by its name in runs/, and is the newest by default. Only the user who started a run can control it.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins control status", "the newest run"],
    ["reins control ppo-CartPole-v1-1 set learning-rate 1e-4", "change the learning rate from now on"],
    ["reins control pause", "until reins control go"],
  ],
  async run(args, io) {
    const { words, flags: given } = readArguments(settingAsWord(args), flags, { command: "control" });
    const at = verbs.includes(words[0]) ? 0 : 1;
    const request = commandOf(words.slice(at));
    const { done, warning, state } = await askRun(findRun(at === 0 ? undefined : words[0]), request);
    if (warning !== undefined) print(io.err, `reins: ${warning}`);
    if (given.json) print(io.out, JSON.stringify(state));
    else if (done) print(io.out, /^\w+ is /.test(done) ? `${done}.` : `The run ${done}.`);
    else print(io.out, ...linesOf(state, inkOf(io.out), tableWidth(io.out)));
    return 0;
  },
};

/** The arguments with the setting of `set` as a word if it was given as a flag: `--learning-rate 1e-4`, `--learning-rate=1e-4`. */
function settingAsWord(args: readonly string[]): string[] {
  const at = args.indexOf("set") + 1;
  if (at === 0 || at === args.length) return [...args];
  const [name, ...value] = args[at].replace(/^--/, "").split("=");
  if (Object.hasOwn(flags, name)) return [...args];
  return [...args.slice(0, at), name, ...value, ...args.slice(at + 1)];
}

function commandOf([verb, setting, value, ...more]: readonly string[]): RemoteCommand {
  if (verb === undefined) usageError(`missing command. Use one of ${verbs.join(", ")}.`);
  const known = plain.find((one) => one === verb);
  if (known && setting === undefined) return { do: known };
  if (verb === "set") {
    const number = value === undefined ? undefined : parseNumber(value);
    if (number === undefined || !Number.isFinite(number) || more.length > 0)
      usageError("set takes a setting and a number: reins control set learning-rate 1e-4.");
    return { do: "set", setting, value: number };
  }
  if (known) usageError(`unexpected argument "${setting}" after ${verb}.`);
  return usageError(`unknown command ${verb}.${didYouMean(verb, verbs)} Use one of ${verbs.join(", ")}.`);
}

function linesOf(state: RunState, ink: ReturnType<typeof inkOf>, width: number | undefined): string[] {
  const { steps, budget, paused, seconds, stepsPerSecond, settings, metrics } = state;
  const speed = paused ? "paused" : `${compact(stepsPerSecond ?? 0)} steps/s`;
  const numbers = { ...settings, ...metrics };
  return [
    `${grouped(steps)} of ${grouped(budget)} steps   ${speed}   ${time(seconds)}`,
    "",
    ...table(
      ["setting or metric", "now"],
      Object.entries(numbers).map(([name, x]) => [name, x === null ? "–" : short(x)]),
      { ink, right: [1], width },
    ),
  ];
}
