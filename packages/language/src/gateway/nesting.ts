import { ApiError } from "./api-error.ts";

/** Most levels of arrays and objects in a request: templates and schemas are read by recursion. */
const deepest = 128;

/** Refuses JSON that is nested too deeply. It is looked at level by level, not by recursion. */
export function checkNesting(body: unknown): void {
  let level = [body];
  for (let depth = 0; level.length; depth++) {
    if (depth > deepest)
      throw new ApiError(400, `The body is nested more than ${deepest} levels deep.`, {
        code: "invalid_value",
      });
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value).filter(isNested) : [],
    );
  }
}

const isNested = (value: unknown) => typeof value === "object" && value !== null;
