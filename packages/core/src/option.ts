import { didYouMean, fail, said } from "./errors.ts";
import { checkWithin, type RangeName } from "./range.ts";
import { type Scope, type Setting, type Signal, scopeOf, scopes } from "./signal.ts";
import { checkSignal } from "./signal-form.ts";

/** One option of an algorithm. A *setting* may be a Signal; a *size* shapes memory or networks and is fixed for the run. */
export interface Option<T = unknown, P extends Scope = Scope> {
  readonly kind: "setting" | "size";
  /** How finely a setting is read: signals that distinguish more than that are refused. */
  readonly per?: P;
  readonly default: T;
  /** What it does, what happens when it rises, and the usual range. */
  readonly about: string;
  /** The words it may be, where it is one of several. */
  readonly choices?: readonly string[];
  /** The numbers it may be, where it is one; any, if it does not say. */
  readonly within?: RangeName;
  /** It is a function; on a command line, the file that exports it. */
  readonly code?: Replacing;
}

/** A numeric setting that may be a Signal: one number for the run, unless it is read more finely. */
export function setting(
  value: Setting,
  about: string,
  read?: { readonly within?: RangeName },
): Option<Setting, "run">;
export function setting<P extends Scope>(
  value: Setting,
  about: string,
  read: { readonly per: P; readonly within?: RangeName },
): Option<Setting, P>;
export function setting(
  value: Setting,
  about: string,
  { per = "run", within = "any" }: { readonly per?: Scope; readonly within?: RangeName } = {},
): Option<Setting> {
  return { kind: "setting", per, default: value, about, within };
}
/** Anything that is fixed for the run: counts, widths, switches. */
export const size = <T>(
  value: T,
  about: string,
  { within }: { readonly within?: RangeName } = {},
): Option<T, never> => ({
  kind: "size",
  default: value,
  about,
  ...(within === undefined ? {} : { within }),
});

/** One of several words. */
export const choice = <const T extends string>(
  value: T,
  choices: readonly T[],
  about: string,
): Option<T, never> => ({
  kind: "size",
  default: value,
  about,
  choices,
});

/** Options in whose place a function stands, and the value that each then has. */
export type Replacing = { readonly [option: string]: unknown };

/** A function of one's own, absent by default. What it replaces cannot be given beside it. */
export const code = <T>(about: string, replaces: Replacing = {}): Option<T | undefined, never> => ({
  kind: "size",
  default: undefined,
  about,
  code: replaces,
});

/** The options of an algorithm by name, as `define` takes them. */
export type OptionTable = { readonly [name: string]: Option };
/** What a user may pass. */
export type OptionsOf<T extends OptionTable> = {
  readonly [K in keyof T]?: T[K] extends Option<infer V> ? Widen<V> : never;
};
/** A number stands for any number, true for any switch. */
export type Widen<V> = V extends number ? number : V extends boolean ? boolean : V;

/** The values of all options: those given, defaults for the rest. What does not fit is refused by name. */
export function fillIn(algorithm: string, table: OptionTable, given: object): { [name: string]: unknown } {
  checkNames(algorithm, given, table);
  const options: Record<string, unknown> = {};
  for (const [k, o] of Object.entries(table)) {
    const value = (given as Record<string, unknown>)[k];
    options[k] = value === undefined ? o.default : value;
    if (o.kind === "setting") checkSetting(algorithm, k, options[k], o, table);
    else checkSize(algorithm, k, options[k], o);
  }
  for (const [k, o] of Object.entries(table))
    if (o.code && options[k] !== undefined)
      Object.assign(options, replacedBy(algorithm, k, o.code, options, given));
  return options;
}

/** What options become in whose place a function stands. Given beside it they are refused: one of the two would count for nothing. */
function replacedBy(
  algorithm: string,
  name: string,
  replaces: Replacing,
  options: { readonly [name: string]: unknown },
  given: object,
): Replacing {
  const value = options[name];
  if (typeof value === "object" && value !== null && "function" in value)
    fail(
      algorithm,
      `${name} is code, which no file can hold. Give the algorithm again, with it: ${algorithm}({ ${name} }).`,
    );
  if (typeof value !== "function")
    fail(
      algorithm,
      `${name} is ${typeof value}; it must be a function, such as ({ inputs }) => nn.mlp({ inputs, hidden: [64] }).`,
    );
  for (const [other, instead] of Object.entries(replaces)) {
    const told = (given as { readonly [name: string]: unknown })[other];
    const same = typeof told !== "function" && JSON.stringify(told) === JSON.stringify(instead);
    if (told !== undefined && !same)
      fail(algorithm, `${name} stands in the place of ${other}, and both are given. Leave one of them out.`);
  }
  return replaces;
}

/** Refuses names that no option has, and what is no record of options. */
export function checkNames(algorithm: string, given: object, table: OptionTable): void {
  const names = Object.keys(table);
  if (typeof given !== "object" || given === null || Array.isArray(given))
    fail(algorithm, `options are given by name, as in { ${names[0] ?? "name"}: … }; this is ${said(given)}.`);
  const unknown = Object.keys(given).find((k) => !Object.hasOwn(table, k));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, names);
  fail(
    algorithm,
    `there is no option ${unknown}.${meant || ` There ${names.length ? `are ${names.join(", ")}` : "is none"}.`}`,
  );
}

/** Refuses a fixed value that is not of the kind of the usual one: a number of its range, a switch, a word, a list of widths. */
export function checkSize(who: string, name: string, value: unknown, option: Option): void {
  const { default: usual, choices, within } = option;
  if (choices && !choices.includes(value as string))
    fail(
      who,
      `${name} is ${said(value)}.${didYouMean(String(value), choices)} It is one of ${choices.join(", ")}.`,
    );
  if (typeof usual === "number" || (within && value !== undefined))
    checkWithin(who, name, value, within ?? "any", usual);
  if (typeof usual === "boolean" && typeof value !== "boolean")
    fail(who, `${name} is ${said(value)}; it is a switch: true or false.`);
  if (!Array.isArray(usual) || !usual.length || !usual.every((x) => Number.isInteger(x))) return;
  if (!Array.isArray(value) || !value.every((x) => Number.isInteger(x) && x > 0))
    fail(who, `${name} is ${said(value)}; it must be a list of whole numbers from 1, such as [${usual}].`);
}

function checkSetting(
  algorithm: string,
  name: string,
  value: unknown,
  { per = "run", within = "any", default: usual }: Option,
  table: OptionTable,
): void {
  if (typeof value === "number") checkWithin(algorithm, name, value, within, usual);
  else if (isSignal(value)) checkSignal(algorithm, name, value, within);
  else fail(algorithm, `${name} is ${said(value)}; it must be a number or a signal such as linear(1e-3, 0).`);
  const asked = scopeOf(value);
  if (!serves(per, asked)) {
    const others = Object.keys(table).filter(
      (k) => table[k].kind === "setting" && serves(table[k].per ?? "run", asked),
    );
    const which = others.length ? `; of ${algorithm}'s settings these can: ${others.join(", ")}` : "";
    fail(
      algorithm,
      `${name} is ${reading[per]}, so it cannot follow a signal with ${reading[asked]}${which}. Give it a number, a schedule or a controller${per === "run" ? " of the run" : ""}.`,
    );
  }
}

const isSignal = (value: unknown): value is Signal =>
  typeof value === "object" && value !== null && "signal" in value;

/** Whether a setting that is read at one scope can follow a signal of another. */
const serves = (per: Scope, signal: Scope): boolean => scopes.indexOf(signal) <= scopes.indexOf(per);

const reading: Record<Scope, string> = {
  run: "one number for the whole run",
  task: "a number for each task",
  sample: "a number for each sample",
  token: "a number for each token",
};
