import { fail } from "@reins/core";
import { methodsOf, notYet } from "./coverage.ts";
import type { Mapped } from "./recipe.ts";

/** Makes an entry for a survey and checks it. */
export function mapped(m: Omit<Mapped, "kind">): Mapped {
  const where = `survey ${m.id}`;
  const methods = methodsOf(m.covers);
  if (methods.length === 0) fail(where, "it covers no methods. List those that the survey names.");
  const empty = methods.find(({ parts }) => parts.includes(""));
  if (empty)
    fail(where, `${empty.method} has an empty part. Name parts with single spaces, or write "${notYet}".`);
  return { kind: "mapped", ...m };
}
