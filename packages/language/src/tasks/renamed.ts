import { fail } from "@reins/core";

/**
 * The name of {@link textTask} before version 0.2. Throws.
 *
 * @deprecated Use `textTask`.
 */
export const family = (_task: never): never => fail("family", "it has been renamed. Use textTask({ … }).");

/** Throws for options that name their language task `family`, as before version 0.2. */
export function requireTask(at: string, options: object): void {
  if ("family" in options) fail(at, "the option family has been renamed. Use task.");
  if (!("task" in options) || options.task === undefined)
    fail(at, "there is no task. Pass one: { task: arithmetic, … }.");
}
