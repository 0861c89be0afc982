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
  /** Learning rate of that imitation. */
  readonly warmUpRate?: number;
  /** Examples that it learns from at a time. */
  readonly warmUpBatch?: number;
  /** Texts written at the same time. */
  readonly rows: number;
  /** A Hugging Face folder whose model begins, instead of one from nothing. */
  readonly folder?: string;
  /** Rank of adapters on the folder's model, which alone learn then; 0: all weights learn. */
  readonly lora: number;
  /** How much adapters count: alpha / rank. By default twice the rank. */
  readonly loraAlpha?: number;
  /** Dropout of the inputs of adapters in training. */
  readonly loraDropout?: number;
  /** Modules with adapters, by PEFT's names: "q_proj", "v_proj", …, or "all-linear" (the default). */
  readonly loraTargets?: string | readonly string[];
  /** A folder of PEFT adapters to begin with, instead of new ones. */
  readonly adapters?: string;
  /** Whether problems are put through the folder's chat template; by default if it has one. */
  readonly chat?: boolean;
  /** What the system says before each conversation. */
  readonly system?: string;
  /** How answers are drawn while learning. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Most tokens of an answer. */
  readonly maxTokens?: number;
  /** Texts that end an answer. */
  readonly stop?: readonly string[];
  /** Whose turns are imitated in conversations: one of the task's players. */
  readonly player?: string;
  /** Conversations are forked after so many turns, into so many. */
  readonly forkTurn?: number;
  readonly forkInto?: number;
  /** Times that a dataset is gone through. */
  readonly epochs?: number;
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

/** Options that a number or nothing is given for. */
const numbers = {
  level: "count",
  layers: "count",
  width: "count",
  heads: "count",
  warmUp: "whole",
  warmUpRate: "positive",
  warmUpBatch: "count",
  rows: "count",
  lora: "whole",
  loraAlpha: "positive",
  loraDropout: "share",
  temperature: "positive",
  topP: "share",
  topK: "count",
  maxTokens: "count",
  epochs: "positive",
  forkTurn: "count",
  forkInto: "count",
} as const;
const others = ["folder", "chat", "system", "stop", "player", "adapters", "loraTargets"];
const names = [...Object.keys(numbers), ...others];
/** Options of a model from a folder. */
const ofFolders = ["lora", "loraAlpha", "loraDropout", "loraTargets", "adapters", "chat", "system"];
/** Values that would do. */
const usual: { readonly [name in keyof typeof numbers]?: number } = {
  ...fromNothing,
  loraAlpha: 16,
  loraDropout: 0.05,
  warmUpRate: 3e-3,
  warmUpBatch: 32,
  temperature: 1,
  topP: 0.95,
  topK: 50,
  maxTokens: 256,
  epochs: 3,
  forkTurn: 1,
  forkInto: 4,
};
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
      ? ofFolders.find((o) => given[o] !== undefined && given[o] !== 0)
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
    ...textsIn(name, given),
  };
  for (const [k, range] of Object.entries(numbers)) {
    const option = k as keyof typeof numbers;
    if (o[option] !== undefined) checkWithin(name, k, o[option], range, usual[option]);
  }
  if (!(o.level >= 1 && o.level <= levels))
    fail(name, `there is no level ${o.level}. Levels go from 1 to ${levels}.`);
  if (o.chat !== undefined && typeof o.chat !== "boolean")
    fail(name, `chat is ${JSON.stringify(o.chat)}; it must be true or false.`);
  const ofNew = (["loraAlpha", "loraDropout", "loraTargets"] as const).find((k) => o[k] !== undefined);
  if (ofNew && o.lora === 0)
    fail(name, `${ofNew} is for new adapters, and there are none. Set their rank too: lora: 8.`);
  if ((o.forkTurn === undefined) !== (o.forkInto === undefined))
    fail(name, "forks have a turn and a number: forkTurn: 1, forkInto: 4. Give both, or none.");
  if (o.adapters !== undefined && o.lora > 0)
    fail(name, "the adapters that it begins with have their rank. Leave lora out, or adapters.");
  return o;
}

/** What is given in words: texts, paths, lists. */
function textsIn(name: string, given: EnvOptions): Partial<TextOptions> {
  const { system, adapters, player, stop, loraTargets: targets } = given;
  for (const [k, value] of Object.entries({ system, adapters, player }))
    if (value !== undefined && typeof value !== "string")
      fail(name, `${k} is ${JSON.stringify(value)}; it must be ${k === "adapters" ? "a path" : "a text"}.`);
  const stops = typeof stop === "string" ? [stop] : stop;
  if (stops !== undefined && !(Array.isArray(stops) && stops.every((s) => typeof s === "string" && s !== "")))
    fail(name, `stop is ${JSON.stringify(stop)}; it must be a text, or a list of texts.`);
  const chosen =
    typeof targets === "string" && targets !== "all-linear"
      ? targets.split(",").map((t) => t.trim())
      : targets;
  const isList = (t: unknown): t is string[] => Array.isArray(t) && t.every((n) => typeof n === "string");
  if (chosen !== undefined && chosen !== "all-linear" && !isList(chosen))
    fail(
      name,
      `loraTargets is ${JSON.stringify(targets)}; it must be "all-linear" or a list of module names such as ["q_proj", "v_proj"].`,
    );
  return {
    ...(adapters === undefined ? {} : { adapters: resolve(adapters as string) }),
    ...(stops === undefined ? {} : { stop: stops as string[] }),
    ...(chosen === undefined ? {} : { loraTargets: chosen as string | string[] }),
  };
}
