import { fail } from "@reins/core";
import { disjoint } from "./disjoint.ts";
import { jsonTrees, type Member, type Notation } from "./json.ts";
import {
  alone,
  check,
  count,
  interval,
  type JsonSchema,
  overlap,
  type SchemaObject,
  type Type,
  typeOf,
  typesOf,
} from "./keywords.ts";
import { decimals, integers } from "./numbers.ts";
import { References } from "./references.ts";
import { quoted, stringTree } from "./strings.ts";
import { anyCharacter, either, eitherOf, except, nothing, repeat, rule, type Tree, text } from "./tree.ts";
import { Work } from "./work.ts";

const infinity = Number.POSITIVE_INFINITY;

/**
 * The JSON texts that satisfy a schema, as a tree. Every text of the tree is valid. Valid texts that it excludes:
 * - members in another order than the schema's, and members that neither the schema nor `additionalProperties` names,
 * unless the schema names none;
 * - items after `prefixItems`, unless `items` or `minItems` requires them;
 * - types other than those of the schema's keywords, where it has keywords but no `type`;
 * - unusual spellings of strings and numbers (see {@link quoted}, {@link integers}, {@link decimals}).
 *
 * Names that the schema leaves open may occur twice in an object: an automaton cannot remember them, and JSON does
 * not forbid it. Verifiers of answers do, so name the members where it matters.
 */
export function schemaTree(root: JsonSchema, notation: Notation = {}): Tree {
  const json = jsonTrees(notation);
  const references = new References(root, new Work());
  const rules = new Map<JsonSchema, Tree>();

  const valueOf = (schema: JsonSchema, at: string): Tree => {
    if (schema === true) return json.anything;
    if (schema === false) return nothing;
    if (typeof schema !== "object" || schema === null || Array.isArray(schema))
      fail(at, `${JSON.stringify(schema)} is not a schema.`);
    const known = rules.get(schema);
    if (known) return known;
    check(schema, at);
    const made = rule(() => treeOf(schema, at), references.recursive.has(schema) ? 1 : 0);
    rules.set(schema, made);
    return made;
  };

  const treeOf = (schema: SchemaObject, at: string): Tree => {
    const types = typesOf(schema, at);
    switch (alone.find((keyword) => keyword in schema)) {
      case "$ref":
        return valueOf(references.resolve(schema, at), String(schema.$ref));
      case "anyOf":
        return eitherOf(options(schema.anyOf, `${at}/anyOf`));
      case "oneOf":
        return exactlyOne(schema.oneOf, `${at}/oneOf`);
      case "enum":
      case "const": {
        const values = schema.enum === undefined ? [schema.const] : (schema.enum as unknown[]);
        const fits = (value: unknown, type: Type) =>
          type === "integer" ? typeOf(value) === "integer" : overlap(typeOf(value), type);
        return eitherOf(values.filter((v) => !types || types.some((t) => fits(v, t))).map(json.constant));
      }
      default:
        return types ? either(...types.map((type) => typed(schema, type, at))) : json.anything;
    }
  };

  const options = (schemas: unknown, at: string): Tree[] =>
    Array.isArray(schemas) && schemas.length
      ? schemas.map((schema: JsonSchema, i) => valueOf(schema, `${at}/${i}`))
      : fail(at, "it must be an array of schemas.");

  const exactlyOne = (schemas: unknown, at: string): Tree => {
    const trees = options(schemas, at);
    const list = schemas as JsonSchema[];
    list.forEach((a, i) =>
      list.slice(0, i).forEach((b, k) => {
        if (!disjoint(a, b, references, at))
          fail(
            at,
            `options ${k} and ${i} may match the same value, which oneOf forbids. Use anyOf, or require a member with different constants in both.`,
          );
      }),
    );
    return eitherOf(trees);
  };

  const typed = (schema: SchemaObject, type: Type, at: string): Tree => {
    switch (type) {
      case "string":
        return stringTree(schema, at);
      case "number":
        return decimals(interval(schema, at));
      case "integer":
        return integers(interval(schema, at));
      case "boolean":
        return either(text("true"), text("false"));
      case "null":
        return text("null");
      case "array":
        return arrayOf(schema, at);
      case "object":
        return objectOf(schema, at);
    }
  };

  const arrayOf = (schema: SchemaObject, at: string): Tree => {
    const { prefixItems = [], items } = schema as { prefixItems?: JsonSchema[]; items?: JsonSchema };
    if (Array.isArray(items)) fail(at, '"items" is an array. Use "prefixItems" instead.');
    const [least, most] = [count(schema, "minItems", 0, at), count(schema, "maxItems", infinity, at)];
    const open = items !== undefined || !prefixItems.length || least > prefixItems.length;
    return json.array(
      prefixItems.map((item, i) => valueOf(item, `${at}/prefixItems/${i}`)),
      open ? valueOf(items ?? true, `${at}/items`) : undefined,
      least,
      most,
    );
  };

  const objectOf = (schema: SchemaObject, at: string): Tree => {
    const { properties = {}, required = [] } = schema as {
      properties?: { [name: string]: JsonSchema };
      required?: string[];
    };
    const extra = (schema.additionalProperties ?? !Object.keys(properties).length) as JsonSchema;
    const others = () => valueOf(extra, `${at}/additionalProperties`);
    const names = Object.keys(properties);
    const members = names.map(
      (name): Member => ({
        name,
        value: valueOf(properties[name], `${at}/properties/${name}`),
        required: required.includes(name),
      }),
    );
    for (const name of required.filter((n, i) => !names.includes(n) && required.indexOf(n) === i)) {
      const value = schema.additionalProperties === undefined ? json.anything : others();
      members.push({ name, value, required: true });
    }
    if (extra === false) return json.object(members);
    const key = members.length
      ? quoted(except(repeat(anyCharacter), eitherOf(members.map((m) => text(m.name)))))
      : json.anyString;
    return json.object(members, { key, value: others() });
  };

  return valueOf(root, "schema");
}
