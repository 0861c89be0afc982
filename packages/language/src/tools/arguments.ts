import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { newAjv } from "../sandboxes/json-schema.ts";
import { limited, OutOfTime } from "../time-limit.ts";
import type { ToolSchema } from "./schema-types.ts";

/** Returns the error in the arguments of a call; undefined if they are valid. */
export type ArgumentCheck = (args: unknown) => string | undefined;

let ajv: Promise<Ajv2020> | undefined;
const checks = new WeakMap<ToolSchema, ArgumentCheck>();

/** Validates arguments by a tool's schema. Throws if the schema itself is invalid. */
export async function argumentCheck(parameters: ToolSchema): Promise<ArgumentCheck> {
  const known = checks.get(parameters);
  if (known) return known;
  const ready = await (ajv ??= newAjv());
  const validate = ready.compile(parameters);
  const plain: ArgumentCheck = (args) => (validate(args) ? undefined : reasonOf(validate));
  // Patterns of external tools can backtrack for years on arguments that a model wrote.
  const check: ArgumentCheck = hasPatterns(parameters) ? (args) => inTime(() => plain(args)) : plain;
  checks.set(parameters, check);
  return check;
}

/** Milliseconds for the patterns of a schema. */
const patience = 1000;

function inTime(check: () => string | undefined): string | undefined {
  try {
    return limited(patience, check, () => {
      throw new OutOfTime(patience);
    });
  } catch (error) {
    if (error instanceof OutOfTime) return "arguments take too long to check by the patterns of the schema";
    throw error;
  }
}

const hasPatterns = (schema: ToolSchema) => /"pattern(Properties)?":/.test(JSON.stringify(schema));

function reasonOf({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return first ? `${placeOf(first)} ${first.message ?? "is not what the schema says"}` : "they do not fit";
}

const placeOf = ({ instancePath }: ErrorObject) =>
  instancePath ? instancePath.slice(1).replaceAll("/", ".") : "arguments";
