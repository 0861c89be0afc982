import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { newAjv } from "../sandboxes/json-schema.ts";
import { limited, OutOfTime, stackIsFull } from "../time-limit.ts";
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
  // Its result is a promise, which is as good as true.
  if ("$async" in validate) throw new Error("$async is not supported");
  const plain: ArgumentCheck = (args) => {
    try {
      return validate(args) ? undefined : reasonOf(validate);
    } catch (error) {
      if (!stackIsFull(error)) throw error;
      return "the schema refers to itself without end, or the arguments are nested too deeply";
    }
  };
  // Patterns and references of external tools can take years on arguments that a model wrote.
  const check: ArgumentCheck = isSlow(parameters) ? (args) => inTime(() => plain(args)) : plain;
  checks.set(parameters, check);
  return check;
}

/** Milliseconds for the patterns and references of a schema. */
const patience = 1000;

function inTime(check: () => string | undefined): string | undefined {
  try {
    return limited(patience, check, () => {
      throw new OutOfTime(patience);
    });
  } catch (error) {
    if (error instanceof OutOfTime) return "arguments take too long to check by the schema";
    throw error;
  }
}

const isSlow = (schema: ToolSchema) =>
  /"(?:pattern(?:Properties)?|\$(?:ref|dynamicRef|recursiveRef))":/.test(JSON.stringify(schema));

function reasonOf({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return first ? `${placeOf(first)} ${first.message ?? "is not what the schema says"}` : "they do not fit";
}

const placeOf = ({ instancePath }: ErrorObject) =>
  instancePath ? instancePath.slice(1).replaceAll("/", ".") : "arguments";
