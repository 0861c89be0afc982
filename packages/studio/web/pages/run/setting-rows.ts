/**
 * Names of an algorithm's settings that were typed: `--learning-rate` is `learningRate`. Where a run has a flag of the same name, the
 * algorithm's has its own in front: `--steps` is the run's, `--ppo-steps` is PPO's.
 */
export function typedIn(command: unknown, algorithm: string): ReadonlySet<string> {
  const flags = typeof command === "string" ? (command.match(/(?<= --)[a-z][\w-]*/g) ?? []) : [];
  const own = flags
    .filter((flag) => flag !== "steps" && flag !== "seed")
    .map((flag) => (flag.startsWith(`${algorithm}-`) ? flag.slice(algorithm.length + 1) : flag));
  return new Set(own.map((flag) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())));
}

const isGroup = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x) && !("signal" in x);

/** What is in groups, each by itself: `return.mean`. */
export const flat = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] =>
      isGroup(value) ? Object.entries(value).map(([part, x]) => [`${name}.${part}`, x]) : [[name, value]],
    ),
  );
