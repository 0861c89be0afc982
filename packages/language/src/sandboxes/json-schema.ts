import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import { notInstalled } from "./engines.ts";
import type { Json } from "./json.ts";
import { compareOwn, inheritNothing, unclear, withoutProto } from "./own-names.ts";
import { failure, type Limits, type Sandbox, type SandboxOutcome } from "./sandbox.ts";
import { OutOfTime, stackIsFull, within } from "./time-limit.ts";

/** A document to hold against a schema, both as text. */
export interface Document {
  readonly schema: string;
  readonly data: string;
}

const defaults: Limits = { milliseconds: 1000, megabytes: 64, characters: 20_000 };
/** Schemas kept compiled: compiling takes a hundred times as long as checking. */
const kept = 64;

/**
 * JSON Schema (draft 2020-12) in Ajv. The value says whether the document satisfies the schema; a document or schema that is not JSON is
 * an error. References outside the schema are refused. Memory is limited through what goes in, as Ajv makes nothing of its own.
 */
export function jsonSchema(options: Partial<Limits> = {}): Sandbox<Document, boolean> {
  const limits = { ...defaults, ...options };
  const compiled = new Map<string, ValidateFunction>();
  let ajv: Promise<Ajv2020> | undefined;
  return {
    id: "json-schema",
    limits,
    async run({ schema, data }) {
      if (schema.length + data.length > limits.characters)
        return failure("refused", "The document is too long.");
      const ready = await (ajv ??= newAjv());
      try {
        return within(limits.milliseconds, () => check(ready, compiled, schema, data));
      } catch (error) {
        // It may have been stopped in the middle of compiling.
        if (error instanceof OutOfTime || stackIsFull(error)) ajv = undefined;
        // A regular expression that never ends is stopped like anything else.
        if (error instanceof OutOfTime) return failure("timeout", error.message);
        return failure(stackIsFull(error) ? "memory" : "error", (error as Error)?.message);
      }
    },
  };
}

/** Ajv that takes names that objects inherit for what they are. */
export async function newAjv(): Promise<Ajv2020> {
  const { Ajv2020 } = await import("ajv/dist/2020.js").catch(notInstalled("json-schema", "ajv"));
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    code: { process: inheritNothing },
  });
  compareOwn(ajv);
  // The first schema takes as long as hundreds, as Ajv compiles the schema of schemas for it: here, where no clock runs.
  ajv.compile(true);
  return ajv;
}

function check(
  ajv: Ajv2020,
  compiled: Map<string, ValidateFunction>,
  schema: string,
  data: string,
): SandboxOutcome<boolean> {
  const document: unknown = JSON.parse(data);
  let validate = compiled.get(schema);
  if (!validate) {
    const parsed: Json = JSON.parse(schema);
    const reason = refusal(parsed);
    if (reason) return failure("refused", reason);
    const fault = unclear(schema, parsed);
    if (fault) return failure("error", fault);
    const clear = withoutProto(parsed) as object;
    validate = ajv.compile(clear);
    // Compiled schemas are kept here and not there, so that none can be reached from another.
    ajv.removeSchema(clear);
    if (compiled.size >= kept) compiled.clear();
    compiled.set(schema, validate);
  }
  return { status: "ok", value: validate(document) as boolean };
}

/** Why a schema is not compiled, if it is not. */
function refusal(schema: unknown): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  for (const [key, value] of Object.entries(schema)) {
    if (/^\$(ref|dynamicRef|schema)$/.test(key) && typeof value === "string" && !value.startsWith("#"))
      return `${key} points outside the schema.`;
    if (key === "$async" || key === "$data" || key === "$id") return `${key} is not allowed.`;
    const reason = refusal(value);
    if (reason) return reason;
  }
  return undefined;
}
