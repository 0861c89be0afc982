import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { algorithms } from "@reins/algorithms";
import { didYouMean, fail } from "@reins/core";
import { type RunConfig, readRun } from "@reins/core/directory";
import { ids } from "@reins/envs";
import type { StartPlan, StartRequest } from "@reins/studio";
import { shellWord } from "../cli/shell-word.ts";
import { flagOf } from "../cli/training-flags.ts";
import { isModulePath, pythonModule } from "../places/module-path.ts";
import { isDatasetPath } from "../places/text/dataset-path.ts";
import { isTrusted } from "../places/trust.ts";

/** Flags that belong to one run alone, and those that write to other places. Switches take no value. */
const dropped = ["seed", "seeds", "name", "directory", "save-model", "save-adapters", "csv", "wandb"];
const droppedSwitches = ["overwrite", "save", "quiet", "json"];

/** The arguments of `reins` for a request, the folder of the run that it trains, and what it would run. */
export interface RunCommand extends StartPlan {
  readonly args: readonly string[];
  readonly folder: string;
}

/** What a request is as a command. Code that the user of this machine has not named, or that has changed since, is refused. */
export function runCommand(path: string, request: StartRequest): RunCommand {
  const { config } = readRun(path);
  const folder = request.do === "resume" ? path : nextFolder(dirname(path), config);
  const args =
    request.do === "resume"
      ? ["resume", near(path), ...(request.steps === undefined ? [] : ["--steps", String(request.steps)])]
      : ["train", ...trainWords(config, request), "--directory", near(folder)];
  const code = [...new Set([...codeOf(config), ...(request.do === "train" ? codeIn(args) : [])])];
  const unknown = code.filter((file) => !isTrusted(file));
  const command = `npx reins ${args.map(shellWord).join(" ")}`;
  if (unknown.length === 0) return { args, folder, command, code };
  const refused = `This run uses code in ${unknown.join(", ")}, which was not named on this machine, or has changed since. If you trust it, start the run in a terminal${request.do === "resume" ? " with --trust" : ""}.`;
  return { args, folder, command, code, refused };
}

/** The path as it is typed from here. */
const near = (path: string) => relative("", path) || ".";

/** The words of the command that began a run, with another seed and other settings. */
function trainWords(config: RunConfig, request: Extract<StartRequest, { do: "train" }>): string[] {
  const { command, algorithm } = config;
  const [reins, train, ...words] = typeof command === "string" ? shellWords(command) : [];
  if (reins !== "reins" || train !== "train")
    fail(
      "studio",
      "this run was started by a program, and config.json holds no command. Run the program again.",
    );
  const changed = Object.entries(request.settings ?? {}).map(
    ([option, value]) => [flagFor(algorithm, option), value] as const,
  );
  const kept = withoutFlags(words, [...dropped, ...changed.map(([flag]) => flag)], droppedSwitches);
  return [
    ...kept,
    ...changed.map(([flag, value]) => `--${flag}=${value}`),
    ...["--seed", String(request.seed ?? config.seed)],
  ];
}

function flagFor(algorithm: string, option: string): string {
  const maker = makerOf(algorithm);
  const options = maker ? Object.keys(maker.definition.options) : [option];
  if (!options.includes(option))
    fail(
      algorithm,
      `there is no setting ${option}.${didYouMean(option, options)} reins train ${algorithm} --help lists them.`,
    );
  return flagOf(algorithm, option);
}

/** Arguments without some flags and their values. */
function withoutFlags(
  words: readonly string[],
  flags: readonly string[],
  switches: readonly string[],
): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const [, no, name, inline] = /^--(no-)?([^=]+)(=.*)?$/s.exec(words[i]) ?? [];
    const isSwitch = switches.includes(name);
    if (!isSwitch && !flags.includes(name)) kept.push(words[i]);
    else if (inline === undefined && no === undefined) {
      const next = words[i + 1] ?? "--";
      if (isSwitch ? ["true", "false"].includes(next) : !next.startsWith("--")) i++;
    }
  }
  return kept;
}

/** The words of a command line, without their quotes. */
export const shellWords = (text: string): string[] =>
  (text.match(/(?:'[^']*'|\\.|[^\s'\\])+/gs) ?? []).map((word) =>
    word.replace(/'([^']*)'|\\(.)/gs, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ""),
  );

/** Code that the configuration of a run names: files, a Python module, and a Python interpreter. */
const codeOf = ({ module, judge, algorithmModule, files = {}, env, envOptions }: RunConfig): string[] => [
  ...[module, judge, algorithmModule, ...Object.values(files as object)].flatMap((file) =>
    typeof file === "string" && isModulePath(file) ? file : [],
  ),
  ...(pythonModule(env) === undefined ? [] : [env]),
  ...(typeof envOptions?.python === "string" ? [envOptions.python] : []),
];

/** Flags whose values are never run as code. */
const dataFlags = /^(from|directory|env-.+)$/;

/**
 * Code that arguments name: files of code by their endings, Python modules, and any other file that a word or a flag may name as code. A
 * flag may be a switch, so what follows it may be a word. The new process checks again, and exactly: see `knownOnly`.
 */
function codeIn(args: readonly string[]): string[] {
  const known = new Set(ids());
  const isCode = (value: string, flag: string) =>
    flag === "env-python" ||
    pythonModule(value) !== undefined ||
    // An agent may be fetched from an address, which only the user may choose.
    /^(https?|data|blob):/i.test(value) ||
    /\.[cm]?[jt]sx?$/.test(value) ||
    (!dataFlags.test(flag) &&
      isModulePath(value) &&
      !isDatasetPath(value) &&
      !known.has(value) &&
      existsSync(value));
  let flag = "";
  return args.slice(1).flatMap((word) => {
    const [, name, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const [own, value] = name === undefined ? [flag, word] : [name, inline ?? ""];
    flag = name !== undefined && inline === undefined ? name : "";
    return value !== "" && isCode(value, own) ? [value] : [];
  });
}

const makerOf = (algorithm: string) => Object.entries(algorithms).find(([name]) => name === algorithm)?.[1];

/** The next free folder for a run of the same algorithm and environment. */
function nextFolder(root: string, { algorithm, env }: RunConfig): string {
  const stem = `${algorithm}-${env}`.replace(/[^\w.-]+/g, "-").replace(/^[-.]+/, "");
  for (let n = 1; ; n++)
    if (!existsSync(join(root, `${stem}-${n}`))) return join(root, basename(`${stem}-${n}`));
}
