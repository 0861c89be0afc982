import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ReinsError } from "../errors.ts";
import { currentNames } from "../renamed-options.ts";
import { defaultSeed } from "../stream.ts";
import { type Files, replaceFile } from "./files.ts";
import { plainReader, type Reader } from "./reader.ts";
import { type Arrays, decode, encode, type Json } from "./tree.ts";

/** Version of `config.json` and of the directory layout. */
export const directoryFormat = 1;

/** Configuration of a run: enough to start it again, or to resume it from a command line. */
export interface RunConfig {
  readonly format: number;
  /** The version of Reins that created it. */
  readonly reins: string;
  /** The algorithm's name. */
  readonly algorithm: string;
  /** The algorithm's options with defaults; settings may be Signals. */
  readonly options: { readonly [name: string]: unknown };
  /** The environment's id. */
  readonly env: string;
  readonly envOptions: { readonly [name: string]: unknown };
  /** Total environment steps. */
  readonly steps: number;
  readonly seed: number;
  /** Creation time, as text. */
  readonly created: string;
  /** Environment steps between checkpoints, if set. */
  readonly checkpointEvery?: number;
  /** Episodes of the final evaluation. */
  readonly evalEpisodes?: number;
  /** Environment steps between evaluations during training. */
  readonly evalEvery?: number;
  /** Whether it ends when it counts as solved. */
  readonly solved?: boolean;
  /** Training steps of the agent that it started from, if any. */
  readonly learned?: number;
  /** The command line that started it. */
  readonly command?: string;
  /** Git commit of the code, if it is in a repository. */
  readonly commit?: string;
  /** Any other data of the caller. */
  readonly [more: string]: unknown;
}

/** Options that may change when a run is resumed. */
export type ResumeOptions = Partial<
  Pick<RunConfig, "steps" | "checkpointEvery" | "evalEpisodes" | "evalEvery" | "solved">
>;

/** Settings of a new run; the rest is filled in. */
export interface RunSettings {
  readonly algorithm: string;
  readonly options?: { readonly [name: string]: unknown };
  readonly env: string;
  readonly envOptions?: { readonly [name: string]: unknown };
  readonly steps: number;
  readonly seed?: number;
  readonly [more: string]: unknown;
}

/** This version of Reins. */
export function version(): string {
  try {
    const text = () => readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    known ??= (JSON.parse(text()) as { version: string }).version;
  } catch {
    known = "unknown"; // bundled into one file
  }
  return known;
}
let known: string | undefined;

/** A complete configuration from settings. */
export function configOf({
  options = {},
  envOptions = {},
  seed = defaultSeed,
  ...rest
}: RunSettings): RunConfig {
  const filled = { options, envOptions, seed, ...rest };
  return plain({
    format: directoryFormat,
    reins: version(),
    created: new Date().toISOString(),
    ...filled,
  }) as RunConfig;
}

/** Writes `config.json`. */
export function writeConfig(files: Files, path: string, config: RunConfig): void {
  replaceFile(files, join(path, "config.json"), `${JSON.stringify(encode(config, new Map()), null, 2)}\n`);
}

/** Reads `config.json`. */
export function readConfig(path: string, reader: Reader = plainReader): RunConfig {
  const file = join(path, "config.json");
  let text: string;
  try {
    text = reader.text(file);
  } catch (error) {
    if (error instanceof ReinsError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      fail(path, "Not a run directory (no config.json). `reins runs` lists existing runs.");
    if (code === "EISDIR") fail(file, `it is a folder, but must be a file. ${mend}`);
    fail(file, `it cannot be read (${(error as Error).message}). Make it readable, then try again.`);
  }
  if (text.trim() === "") fail(file, `it is empty. ${mend}`);
  let config: RunConfig;
  try {
    config = decode(JSON.parse(text) as Json, noArrays) as RunConfig;
  } catch (error) {
    fail(file, `it is not JSON (${(error as Error).message}). ${mend}`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config))
    fail(file, `it is not the configuration of a run. ${mend}`);
  if (!isConfig(config))
    fail(path, "not a run directory: its config.json belongs to something else, such as a model.");
  if (config.format !== directoryFormat)
    fail(
      path,
      `the run has format ${config.format}, created with Reins ${config.reins}; this version reads format ${directoryFormat}. Use Reins ${config.reins} for it.`,
    );
  const odd = Object.entries(kinds).find(([name, is]) => !is(config[name]));
  if (odd) fail(file, `its ${odd[0]} is ${JSON.stringify(config[odd[0]]) ?? "missing"}. ${mend}`);
  return { ...config, options: currentNames(config.options) };
}

/** Whether this is the configuration of a run, of any version. */
export const isConfig = (config: object): boolean => "format" in config || "algorithm" in config;

/** Whether a folder holds a run. A run with an unreadable `config.json` counts, so that the error is reported. */
export function holdsRun(path: string, reader: Reader = plainReader): boolean {
  let text: string;
  try {
    text = reader.text(join(path, "config.json"));
  } catch (error) {
    return !["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
  try {
    const config = JSON.parse(text) as unknown;
    return typeof config !== "object" || config === null || isConfig(config);
  } catch {
    return true;
  }
}

const mend = "Restore it from a copy, correct it by hand, or start a new run.";
const noArrays: Arrays = new Map();
const isRecord = (x: unknown) => typeof x === "object" && x !== null && !Array.isArray(x);
/** Required fields of a configuration. */
const kinds: { readonly [name: string]: (x: unknown) => boolean } = {
  algorithm: (x) => typeof x === "string",
  env: (x) => typeof x === "string",
  options: isRecord,
  envOptions: isRecord,
  steps: (x) => typeof x === "number" && x > 0,
  seed: (x) => Number.isInteger(x) && (x as number) >= 0,
  checkpointEvery: (x) => x === undefined || (typeof x === "number" && x >= 0),
  evalEpisodes: (x) => x === undefined || (Number.isInteger(x) && (x as number) >= 0),
  solved: (x) => x === undefined || typeof x === "boolean",
};

/** Where a configuration holds code (a column signal), which a file cannot store: the program that started the run must resume it. */
export function codeIn(value: unknown, path = ""): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("function" in value && Object.keys(value).length === 1) return path;
  for (const [name, below] of Object.entries(value)) {
    const found = codeIn(below, path ? `${path}.${name}` : name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Options in a form that a file can store: arrays become lists, code is stored as text for the reader. */
export function plain(value: unknown): unknown {
  if (typeof value === "function") return { function: String(value) };
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .map(([k, v]) => [k, plain(v)]),
  );
}
