import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ReinsError } from "../errors.ts";
import { defaultSeed } from "../stream.ts";
import { type Files, replaceFile } from "./files.ts";
import { plainReader, type Reader } from "./reader.ts";
import { type Arrays, decode, encode, type Json } from "./tree.ts";

/** The version of `config.json` and of the directory's layout. */
export const directoryFormat = 1;

/** What a run is: enough to begin it again, or to resume it from a command line. */
export interface RunConfig {
  readonly format: number;
  /** The version of Reins that began it. */
  readonly reins: string;
  /** The algorithm's name. */
  readonly algorithm: string;
  /** The algorithm's options, defaults filled in; settings may be Signals. */
  readonly options: { readonly [name: string]: unknown };
  /** The environment's id. */
  readonly env: string;
  readonly envOptions: { readonly [name: string]: unknown };
  /** Environment steps to take. */
  readonly steps: number;
  readonly seed: number;
  /** When it was made, as text. */
  readonly created: string;
  /** Environment steps between checkpoints, where somebody asked for that. */
  readonly checkpointEvery?: number;
  /** Episodes that the trained agent is measured by. */
  readonly evalEpisodes?: number;
  /** Environment steps between evaluations on the way. */
  readonly evalEvery?: number;
  /** Whether it ends when it counts as solved. */
  readonly solved?: boolean;
  /** Steps that its agent had learned from when it began, where it goes on from one. */
  readonly learned?: number;
  /** What was typed to begin it. */
  readonly command?: string;
  /** The commit of the code around it, where there was a Git repository. */
  readonly commit?: string;
  /** Anything else that the caller wants to find again. */
  readonly [more: string]: unknown;
}

/** What may be asked for anew when a run goes on. */
export type Wishes = Partial<
  Pick<RunConfig, "steps" | "checkpointEvery" | "evalEpisodes" | "evalEvery" | "solved">
>;

/** What the maker of a run says; the rest is filled in. */
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

/** A whole configuration from what was said. */
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
  return config;
}

/** Whether this is the configuration of a run, be it one of another version. */
export const isConfig = (config: object): boolean => "format" in config || "algorithm" in config;

/** Whether a folder holds a run. One whose `config.json` cannot be read is one too: what is wrong with it must be said. */
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
/** What a configuration must have. */
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

/** Where a configuration holds code (a column signal), which a file cannot: such a run is resumed by the program that began it. */
export function codeIn(value: unknown, path = ""): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("function" in value && Object.keys(value).length === 1) return path;
  for (const [name, below] of Object.entries(value)) {
    const found = codeIn(below, path ? `${path}.${name}` : name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Options as a file can hold them: arrays become lists, code is kept as text for the reader to see. */
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
