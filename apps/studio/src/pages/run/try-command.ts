import type { RunDetail } from "@reins/studio/wire";

/** Flags that must not be repeated in another run. */
const ofTheRun = / --(?:directory|name)[ =](?:'[^']*'|\S+)| --(?:overwrite|quiet)\b/g;

/**
 * The command of a run with the change that a finding recommends: "lower learningRate (now 0.003)" gives `--learning-rate 0.001`.
 * Undefined if the run was started from a program, or if the setting is not a number.
 */
export function tryCommand(
  { reproduce, config }: Pick<RunDetail, "reproduce" | "config">,
  fix: string,
): string | undefined {
  if (reproduce === undefined) return undefined;
  const options = (config.options ?? {}) as Readonly<Record<string, unknown>>;
  for (const [, way, setting] of fix.matchAll(/\b(lower|raise) ([a-z][A-Za-z]*)/gi)) {
    const value = options[setting];
    // These are flags of the run itself.
    if (typeof value !== "number" || value === 0 || setting === "steps" || setting === "seed") continue;
    const next = way.toLowerCase() === "lower" ? value / 3 : raised(value);
    const isCount = Number.isInteger(value) && !/(Rate|Weight|Norm|^tau)$/.test(setting);
    if (isCount && value === 1 && next < 1) continue;
    const flag = `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const bare = reproduce.replace(ofTheRun, "").replace(new RegExp(` ${flag}[ =]\\S+`), "");
    return `${bare} ${flag} ${isCount ? Math.max(1, Math.round(next)) : Number(next.toPrecision(2))}`;
  }
  return undefined;
}

/** Triples a value. For shares such as discount factors, the distance to 1 is divided by three. */
const raised = (value: number): number => (value >= 0.5 && value < 1 ? 1 - (1 - value) / 3 : value * 3);
