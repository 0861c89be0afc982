import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { registerAlgorithm } from "@reins/algorithms";
import { type AlgorithmMaker, type Env, fail, ReinsError } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { environmentFactory, inWorkers, type WorkersOptions } from "@reins/envs/remote";
import { noteFile } from "./algorithm-files.ts";
import { filesOf } from "./module-files.ts";
import { type EnvOptions, type Source, sourceOfMaker } from "./source.ts";

/**
 * A custom environment from a file: its default export, or its export `env`, is a class, a function that creates one environment, or
 * one that creates a vector of `rows`. It receives the options; `workers` spreads the copies over threads, or over processes with `carrier`.
 */
export async function sourceFromModule(path: string, options: EnvOptions = {}): Promise<Source> {
  const { file, exported } = await opened(path, "an environment: ./my-env.js");
  const make = environmentFactory(exported, path);
  const { workers, carrier, ...own } = options;
  if (workers === undefined && carrier !== undefined)
    fail(
      path,
      `carrier is ${describeValue(carrier)}, but there are no workers. Set workers to their number, or omit carrier.`,
    );
  const source = sourceOfMaker(((rows = 1) => make(own, rows)) as () => Env, options);
  const more = { module: file };
  if (workers === undefined) return { ...source, more };
  const how = { workers, carrier, options: own } as WorkersOptions;
  const spread = (rows: number) => inWorkers(file, { ...how, rows });
  return { ...source, make: spread, more };
}

/**
 * A custom algorithm from a file: its default export, or its export `algorithm`, is the result of `define`. It is registered
 * under its name.
 */
export async function algorithmFromModule(path: string): Promise<AlgorithmMaker> {
  const { file, exported } = await opened(path, "an algorithm: ./my-algorithm.js");
  const maker = exported.default ?? exported.algorithm;
  if (!isMaker(maker))
    fail(
      path,
      'it exports no algorithm. Export the result of define(): export default define({ name: "mine", … }).',
    );
  registerAlgorithm(maker);
  noteFile(maker, file);
  return maker;
}

/** A custom function for an option of an algorithm, from a file: its default export, or the export named like the option. */
export async function functionFromModule(path: string, option: string): Promise<unknown> {
  const { exported } = await opened(path, `a function: ./my-${option}.js`);
  const made = exported.default ?? exported[option];
  if (typeof made === "function") return made;
  const example =
    option === "judge"
      ? "(answer, problem) => answer === problem.answer ? 1 : 0"
      : "({ inputs }) => nn.mlp({ inputs, hidden: [64] })";
  return fail(path, `it exports no function for ${option}. Example: export default ${example}.`);
}

const isMaker = (x: unknown): x is AlgorithmMaker => typeof x === "function" && "definition" in x;

/** A file of code and its exports. */
export async function opened(
  path: string,
  what: string,
): Promise<{ file: string; exported: Record<string, unknown> }> {
  const file = resolve(path);
  if (!existsSync(file)) fail(path, missing(path));
  if (statSync(file).isDirectory()) fail(path, `this is a folder. Pass the file of ${what}.`);
  return { file, exported: await imported(path, file) };
}

/** Ids of Gymnasium can have a namespace, which looks like a folder: ALE/Pong-v5. */
const missing = (path: string): string =>
  /^[\w-]+\/[\w-]+-v\d+$/.test(path)
    ? `there is no such file or environment. reins envs lists environments; gymnasium:${path} is the one of that name in Python.`
    : "there is no such file.";

/** Imports a file. Errors are reported in one line, with the engine's reason. */
async function imported(path: string, file: string): Promise<Record<string, unknown>> {
  // With a promise that never settles, Node would exit with code 13 and no message.
  const stuck = (code: number) => {
    if (code !== 13 && process.exitCode !== 13) return;
    process.stderr.write(`reins: ${path}: a top-level await never settles.\n`);
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
  if (!(error instanceof Error)) return `cannot be loaded: it threw ${String(error)}.`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" && /\.[cm]?tsx?$/.test(file))
    return `this Node cannot run TypeScript (22.18 and later can). Compile it first (npx tsc --outDir build${existsSync("tsconfig.json") ? "" : ` ${relative("", file)}`}) and pass the .js file.`;
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" || file.endsWith(".json"))
    return "not a JavaScript file. Pass a file of code, such as ./my-env.js.";
  const reason = `${error.name}: ${error.message.split("\n")[0]}`.replace(/^Error: |\.$/g, "");
  const place = error.name === "SyntaxError" ? misspelled(file) : placeIn(error.stack);
  return `cannot be loaded: ${reason}${place ? ` (${place})` : ""}.`;
}

/** Position of an error in a user's file; undefined if it is inside the engine. */
function placeIn(stack = ""): string | undefined {
  const line = stack.split("\n").find((l) => /^\s+at /.test(l)) ?? "";
  return /(?:file:\/\/)(\/[^()]+:\d+):\d+\)?$/.exec(line)?.[1];
}

/** Position of a syntax error in a file or its imports: Node reports it only for files that it checks. */
function misspelled(file: string): string | undefined {
  for (const path of filesOf(file)) {
    const { status, stderr } = spawnSync(process.execPath, ["--check", path], { encoding: "utf8" });
    if (status) return stderr.split("\n")[0].replace(/^file:\/\//, "");
  }
  return undefined;
}
