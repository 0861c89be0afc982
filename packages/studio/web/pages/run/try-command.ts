import type { RunDetail } from "../../../src/wire.ts";

/** Flags of a command that belong to the run it started, and not to another one. */
const ofTheRun = / --(?:directory|name)[ =](?:'[^']*'|\S+)| --(?:overwrite|quiet)\b/g;

/**
 * The command of a run with the setting changed that a finding says to lower or raise: "lower learningRate (now 0.003)" gives
 * `--learning-rate 0.001`. Undefined where the run was started by a program, or where no such setting of it is a number.
 */
export function tryCommand(
  { reproduce, config }: Pick<RunDetail, "reproduce" | "config">,
  fix: string,
): string | undefined {
  if (reproduce === undefined) return undefined;
  const options = (config.options ?? {}) as Readonly<Record<string, unknown>>;
  for (const [, way, setting] of fix.matchAll(/\b(lower|raise) ([a-z][A-Za-z]*)/gi)) {
    const value = options[setting];
    // The run itself has flags of these names.
    if (typeof value !== "number" || value === 0 || setting === "steps" || setting === "seed") continue;
    const next = way.toLowerCase() === "lower" ? value / 3 : raised(value);
    const flag = `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const bare = reproduce.replace(ofTheRun, "").replace(new RegExp(` ${flag}[ =]\\S+`), "");
    const text = Number.isInteger(value) ? Math.max(1, Math.round(next)) : Number(next.toPrecision(2));
    return `${bare} ${flag} ${text}`;
  }
  return undefined;
}

/** Three times as much; of shares such as discount factors, a third of what is left to 1. */
const raised = (value: number): number => (value >= 0.5 && value < 1 ? 1 - (1 - value) / 3 : value * 3);
