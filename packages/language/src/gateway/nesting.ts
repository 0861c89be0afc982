import { ApiError } from "./api-error.ts";

/** Maximum nesting depth of a request: templates and schemas are processed recursively. */
const deepest = 128;

/** Rejects JSON that is nested too deeply. The check itself is iterative. */
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
