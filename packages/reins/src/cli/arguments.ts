import { didYouMean } from "@reins/core/errors";
import type { Flags, GivenFlags } from "./flags.ts";
import { parseNumber } from "./numbers.ts";
import { usageError } from "./usage.ts";

/** Parsed command-line arguments: positional words in order, and flags by name. */
export interface Arguments<F extends Flags = Flags> {
  readonly words: readonly string[];
  readonly flags: GivenFlags<F>;
  /** Undeclared flags of an open group (`--env-…`), without the prefix. */
  readonly open: { readonly [name: string]: string };
}

/** Parses `--name value`, `--name=value`, `--switch`, `--switch false`, `--no-switch` and words. Everything after a lone `--` is a word. */
export function readArguments<F extends Flags>(
  args: readonly string[],
  table: F,
  options: { command: string; open?: string; near?: () => readonly string[] },
): Arguments<F> {
  const { command, open: prefix, near } = options;
  const unknown = (argument: string) => refuse(argument, table, command, near?.() ?? []);
  const words: string[] = [];
  const flags: Record<string, unknown> = {};
  const open: Record<string, string> = {};
  let i = 0;
  /** The value of a flag: after the equals sign, or the next argument. */
  const valueOf = (name: string, inline: string | undefined, like: string) => {
    const value = inline ?? args[++i];
    if (value === undefined || value === "") usageError(`--${name} needs a value: --${name} ${like}.`);
    // A number may be negative; anything else that begins with dashes is the next flag.
    if (inline === undefined && value.startsWith("--"))
      usageError(`--${name} needs a value: --${name} ${like}.`);
    return value;
  };
  /** The value of a switch: after the equals sign, or a next argument of `true` or `false`, which is consumed. */
  const switchOf = (inline: string | undefined) =>
    inline ?? (["true", "false"].includes(args[i + 1]) ? args[++i] : "true");
  for (; i < args.length; i++) {
    const argument = args[i];
    if (argument === "--") {
      words.push(...args.slice(i + 1));
      break;
    }
    if (!argument.startsWith("--") || argument.length === 2) {
      if (argument.startsWith("-") && argument.length > 1 && parseNumber(argument) === undefined)
        unknown(argument);
      words.push(argument);
      continue;
    }
    const [name, inline] = split(argument.slice(2));
    if (Object.hasOwn(table, name)) {
      const flag = table[name];
      const value = flag.value === undefined ? switchOf(inline) : valueOf(name, inline, flag.value);
      const read = flag.read(value, `--${name}`);
      const before = flag.repeated ? flags[name] : undefined;
      flags[name] = Array.isArray(before) ? [...before, ...(read as unknown[])] : read;
    } else if (name.startsWith("no-") && Object.hasOwn(table, name.slice(3)) && !table[name.slice(3)].value) {
      if (inline !== undefined) usageError(`--${name} takes no value.`);
      flags[name.slice(3)] = false;
    } else if (prefix && name.startsWith(prefix) && name.length > prefix.length) {
      const next = args[i + 1];
      // An undeclared flag takes the next argument, unless that is a flag.
      const takes = inline === undefined && next !== undefined && !next.startsWith("--");
      open[name.slice(prefix.length)] = inline ?? (takes ? args[++i] : "true");
    } else unknown(argument);
  }
  return { words, flags: flags as GivenFlags<F>, open };
}

function split(argument: string): [string, string | undefined] {
  const at = argument.indexOf("=");
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

function refuse(argument: string, table: Flags, command: string, near: readonly string[]): never {
  const [name] = split(argument);
  const known = Object.entries(table).flatMap(([n, flag]) =>
    flag.value ? [`--${n}`] : [`--${n}`, `--no-${n}`],
  );
  // A flag that lacks only its prefix is the closest match.
  const left = near.filter(
    (n) => n.endsWith(`-${name.slice(2)}`) && n.length - name.length === "env-".length,
  );
  return usageError(
    `unknown flag ${name}.${didYouMean(name, left.length ? left : known) || didYouMean(name, near)} Run reins ${command} --help for a list.`,
  );
}

/** Throws on more positional words than a command takes. */
export function noMore(words: readonly string[], most: number, command: string): void {
  if (words.length > most)
    usageError(`unexpected argument "${words[most]}". Run reins ${command} --help for usage.`);
}
