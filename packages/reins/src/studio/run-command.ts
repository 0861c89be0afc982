import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { algorithms } from "@reins/algorithms";
import { fail } from "@reins/core";
import { type RunConfig, readRun } from "@reins/core/directory";
import { didYouMean } from "@reins/core/errors";
import { ids } from "@reins/envs";
import type { StartPlan, StartRequest } from "@reins/studio";
import { shellWord } from "../cli/shell-word.ts";
import { flagOf } from "../cli/training-flags.ts";
import { isModulePath, pythonModule } from "../places/module-path.ts";
import { isDatasetPath } from "../places/text/dataset-path.ts";
import { isTrusted } from "../places/trust.ts";

/** Flags that belong to a single run, and those that write elsewhere. Switches take no value. */
const dropped = ["seed", "seeds", "name", "directory", "save-model", "save-adapters", "csv", "wandb"];
const droppedSwitches = ["overwrite", "save", "quiet", "json"];

/** Arguments of `reins` for a request, the directory of the run, and the code that it runs. */
export interface RunCommand extends StartPlan {
  readonly args: readonly string[];
  readonly folder: string;
}

/** Converts a request to a command. Refuses code that the user of this machine has not named, or that has changed since. */
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

/** The path relative to the working directory. */
const near = (path: string) => relative("", path) || ".";

/** The command that started a run, with another seed and other settings. */
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
      `setting ${option} does not exist.${didYouMean(option, options)} reins train ${algorithm} --help lists them.`,
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

/** The words of a command line, without quotes. */
export const shellWords = (text: string): string[] =>
  (text.match(/(?:'[^']*'|\\.|[^\s'\\])+/gs) ?? []).map((word) =>
    word.replace(/'([^']*)'|\\(.)/gs, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ""),
  );

/** Code in the configuration of a run: files, a Python module, and a Python interpreter. */
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
 * Code in arguments: files of code by their extensions, Python modules, and any other file that may be code. A
 * flag may be a switch, so the word after it may be an argument. The new process checks again, exactly: see `knownOnly`.
 */
function codeIn(args: readonly string[]): string[] {
  const known = new Set(ids());
  const isCode = (value: string, flag: string) =>
    flag === "env-python" ||
    pythonModule(value) !== undefined ||
    // An agent may be fetched from a URL, which only the user may choose.
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
