import { describeValue, didYouMean, fail } from "./errors.ts";
import { checkUsualRange, type RangeName } from "./range.ts";
import { type Scope, type Setting, type Signal, scopeOf, scopes } from "./signal.ts";
import { checkSignal } from "./signal-form.ts";

/** One option of an algorithm. A *setting* may be a Signal; a *size* determines memory or networks and is fixed for the run. */
export interface Option<T = unknown, P extends Scope = Scope> {
  readonly kind: "setting" | "size";
  /** The finest scope at which a setting is read; signals with a finer scope are rejected. */
  readonly per?: P;
  readonly default: T;
  /** What it does, what happens when it rises, and the usual range. */
  readonly about: string;
  /** The allowed values, if it is one of several words. */
  readonly choices?: readonly string[];
  /** The allowed range, if it is a number (default: any). */
  readonly within?: RangeName;
  /** The option that turns on what this setting belongs to; while that is off, the setting has no effect. */
  readonly needs?: string;
  /** Set if it is a function; on a command line, the file that exports it. */
  readonly code?: Replacing;
}

/** A numeric setting that may be a Signal: one number for the run, unless its scope is finer. */
export function setting(
  value: Setting,
  about: string,
  read?: { readonly within?: RangeName; readonly needs?: string },
): Option<Setting, "run">;
export function setting<P extends Scope>(
  value: Setting,
  about: string,
  read: { readonly per: P; readonly within?: RangeName },
): Option<Setting, P>;
export function setting(
  value: Setting,
  about: string,
  {
    per = "run",
    within = "any",
    needs,
  }: { readonly per?: Scope; readonly within?: RangeName; readonly needs?: string } = {},
): Option<Setting> {
  return { kind: "setting", per, default: value, about, within, ...(needs === undefined ? {} : { needs }) };
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

/** Options that a function replaces, and the value that each then has. */
export type Replacing = { readonly [option: string]: unknown };

/** A custom function, absent by default. The options that it replaces cannot be given together with it. */
export const code = <T>(about: string, replaces: Replacing = {}): Option<T | undefined, never> => ({
  kind: "size",
  default: undefined,
  about,
  code: replaces,
});

/** The options of an algorithm by name, as `define` takes them. */
export type OptionTable = { readonly [name: string]: Option };
/** Options as a user may pass them. */
export type OptionsOf<T extends OptionTable> = {
  readonly [K in keyof T]?: T[K] extends Option<infer V> ? Widen<V> : never;
};
/** Widens a literal: any number, any boolean. */
export type Widen<V> = V extends number ? number : V extends boolean ? boolean : V;

/** The values of all options: the given ones, defaults for the rest. Throws for invalid ones, by name. */
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

/** Values of the options that a function replaces. Giving both throws, because one of them would have no effect. */
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
      `${name} is code, which a file cannot hold. Pass the algorithm again with it: ${algorithm}({ ${name} }).`,
    );
  if (typeof value !== "function")
    fail(
      algorithm,
      `${name} is ${typeof value}; it must be a function, such as ({ inputs }) => nn.mlp({ inputs, hidden: [64] }).`,
    );
  for (const [other, instead] of Object.entries(replaces)) {
    const givenValue = (given as { readonly [name: string]: unknown })[other];
    const same = typeof givenValue !== "function" && JSON.stringify(givenValue) === JSON.stringify(instead);
    if (givenValue !== undefined && !same)
      fail(algorithm, `${name} replaces ${other}, but both are given. Leave one of them out.`);
  }
  return replaces;
}

/** Throws if `given` is not an object or has unknown names. */
export function checkNames(algorithm: string, given: object, table: OptionTable): void {
  const names = Object.keys(table);
  if (typeof given !== "object" || given === null || Array.isArray(given))
    fail(
      algorithm,
      `options are given by name, as in { ${names[0] ?? "name"}: … }; this is ${describeValue(given)}.`,
    );
  const unknown = Object.keys(given).find((k) => !Object.hasOwn(table, k));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, names);
  fail(
    algorithm,
    `there is no option ${unknown}.${meant || ` ${names.length ? `Options: ${names.join(", ")}` : "It has no options"}.`}`,
  );
}

/** Throws unless a fixed value has the kind of the default: a number in its range, a boolean, a word, a list of widths. */
export function checkSize(subject: string, name: string, value: unknown, option: Option): void {
  const { default: usual, choices, within } = option;
  if (choices && !choices.includes(value as string))
    fail(
      subject,
      `${name} is ${describeValue(value)}.${didYouMean(String(value), choices)} It must be one of ${choices.join(", ")}.`,
    );
  if (typeof usual === "number" || (within && value !== undefined))
    checkUsualRange(subject, name, value, within ?? "any", usual);
  if (typeof usual === "boolean" && typeof value !== "boolean")
    fail(subject, `${name} is ${describeValue(value)}; it must be true or false.`);
  if (!Array.isArray(usual) || !usual.length || !usual.every((x) => Number.isInteger(x))) return;
  if (!Array.isArray(value) || !value.every((x) => Number.isInteger(x) && x > 0))
    fail(
      subject,
      `${name} is ${describeValue(value)}; it must be a list of whole numbers from 1, such as [${usual}].`,
    );
}

function checkSetting(
  algorithm: string,
  name: string,
  value: unknown,
  { per = "run", within = "any", default: usual }: Option,
  table: OptionTable,
): void {
  if (typeof value === "number") checkUsualRange(algorithm, name, value, within, usual);
  else if (isSignal(value)) checkSignal(algorithm, name, value, within);
  else
    fail(
      algorithm,
      `${name} is ${describeValue(value)}; it must be a number or a signal such as linear(1e-3, 0).`,
    );
  const asked = scopeOf(value);
  if (!serves(per, asked)) {
    const others = Object.keys(table).filter(
      (k) => table[k].kind === "setting" && serves(table[k].per ?? "run", asked),
    );
    const which = others.length ? `; these settings of ${algorithm} can: ${others.join(", ")}` : "";
    fail(
      algorithm,
      `${name} is ${reading[per]}, so it cannot follow a signal with ${reading[asked]}${which}. Use a number, a schedule or a controller${per === "run" ? " with scope run" : ""}.`,
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
