import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { registerAlgorithm } from "@reins/algorithms";
import { type AlgorithmMaker, type Env, fail, ReinsError, said } from "@reins/core";
import { inWorkers, makerIn, type WorkersOptions } from "@reins/envs/elsewhere";
import { noteFile } from "./algorithm-files.ts";
import { filesOf } from "./module-files.ts";
import { type EnvOptions, type Source, sourceOfMaker } from "./source.ts";

/**
 * An environment of your own, from a file: its default export, or the one called `env`, is a class, a function that makes a copy, or
 * one that makes a vector of some rows. It is given the options; `workers` spreads its copies over threads, or processes if `carrier` says so.
 */
export async function sourceFromModule(path: string, options: EnvOptions = {}): Promise<Source> {
  const { file, exported } = await opened(path, "an environment: ./my-env.js");
  const make = makerIn(exported, path);
  const { workers, carrier, ...own } = options;
  if (workers === undefined && carrier !== undefined)
    fail(path, `carrier is ${said(carrier)}, and there are no workers to carry. Say how many: workers.`);
  const source = sourceOfMaker(((rows = 1) => make(own, rows)) as () => Env, options);
  const more = { module: file };
  if (workers === undefined) return { ...source, more };
  const how = { workers, carrier, options: own } as WorkersOptions;
  const spread = (rows: number) => inWorkers(file, { ...how, rows });
  return { ...source, make: spread, more };
}

/**
 * An algorithm of your own, from a file: its default export, or the one called `algorithm`, is what `define` gave. It is registered, so
 * that it is known by its name from then on.
 */
export async function algorithmFromModule(path: string): Promise<AlgorithmMaker> {
  const { file, exported } = await opened(path, "an algorithm: ./my-algorithm.js");
  const maker = exported.default ?? exported.algorithm;
  if (!isMaker(maker))
    fail(
      path,
      'it exports no algorithm. Export what define gives: export default define({ name: "mine", … }).',
    );
  registerAlgorithm(maker);
  noteFile(maker, file);
  return maker;
}

/** A function of your own for an option of an algorithm, from a file: its default export, or the one called as the option is. */
export async function functionFromModule(path: string, option: string): Promise<unknown> {
  const { exported } = await opened(path, `a function: ./my-${option}.js`);
  const made = exported.default ?? exported[option];
  if (typeof made === "function") return made;
  const example =
    option === "judge"
      ? "(answer, problem) => answer === problem.answer ? 1 : 0"
      : "({ inputs }) => nn.mlp({ inputs, hidden: [64] })";
  return fail(path, `it exports no function for ${option}. As in: export default ${example}.`);
}

const isMaker = (x: unknown): x is AlgorithmMaker => typeof x === "function" && "definition" in x;

/** A file of code, and what it exports. */
export async function opened(
  path: string,
  what: string,
): Promise<{ file: string; exported: Record<string, unknown> }> {
  const file = resolve(path);
  if (!existsSync(file)) fail(path, "there is no such file.");
  if (statSync(file).isDirectory()) fail(path, `it is a folder. Give the file of ${what}.`);
  return { file, exported: await imported(path, file) };
}

/** What a file exports. That it cannot be loaded is said in a line, with the engine's reason. */
async function imported(path: string, file: string): Promise<Record<string, unknown>> {
  // A promise that nobody keeps lets Node end in the middle, with code 13 and without a word.
  const stuck = (code: number) => {
    if (code !== 13 && process.exitCode !== 13) return;
    process.stderr.write(`reins: ${path}: it awaits something at its top level that never comes.\n`);
    process.exitCode = 1;
  };
  process.on("exit", stuck);
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    throw new ReinsError(`${path}: ${whyNot(error, file)}`, { cause: error });
  } finally {
    process.off("exit", stuck);
  }
}

function whyNot(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `it cannot be loaded: it threw ${String(error)}.`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" && /\.[cm]?tsx?$/.test(file))
    return "this Node cannot run TypeScript (22.18 and later can). Compile it first, as in npx tsc --outDir build, and give the .js file.";
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" || file.endsWith(".json"))
    return "it holds no JavaScript. Give a file of code, such as ./my-env.js.";
  const reason = `${error.name}: ${error.message.split("\n")[0]}`.replace(/^Error: |\.$/g, "");
  const place = error.name === "SyntaxError" ? misspelled(file) : placeIn(error.stack);
  return `it cannot be loaded: ${reason}${place ? ` (${place})` : ""}.`;
}

/** Where in a user's file an error arose; undefined if that is inside the engine. */
function placeIn(stack = ""): string | undefined {
  const line = stack.split("\n").find((l) => /^\s+at /.test(l)) ?? "";
  return /(?:file:\/\/)(\/[^()]+:\d+):\d+\)?$/.exec(line)?.[1];
}

/** Where a file, or one that it imports, is no JavaScript: Node says so of what it checks, and not of what it imports. */
function misspelled(file: string): string | undefined {
  for (const path of filesOf(file)) {
    const { status, stderr } = spawnSync(process.execPath, ["--check", path], { encoding: "utf8" });
    if (status) return stderr.split("\n")[0].replace(/^file:\/\//, "");
  }
  return undefined;
}
