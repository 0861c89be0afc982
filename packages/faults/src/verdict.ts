import type { Said } from "./process.ts";

/** How a command that met a fault ended: well, with an error that says what to do, or in a way it must not. */
export type Ending = { readonly kind: "well" | "named" } | { readonly kind: "wrong"; readonly why: string };

/** Judges the end of a command. */
export function endingOf({ code, err: all, hung }: Said): Ending {
  // Which back end it is, is said before anything else.
  const err = all.replace(/^reins: \w+ back end.*\n/m, "");
  const last = err.trim().split("\n").slice(0, 3).join(" | ").slice(0, 300);
  if (hung) return { kind: "wrong", why: "it hung" };
  if (code === null) return { kind: "wrong", why: `it died of a signal: ${last}` };
  if (/^\s+at .+(:\d+:\d+\)?|\))$/m.test(err)) return { kind: "wrong", why: `stack trace: ${last}` };
  if (code === 0) return { kind: "well" };
  if (!err.trim()) return { kind: "wrong", why: `exit code ${code} without a word` };
  return { kind: "named" };
}
