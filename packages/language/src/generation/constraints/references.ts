import { fail } from "@reins/core";
import type { JsonSchema, SchemaObject } from "./keywords.ts";
import type { Work } from "./work.ts";

/** Cost of visiting one part of a schema, in steps. */
const visitSteps = 10;

/** Resolves references within a schema. */
export class References {
  private readonly root: JsonSchema;
  /** Counts the steps of traversing the schema. */
  readonly work: Work;
  /** Recursive schemas that references point to. */
  readonly recursive = new Set<unknown>();

  constructor(root: JsonSchema, work: Work) {
    this.root = root;
    this.work = work;
    const targets = new Set<unknown>();
    this.visit(root, new Set(), (target) => targets.add(target));
    for (const target of targets)
      this.visit(target, new Set(), (found) => {
        if (found === target) this.recursive.add(target);
      });
  }

  /** The schema that a reference names. */
  find(reference: unknown, at: string): JsonSchema {
    if (typeof reference !== "string" || !/^#($|\/)/.test(reference))
      fail(at, `the reference ${JSON.stringify(reference)} is not supported. Use the form "#/$defs/name".`);
    let found: unknown = this.root;
    for (const part of (reference as string).split("/").slice(1)) {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      found =
        typeof found === "object" && found !== null && Object.hasOwn(found, name)
          ? (found as SchemaObject)[name]
          : fail(
              at,
              `the reference ${JSON.stringify(reference)} cannot be resolved: "${name}" does not exist.`,
            );
    }
    return found as JsonSchema;
  }

  /** Follows references to a schema that is not a reference. Circular references are rejected. */
  resolve(schema: JsonSchema, at: string): JsonSchema {
    const seen = new Set<JsonSchema>();
    for (; typeof schema === "object" && schema.$ref !== undefined; schema = this.find(schema.$ref, at)) {
      if (seen.has(schema)) fail(at, "the reference is circular.");
      seen.add(schema);
    }
    return schema;
  }

  /** Visits everything below a schema, also through references. */
  private visit(schema: unknown, seen: Set<unknown>, found: (target: unknown) => void): void {
    if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
    this.work.spend(visitSteps);
    seen.add(schema);
    const reference = (schema as SchemaObject).$ref;
    if (typeof reference === "string" && reference.startsWith("#")) {
      const target = this.find(reference, "schema");
      found(target);
      this.visit(target, seen, found);
    }
    for (const value of Object.values(schema)) this.visit(value, seen, found);
  }
}
