import { resolve } from "node:path";
import { checkWithin, didYouMean, fail } from "@reins/core";
import type { EnvOptions } from "../source.ts";

/** Options of a task in words. */
export interface TextOptions {
  /** Difficulty, from 1 on. */
  readonly level: number;
  /** The model, from nothing: blocks, width and heads. */
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  /** Answer tokens that are imitated before reinforcement begins. */
  readonly warmUp: number;
  /** Texts written at the same time. */
  readonly rows: number;
  /** A Hugging Face folder whose model begins, instead of one from nothing. */
  readonly folder?: string;
  /** Rank of adapters on the folder's model, which alone learn then; 0: all weights learn. */
  readonly lora: number;
  /** Whether problems are put through the folder's chat template; by default if it has one. */
  readonly chat?: boolean;
}

const fromNothing: TextOptions = {
  level: 2,
  layers: 2,
  width: 64,
  heads: 4,
  warmUp: 550_000,
  rows: 512,
  lora: 0,
};
/** A trained model knows how to answer, and is larger: it needs no warm-up, and fewer texts fit into memory. */
const fromFolder: Partial<TextOptions> = { warmUp: 0, rows: 64 };

const names = [...Object.keys(fromNothing), "folder", "chat"];
const numbers = {
  level: "count",
  layers: "count",
  width: "count",
  heads: "count",
  warmUp: "whole",
  rows: "count",
  lora: "whole",
} as const;
const shape = ["layers", "width", "heads"];

/** Options as given, checked, with what the others are by default. */
export function textOptions(name: string, levels: number, given: EnvOptions): TextOptions {
  const unknown = Object.keys(given).find((o) => !names.includes(o));
  if (unknown !== undefined)
    fail(name, `there is no option ${unknown}.${didYouMean(unknown, names)} There are ${names.join(", ")}.`);
  const { folder } = given;
  if (folder !== undefined && typeof folder !== "string")
    fail(name, `the folder is ${JSON.stringify(folder)}; it must be a path.`);
  const wrong =
    folder === undefined
      ? ["lora", "chat"].find((o) => given[o] !== undefined && given[o] !== 0)
      : shape.find((o) => given[o] !== undefined);
  if (wrong !== undefined)
    fail(
      name,
      folder === undefined
        ? `${wrong} is for a model from a folder. Give its folder too, or leave ${wrong} out.`
        : `the folder says how large its model is. Leave ${wrong} out, or the folder.`,
    );
  const o: TextOptions = {
    ...fromNothing,
    level: Math.min(fromNothing.level, levels),
    ...(folder === undefined ? {} : fromFolder),
    ...given,
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
  };
  for (const [k, range] of Object.entries(numbers))
    checkWithin(name, k, o[k as keyof typeof numbers], range, fromNothing[k as keyof typeof numbers]);
  if (!(o.level >= 1 && o.level <= levels))
    fail(name, `there is no level ${o.level}. Levels go from 1 to ${levels}.`);
  if (o.chat !== undefined && typeof o.chat !== "boolean")
    fail(name, `chat is ${JSON.stringify(o.chat)}; it must be true or false.`);
  return o;
}
