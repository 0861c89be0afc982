import type { ProcessResult } from "./process.ts";

/** How a command ended after a fault: well, with a named error, or in an unacceptable way. */
export type Ending = { readonly kind: "well" | "named" } | { readonly kind: "wrong"; readonly why: string };

/** Classifies how a command ended. */
export function endingOf({ code, err: all, hung }: ProcessResult): Ending {
  // The first line may name the back end.
  const err = all.replace(/^reins: \w+ back end.*\n/m, "");
  const last = err.trim().split("\n").slice(0, 3).join(" | ").slice(0, 300);
  if (hung) return { kind: "wrong", why: "it hung" };
  if (code === null) return { kind: "wrong", why: `it died of a signal: ${last}` };
  if (/^\s+at .+(:\d+:\d+\)?|\))$/m.test(err)) return { kind: "wrong", why: `stack trace: ${last}` };
  if (code === 0) return { kind: "well" };
  if (!err.trim()) return { kind: "wrong", why: `exit code ${code} without a message` };
  return { kind: "named" };
}
