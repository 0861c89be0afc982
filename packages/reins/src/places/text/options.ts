import { resolve } from "node:path";
import { fail, type Trains } from "@reins/core";
import { failUnknown } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import type { EnvOptions } from "../source.ts";

/** Options of a language task. */
export interface TextOptions {
  /** Difficulty, from 1. */
  readonly level: number;
  /** Model from scratch: blocks, width and heads. */
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  /** Length of the supervised phase (SFT before reinforcement learning), in completion tokens. */
  readonly supervisedTokens: number;
  /** Learning rate of the supervised phase. */
  readonly supervisedRate?: number;
  /** Batch size of the supervised phase. */
  readonly supervisedBatch?: number;
  /** Texts generated in parallel. */
  readonly rows: number;
  /** Hugging Face folder of a pretrained model, instead of one from scratch. */
  readonly folder?: string;
  /** LoRA rank; only adapters are trained then. 0 trains all weights. */
  readonly lora: number;
  /** LoRA alpha; adapters are scaled by alpha / rank (default: twice the rank). */
  readonly loraAlpha?: number;
  /** Dropout on the inputs of adapters in training. */
  readonly loraDropout?: number;
  /** Modules with adapters, by PEFT's names: "q_proj", "v_proj", …, or "all-linear" (default). */
  readonly loraTargets?: string | readonly string[];
  /** Folder of PEFT adapters to start from. */
  readonly adapters?: string;
  /** Hugging Face folder of a teacher with the same tokenizer, for distillation. */
  readonly teacher?: string;
  /** Whether to apply the folder's chat template (default: if it has one). */
  readonly chat?: boolean;
  /** System message of each conversation. */
  readonly system?: string;
  /** Sampling during training. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Maximum tokens of an answer. */
  readonly maxTokens?: number;
  /** Stop strings. */
  readonly stop?: readonly string[];
  /** The role whose turns are imitated in conversations. */
  readonly player?: string;
  /** Conversations are forked after this turn, into this many. */
  readonly forkTurn?: number;
  readonly forkInto?: number;
  /** Epochs over a dataset. */
  readonly epochs?: number;
  /** Heads of a reward model, as an ensemble. */
  readonly ensemble?: number;
}

const fromNothing: TextOptions = {
  level: 2,
  layers: 2,
  width: 64,
  heads: 4,
  supervisedTokens: 550_000,
  rows: 512,
  lora: 0,
};
/** A pretrained model needs no supervised phase, and fewer texts fit into memory. */
const fromFolder: Partial<TextOptions> = { supervisedTokens: 0, rows: 64 };

/** Options that are a number or undefined. */
const numbers = {
  level: "count",
  layers: "count",
  width: "count",
  heads: "count",
  supervisedTokens: "whole",
  supervisedRate: "positive",
  supervisedBatch: "count",
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
  ensemble: "count",
} as const;
const others = ["folder", "chat", "system", "stop", "player", "adapters", "loraTargets", "teacher"];
const names = [...Object.keys(numbers), ...others];
/** Options of a pretrained model. */
const ofFolders = ["lora", "loraAlpha", "loraDropout", "loraTargets", "adapters", "chat", "system"];
/** Example values. */
const usual: { readonly [name in keyof typeof numbers]?: number } = {
  ...fromNothing,
  loraAlpha: 16,
  loraDropout: 0.05,
  supervisedRate: 3e-3,
  supervisedBatch: 32,
  temperature: 1,
  topP: 0.95,
  topK: 50,
  maxTokens: 256,
  epochs: 3,
  forkTurn: 1,
  forkInto: 4,
  ensemble: 4,
};
const shape = ["layers", "width", "heads"];

/** Checks options and adds the defaults. */
export function textOptions(name: string, levels: number, given: EnvOptions): TextOptions {
  const unknown = Object.keys(given).find((o) => !names.includes(o));
  if (unknown !== undefined) failUnknown(name, unknown, names);
  const { folder } = given;
  if (folder !== undefined && typeof folder !== "string")
    fail(name, `folder is ${JSON.stringify(folder)}; it must be a path.`);
  const wrong =
    folder === undefined
      ? ofFolders.find((o) => given[o] !== undefined && given[o] !== 0)
      : shape.find((o) => given[o] !== undefined);
  if (wrong !== undefined)
    fail(
      name,
      folder === undefined
        ? `${wrong} is for a model from a folder. Set folder too, or omit ${wrong}.`
        : `the model of a folder has a fixed size. Omit ${wrong}, or folder.`,
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
    if (o[option] !== undefined) checkUsualRange(name, k, o[option], range, usual[option]);
  }
  if (!(o.level >= 1 && o.level <= levels))
    fail(name, `level ${o.level} does not exist. Levels go from 1 to ${levels}.`);
  if (o.chat !== undefined && typeof o.chat !== "boolean")
    fail(name, `chat is ${JSON.stringify(o.chat)}; it must be true or false.`);
  const ofNew = (["loraAlpha", "loraDropout", "loraTargets"] as const).find((k) => o[k] !== undefined);
  if (ofNew && o.lora === 0)
    fail(name, `${ofNew} is for new adapters, and there are none. Set their rank too: lora: 8.`);
  if ((o.forkTurn === undefined) !== (o.forkInto === undefined))
    fail(
      name,
      "forks need both forkTurn and forkInto, as in forkTurn: 1, forkInto: 4. Set both, or neither.",
    );
  if (o.adapters !== undefined && o.lora > 0)
    fail(name, "existing adapters have a fixed rank. Omit lora, or adapters.");
  return o;
}

/** Checks strings, paths and lists. */
function textsIn(name: string, given: EnvOptions): Partial<TextOptions> {
  const { system, adapters, player, stop, teacher, loraTargets: targets } = given;
  for (const [k, value] of Object.entries({ system, adapters, player, teacher }))
    if (value !== undefined && typeof value !== "string")
      fail(
        name,
        `${k} is ${JSON.stringify(value)}; it must be ${k === "adapters" || k === "teacher" ? "a path" : "a string"}.`,
      );
  const stops = typeof stop === "string" ? [stop] : stop;
  if (stops !== undefined && !(Array.isArray(stops) && stops.every((s) => typeof s === "string" && s !== "")))
    fail(name, `stop is ${JSON.stringify(stop)}; it must be a string or a list of strings.`);
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
    ...(teacher === undefined ? {} : { teacher: resolve(teacher as string) }),
    ...(stops === undefined ? {} : { stop: stops as string[] }),
    ...(chosen === undefined ? {} : { loraTargets: chosen as string | string[] }),
  };
}

/** Refuses an ensemble of heads for models that have none. */
export function refuseEnsemble(name: string, { ensemble }: TextOptions, trains: Trains): void {
  if (ensemble !== undefined && trains !== "reward")
    fail(name, "ensemble is for reward models, which have heads. Omit it, or train one: reins train reward.");
}
