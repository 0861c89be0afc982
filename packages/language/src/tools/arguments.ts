import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { newAjv } from "../sandboxes/json-schema.ts";
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
  const check: ArgumentCheck = (args) => (validate(args) ? undefined : reasonOf(validate));
  checks.set(parameters, check);
  return check;
}

function reasonOf({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return first ? `${placeOf(first)} ${first.message ?? "is not what the schema says"}` : "they do not fit";
}

const placeOf = ({ instancePath }: ErrorObject) =>
  instancePath ? instancePath.slice(1).replaceAll("/", ".") : "arguments";
