/** Command-line arguments after a suite's name. */
export interface Arguments {
  /** Values of options, by name. */
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
}

/** Parses options with a value (`--only a,b`, `--only=a,b`) and flags without; unknown options are errors. */
export function readArguments(
  args: readonly string[],
  valued: readonly string[],
  plain: readonly string[],
): Arguments {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = args[i].split("=", 2);
    if (valued.includes(flag)) {
      const value = inline ?? args[++i];
      if (!value) throw new Error(`${flag} needs a value. See --help.`);
      values.set(flag, value);
    } else if (plain.includes(flag)) flags.add(flag);
    else throw new Error(`Unknown option ${args[i]}. See --help.`);
  }
  return { values, flags };
}

/** The choices of an option from a list (default `otherwise`). */
export function chosen<T extends string>(
  { values }: Arguments,
  flag: string,
  allowed: readonly T[],
  otherwise: readonly T[] = allowed,
): T[] {
  const names = values.get(flag)?.split(",") ?? [...otherwise];
  const wrong = names.find((name) => !allowed.includes(name as T));
  if (wrong !== undefined) throw new Error(`${flag} ${wrong} is unknown. Use ${allowed.join(", ")}.`);
  return names as T[];
}
