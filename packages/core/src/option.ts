import { didYouMean, fail } from "./errors.ts";
import { type Scope, type Setting, scopeOf, scopes } from "./signal.ts";

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
  /** It is a function; on a command line, the file that exports it. */
  readonly code?: Replacing;
}

/** A numeric setting that may be a Signal: one number for the run, unless it is read more finely. */
export function setting(value: Setting, about: string): Option<Setting, "run">;
export function setting<P extends Scope>(
  value: Setting,
  about: string,
  read: { readonly per: P },
): Option<Setting, P>;
export function setting(
  value: Setting,
  about: string,
  { per }: { readonly per: Scope } = { per: "run" },
): Option<Setting> {
  return { kind: "setting", per, default: value, about };
}
/** Anything that is fixed for the run: counts, widths, switches. */
export const size = <T>(value: T, about: string): Option<T, never> => ({
  kind: "size",
  default: value,
  about,
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
    if (o.kind === "setting") checkSetting(algorithm, k, options[k], o.per ?? "run", table);
    else checkSize(algorithm, k, options[k], o.default);
    if (o.choices && !o.choices.includes(options[k] as string))
      fail(algorithm, `${k} is ${JSON.stringify(options[k])}; it is one of ${o.choices.join(", ")}.`);
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

/** Refuses names that no option has. */
export function checkNames(algorithm: string, given: object, table: OptionTable): void {
  const unknown = Object.keys(given).find((k) => !(k in table));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, Object.keys(table));
  fail(algorithm, `there is no option ${unknown}.${meant} See \`reins algorithms ${algorithm}\`.`);
}

/** Nothing that is counted in an algorithm is ever so many; most of it has to be held in memory. */
const most = 1e8;

/** Numbers stay numbers, and lists of widths lists of widths. */
function checkSize(algorithm: string, name: string, value: unknown, usual: unknown): void {
  const told = `${name} is ${Array.isArray(value) ? `[${value.join(", ")}]` : value}`;
  if (typeof usual === "number" && (typeof value !== "number" || Number.isNaN(value)))
    fail(algorithm, `${told}; it must be a number, as ${usual} is.`);
  if (typeof usual === "number" && Number.isInteger(value) && (value as number) > most)
    fail(algorithm, `${told}; it may be ${most} at most, or memory runs out. Choose a smaller one.`);
  if (!Array.isArray(usual) || !usual.length || !usual.every((x) => Number.isInteger(x))) return;
  if (!Array.isArray(value) || !value.every((x) => Number.isInteger(x) && x > 0))
    fail(algorithm, `${told}; it must be whole numbers from 1, such as ${usual.join(",")}.`);
}

function checkSetting(algorithm: string, name: string, value: unknown, per: Scope, table: OptionTable): void {
  const isNumber = typeof value === "number" && !Number.isNaN(value);
  const isSignal = typeof value === "object" && value !== null && "signal" in value;
  if (!isNumber && !isSignal)
    fail(
      algorithm,
      `${name} is ${JSON.stringify(value)}; it must be a number or a signal such as linear(1e-3, 0).`,
    );
  const asked = scopeOf(value as Setting);
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

/** Whether a setting that is read at one scope can follow a signal of another. */
const serves = (per: Scope, signal: Scope): boolean => scopes.indexOf(signal) <= scopes.indexOf(per);

const reading: Record<Scope, string> = {
  run: "one number for the whole run",
  task: "a number for each task",
  sample: "a number for each sample",
  token: "a number for each token",
};
