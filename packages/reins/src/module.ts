import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Env, fail, type VectorEnv } from "@reins/core";
import { type EnvLike, type EnvOptions, type Source, sourceOf } from "./source.ts";

/** Whether a word names a file rather than an environment. */
export const isModulePath = (text: string): boolean => /^[./~]|[/\\]|\.[cm]?[jt]s$/.test(text);

/**
 * An environment of your own, from a file: its default export, or the one called `env`, is a class, a function that makes a copy, or
 * one that makes a vector of some rows. It is given the options.
 */
export async function sourceFromModule(path: string, options: EnvOptions = {}): Promise<Source> {
  const file = resolve(path);
  if (!existsSync(file)) fail(path, "there is no such file.");
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_UNKNOWN_FILE_EXTENSION")
      fail(path, "this Node cannot run TypeScript. Compile it first, or give the .js file.");
    throw error;
  }
  const maker = exported.default ?? exported.env;
  if (typeof maker !== "function")
    fail(
      path,
      "it exports no environment. Export a class or a function that makes one: export default () => new MyEnv().",
    );
  const make = (rows = 1): Env | VectorEnv => {
    const made = construct(maker as Maker, options, rows);
    if (typeof made !== "object" || made === null || !("spec" in made))
      fail(path, "what it exports makes no environment: the result has no `spec`.");
    return made;
  };
  return { ...sourceOf(make as EnvLike, options), more: { module: file } };
}

type Maker = ((options: object) => Env | VectorEnv) & (new (options: object) => Env | VectorEnv);

function construct(maker: Maker, options: EnvOptions, rows: number): Env | VectorEnv {
  const given = { ...options, rows };
  return /^class\b/.test(Function.prototype.toString.call(maker)) ? new maker(given) : maker(given);
}
