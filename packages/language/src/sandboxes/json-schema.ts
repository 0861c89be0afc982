import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import { notInstalled } from "./engines.ts";
import type { Json } from "./json.ts";
import { compareOwn, inheritNothing, unclear, withoutProto } from "./own-names.ts";
import { failure, type Limits, type Sandbox, type SandboxOutcome } from "./sandbox.ts";
import { counting, OutOfSteps, pattern, Steps, UnreadPattern } from "./schema-steps.ts";
import { OutOfTime, stackIsFull, within } from "./time-limit.ts";

/** A document to hold against a schema, both as text. */
export interface Document {
  readonly schema: string;
  readonly data: string;
}

/** How much checking a document may use. */
export interface JsonSchemaLimits extends Limits {
  /** Calls of schemas, turns of loops and bytes that patterns read, some ten million a second: the limit that decides, the same on each machine. */
  readonly steps: number;
}

// Checks are limited by steps; the clock is a last resort.
const defaults: JsonSchemaLimits = {
  milliseconds: 10_000,
  megabytes: 64,
  characters: 20_000,
  steps: 2_000_000,
};
/** Schemas kept compiled: compiling takes a hundred times as long as checking. */
const kept = 64;

/**
 * JSON Schema (draft 2020-12) in Ajv. The value says whether the document satisfies the schema; a document or schema that is not JSON is
 * an error. References outside the schema are refused, and so are patterns that no automaton can read (looking ahead or behind, references back,
 * borders of words). Memory is limited through what goes in, as Ajv makes nothing of its own.
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
        // It may have been stopped in the middle of compiling.
        const isOver = error instanceof OutOfTime || error instanceof OutOfSteps;
        if (isOver || stackIsFull(error)) ajv = undefined;
        if (isOver) return failure("timeout", error.message);
        if (error instanceof UnreadPattern) return failure("refused", error.message);
        return failure(stackIsFull(error) ? "memory" : "error", (error as Error)?.message);
      }
    },
  };
}

/** Ajv that takes names that objects inherit for what they are. With `steps` it counts what its checks do. */
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
  // The first schema takes as long as hundreds, as Ajv compiles the schema of schemas for it: here, where no clock runs.
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
    // Compiled schemas are kept here and not there, so that none can be reached from another.
    ajv.removeSchema(clear);
    if (compiled.size >= kept) compiled.clear();
    compiled.set(schema, validate);
  }
  // A schema that was compiled before takes as many steps as one that was not.
  steps.reset();
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
