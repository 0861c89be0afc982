import { wrap } from "../terminal/format.ts";
import type { Ink } from "../terminal/ink.ts";
import type { Flags } from "./flags.ts";

/** Flags and their descriptions in two columns. */
export function flagLines(flags: Flags, ink: Ink, width = 100): string[] {
  const named = Object.entries(flags).map(([name, flag]) => ({
    typed: `--${flag.off ? "no-" : ""}${name}${flag.value ? ` ${flag.value}` : ""}`,
    about: flag.about,
  }));
  const left = Math.min(30, Math.max(...named.map((n) => n.typed.length))) + 4;
  return named.flatMap(({ typed, about }) => {
    const [first, ...rest] = wrap(about, width - left);
    const start = `  ${typed}`;
    const head = start.length < left ? [start.padEnd(left) + first] : [start, " ".repeat(left) + first];
    return [...head, ...rest.map((line) => " ".repeat(left) + line)].map((line) =>
      line.startsWith(start) ? `  ${ink.color(0, typed)}${line.slice(start.length)}` : line,
    );
  });
}
