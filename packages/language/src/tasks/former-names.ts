import { fail } from "@reins/core";

/**
 * The name of {@link textTask} before version 0.2. Throws.
 *
 * @deprecated Use `textTask`.
 */
export const family = (_task: never): never => fail("family", "it has been renamed. Use textTask({ … }).");

/** Options of stages and arms: the name before version 0.2 and now. */
const options = {
  family: "task",
  ask: "encodePrompt",
  converse: "conversationEncoder",
  speaking: "chatFormat",
};

/** Throws for options without a language task, or under the names before version 0.2. */
export function requireTask(at: string, given: object): void {
  for (const [before, now] of Object.entries(options))
    if (before in given) fail(at, `the option ${before} has been renamed. Use ${now}.`);
  if (!("task" in given) || typeof given.task !== "object" || given.task === null)
    return fail(at, "there is no task. Pass one: { task: arithmetic, … }.");
  const { task } = given;
  const longest = "longest" in task ? task.longest : undefined;
  if (typeof longest === "object" && longest !== null && "talk" in longest)
    fail(at, "longest.talk of a task has been renamed. Use longest.conversation.");
}

/** Throws for a problem with a field under its name before version 0.2. */
export function checkProblem(at: string, problem: object): void {
  if ("picture" in problem) fail(at, "the field picture of a problem has been renamed. Use image.");
}
