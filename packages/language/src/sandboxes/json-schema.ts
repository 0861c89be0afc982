import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import { OutOfTime, stackIsFull, within } from "../time-limit.ts";
import { notInstalled } from "./engines.ts";
import type { Json } from "./json.ts";
import { compareOwn, inheritNothing, unclear, withoutProto } from "./own-properties.ts";
import { failure, type Sandbox, type SandboxLimits, type SandboxOutcome } from "./sandbox.ts";
import { counting, OutOfSteps, pattern, Steps, UnreadPattern } from "./schema-steps.ts";

/** A document and a schema to validate it by, both as text. */
export interface Document {
  readonly schema: string;
  readonly data: string;
}

/** Limits of a validation. */
export interface JsonSchemaLimits extends SandboxLimits {
  /**
   * Schema calls, loop iterations and bytes that patterns read, some ten million per second: the deciding limit, the
   * same on every machine.
   */
  readonly steps: number;
}

// Steps limit validations; the clock is a last resort.
const defaults: JsonSchemaLimits = {
  milliseconds: 10_000,
  megabytes: 64,
  characters: 20_000,
  steps: 2_000_000,
};
/** Maximum number of cached compiled schemas: compiling takes a hundred times as long as validating. */
const kept = 64;

/**
 * JSON Schema (draft 2020-12) in Ajv. The value is whether the document satisfies the schema; a document or schema
 * that is not JSON is an error. External references are rejected, and so are patterns without a finite automaton
 * (lookaround, backreferences, word boundaries). Memory is limited through the input size, as Ajv allocates nothing
 * else.
 */
export function jsonSchema(options: Partial<JsonSchemaLimits> = {}): Sandbox<Document, boolean> {
  const limits = { ...defaults, ...options };
  const steps = new Steps(limits.steps);
  const compiled = new Map<string, ValidateFunction>();
  let ajv: Promise<Ajv2020> | undefined;
  return {
    id: "json-schema",
    limits,
    async run({ schema, data }) {
      if (schema.length + data.length > limits.characters)
        return failure("refused", "The document is too long.");
      const ready = await (ajv ??= newAjv(steps));
      try {
        return within(limits.milliseconds, () => check(ready, compiled, { schema, data }, steps));
      } catch (error) {
        // It may have been stopped while compiling.
        const isOver = error instanceof OutOfTime || error instanceof OutOfSteps;
        if (isOver || stackIsFull(error)) ajv = undefined;
        if (isOver) return failure("timeout", error.message);
        if (error instanceof UnreadPattern) return failure("refused", error.message);
        return failure(stackIsFull(error) ? "memory" : "error", (error as Error)?.message);
      }
    },
  };
}

/** Ajv with correct handling of names that objects inherit. With `steps` it counts the work of its checks. */
export async function newAjv(steps?: Steps): Promise<Ajv2020> {
  const { Ajv2020 } = await import("ajv/dist/2020.js").catch(notInstalled("json-schema", "ajv"));
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    code: steps
      ? {
          process: (code) => counting(inheritNothing(code)),
          regExp: Object.assign((source: string) => pattern(source, steps), { code: "new RegExp" }),
        }
      : { process: inheritNothing },
  });
  Object.assign(ajv, { steps });
  compareOwn(ajv);
  // The first schema takes as long as hundreds, as Ajv compiles its meta-schema: do it here, outside of any time
  // limit.
  ajv.compile(true);
  return ajv;
}

function check(
  ajv: Ajv2020,
  compiled: Map<string, ValidateFunction>,
  { schema, data }: Document,
  steps: Steps,
): SandboxOutcome<boolean> {
  steps.reset();
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
    // Compiled schemas are cached here and removed from Ajv, so that none can be referenced from another.
    ajv.removeSchema(clear);
    if (compiled.size >= kept) compiled.clear();
    compiled.set(schema, validate);
  }
  // Cached schemas take the same number of steps as new ones.
  steps.reset();
  return { status: "ok", value: validate(document) as boolean };
}

/** Why a schema is rejected, if it is. */
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
