import type { AlgorithmMaker, Option } from "@reins/core";
import { ranges } from "@reins/core/settings";
import type { Flag, Flags } from "./flags.ts";
import { parseNumber, readNumber } from "./numbers.ts";
import { parseSetting } from "./setting.ts";
import { showSetting } from "./show-setting.ts";
import { flagOf, trainFlags } from "./training-flags.ts";
import { asUsageError, usageError } from "./usage.ts";

/** The options of an algorithm as flags, and which option each flag sets. */
export interface AlgorithmFlags {
  readonly flags: Flags;
  readonly options: { readonly [flag: string]: string };
}

/**
 * One flag for each option: `learningRate` is `--learning-rate`. An option whose name is a flag of the command gets the algorithm's name as a
 * prefix: PPO's `steps` is `--ppo-steps`.
 */
export function algorithmFlags(maker: AlgorithmMaker, taken: Flags = trainFlags): AlgorithmFlags {
  const { name, options: table } = maker.definition;
  const flags: Record<string, Flag> = {};
  const options: Record<string, string> = {};
  for (const [option, described] of Object.entries(table)) {
    const flag = flagOf(name, option, taken);
    flags[flag] = flagFor(described);
    options[flag] = option;
  }
  return { flags, options };
}

function flagFor(option: Option): Flag {
  const choices = option.choices ? ` One of ${option.choices.join(", ")}.` : "";
  const scope = option.per === undefined || option.per === "run" ? "" : ` Scope: ${option.per}.`;
  const usual = option.default === undefined ? "" : ` Default: ${showSetting(option.default)}.${scope}`;
  const within = option.within && option.within !== "any" ? ` Takes ${ranges[option.within].words}.` : "";
  const about = `${option.about}${choices}${within}${usual}`;
  if (option.kind === "setting")
    return { about, value: "SIGNAL", read: (t, flag) => asUsageError(() => parseSetting(t, flag)) };
  const { default: value } = option;
  if (option.code) return { about, value: "FILE", read: (t) => t };
  if (typeof value === "boolean") return { about, read: (t, flag) => readSwitch(t, flag) };
  if (typeof value === "number") return { about, value: "N", read: readNumber };
  if (Array.isArray(value)) return { about, value: "A,B,…", read: readList };
  if (typeof value === "string") return { about, value: "WORD", read: (t) => t };
  return { about, value: "VALUE", read: readAny };
}

function readSwitch(text: string, flag: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  return usageError(`${flag} is a switch and does not accept "${text}". Write ${flag} or ${flag} false.`);
}

/** Reads a comma-separated list of numbers or words; an empty text is an empty list. */
function readList(text: string, flag: string): unknown[] {
  const items = text
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((t) => t.trim());
  if (items.length === 1 && items[0] === "") return [];
  if (items.some((t) => t === ""))
    usageError(`${flag} takes a comma-separated list, not "${text}". Example: ${flag} 64,64.`);
  return items.map((t) => parseNumber(t) ?? t);
}

/** Reads a number, a boolean or JSON; any other text is returned unchanged. */
export function readAny(text: string): unknown {
  if (/^[[{"]/.test(text) || ["true", "false", "null"].includes(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return parseNumber(text) ?? text;
}
