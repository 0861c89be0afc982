/** Flags of a command line, without dashes and without `no-`. */
const flagsIn = (command: unknown): readonly string[] =>
  typeof command === "string"
    ? (command.match(/(?<= --)[a-z][\w-]*/g) ?? []).map((f) => f.replace(/^no-/, ""))
    : [];

const camel = (flag: string): string => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Names of an algorithm's settings in a command: `--learning-rate` is `learningRate`. If the run has a flag of the same name, that of the
 * algorithm is prefixed: `--steps` is the run's, `--ppo-steps` is PPO's.
 */
export const typedIn = (command: unknown, algorithm: string): ReadonlySet<string> =>
  new Set(
    flagsIn(command)
      .filter((flag) => flag !== "steps" && flag !== "seed" && !flag.startsWith("env-"))
      .map((flag) => camel(flag.startsWith(`${algorithm}-`) ? flag.slice(algorithm.length + 1) : flag)),
  );

/** Names of an environment's options in a command: `--env-supervised-tokens` is `supervisedTokens`. */
export const typedForEnv = (command: unknown): ReadonlySet<string> =>
  new Set(
    flagsIn(command).flatMap((flag) => (flag.startsWith("env-") ? camel(flag.slice("env-".length)) : [])),
  );

const isGroup = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x) && !("signal" in x);

/** Flattens one level of objects: `return.mean`. */
export const flat = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] =>
      isGroup(value) ? Object.entries(value).map(([part, x]) => [`${name}.${part}`, x]) : [[name, value]],
    ),
  );
