/** What was given on the command line after a suite's name. */
export interface Arguments {
  /** What stands after an option, by its name. */
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
}

/** Reads options that have a value (`--only a,b`, `--only=a,b`) and flags that have none; an unknown one is an error. */
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

/** What an option chooses from a list; `otherwise` where it is not given. */
export function chosen<T extends string>(
  { values }: Arguments,
  flag: string,
  allowed: readonly T[],
  otherwise: readonly T[] = allowed,
): T[] {
  const names = values.get(flag)?.split(",") ?? [...otherwise];
  const wrong = names.find((name) => !allowed.includes(name as T));
  if (wrong !== undefined)
    throw new Error(`${flag} ${wrong} does not exist. There are ${allowed.join(", ")}.`);
  return names as T[];
}
