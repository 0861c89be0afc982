import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hubTokenizer } from "../../tokenizers/hub.ts";
import { Automaton } from "./automaton.ts";
import { bytesOf, schema } from "./constraint.ts";
import { expression } from "./expression.ts";
import type { JsonSchema } from "./keywords.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url));
const hub = hubTokenizer(JSON.parse(readFileSync(join(root, "hf/tokenizer.json"), "utf8")) as object);

const nested = (levels: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema => {
  let made: JsonSchema = { type: "string" };
  for (let i = 0; i < levels; i++) made = wrap(made);
  return made;
};
const text = (pattern: string): JsonSchema => ({ type: "string", pattern });
/** Schemas of a few kilobytes that would take very long or very much memory if accepted. */
const hostile: { readonly [name: string]: JsonSchema } = {
  "a list of 12,000 values": { enum: Array.from({ length: 12_000 }, (_, i) => `value ${i * 7919}`) },
  "anyOf within anyOf": nested(12, (inner) => ({ anyOf: [inner, { type: "array", items: inner }] })),
  "oneOf of many patterns": {
    oneOf: Array.from({ length: 200 }, (_, i) => text(`^(a|b)*a(a|b){${i % 14}}c{${i}}$`)),
  },
  "oneOf of many objects": {
    oneOf: Array.from({ length: 3000 }, (_, i) => ({
      type: "object",
      properties: { kind: { const: `${i}` } },
      required: ["kind"],
    })),
  },
  "maxItems of a billion": { type: "array", items: { type: "integer" }, maxItems: 1e9 },
  "maxLength of a billion": { type: "string", maxLength: 1e9 },
  "minLength of a billion": { type: "string", minLength: 1e9 },
  "a repetition of a billion": text("^a{1000000000}$"),
  "repetitions of repetitions": text("^(((a{1,300}b?){1,300}c?){1,300}d?){1,300}$"),
  "repetitions of choices": text("^((a|aa|aaa){1,500}b?){1,500}$"),
  "an exponential pattern": text("^[ab]*a[ab]{30}$"),
  "an exponential pattern with a length": { ...(text("^[ab]*a[ab]{30}$") as object), maxLength: 4000 },
  "many exponential patterns": {
    anyOf: Array.from({ length: 40 }, (_, i) =>
      text(`^[a-z]*${String.fromCharCode(97 + (i % 26))}[a-z]{${i + 4}}$`),
    ),
  },
  "a reference to itself": {
    $defs: { a: { type: "array", items: { $ref: "#/$defs/a" } } },
    $ref: "#/$defs/a",
  },
  "references that branch": {
    $defs: Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `d${i}`,
        { anyOf: [1, 2, 3].map((k) => ({ type: "array", items: { $ref: `#/$defs/d${(i * k + k) % 60}` } })) },
      ]),
    ),
    $ref: "#/$defs/d0",
  },
  "a chain of references": {
    $defs: Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [
        `d${i}`,
        i === 1999 ? { type: "string" } : { $ref: `#/$defs/d${i + 1}` },
      ]),
    ),
    $ref: "#/$defs/d0",
  },
  "optional members": {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [`m${i}`, { type: "number", minimum: 0.1, maximum: 1e20 }]),
    ),
  },
};

/** Compiles a schema and generates for a while: the first allowed token, or every seventh. */
function written(of: JsonSchema): {
  readonly error?: string;
  readonly bytes: number;
  readonly tokens: readonly number[];
} {
  let constraint: ReturnType<typeof schema> | undefined;
  const tokens: number[] = [];
  try {
    constraint = schema(of, hub);
    const allowed = new Uint8Array(hub.size);
    for (let i = 0; i < 40; i++) {
      constraint(tokens, allowed);
      const found = [...allowed.keys()].filter((t) => allowed[t] && t !== hub.end);
      if (found.length === 0) break;
      tokens.push(found[(i * 7) % found.length]);
    }
  } catch (error) {
    return { error: (error as Error).message, bytes: constraint ? bytesOf(constraint) : 0, tokens };
  }
  return { bytes: bytesOf(constraint), tokens };
}

describe("a hostile schema is rejected by a bound, or compiled within it", () => {
  it.each(Object.keys(hostile))("%s", { timeout: 60_000 }, (name) => {
    const found = written(hostile[name]);
    if (found.error !== undefined) expect(found.error).toMatch(/more than \d+|at most|is not supported/);
    expect(found.bytes).toBeLessThan(200e6);
    // The bound counts steps, not time: a second attempt ends the same way.
    expect(written(hostile[name])).toEqual(found);
  });
});

it("an automaton recreates the same states after forget()", () => {
  const automaton = new Automaton(expression("([ab]{2,9}c?)*"));
  const texts = ["", "ab", "abc", "abcc", "aab", "ababababa", "abababababc", "abx"];
  const look = () => texts.map((of) => [automaton.matches(of), automaton.placesOf(automaton.read(of))]);
  const before = look();
  const places = automaton.places;
  automaton.forget();
  expect(automaton.places).toBeLessThan(places);
  expect(look()).toEqual(before);
  expect(automaton.places).toBe(places);
});
