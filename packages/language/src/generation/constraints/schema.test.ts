import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { jsonSchema } from "../../sandboxes/json-schema.ts";
import { Automaton } from "./automaton.ts";
import type { JsonSchema, SchemaObject } from "./keywords.ts";
import { beside, decimals, integers } from "./numbers.ts";
import { dead } from "./product.ts";
import { schemaTree } from "./schema.ts";

type Random = () => number;

/** Marsaglia's xorshift, from 0 up to 1. */
function randomFrom(seed: number): Random {
  let x = (seed * 2654435761 + 1) | 0;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}

/** The bytes of a shortest path to an end; fails at a dead end. */
function finish(automaton: Automaton, from: number): number[] {
  const ways = new Map<number, { byte: number; before: number }>([[from, { byte: -1, before: -1 }]]);
  for (const state of ways.keys()) {
    if (automaton.accepts(state)) {
      const bytes: number[] = [];
      for (let s = state; s !== from; s = ways.get(s)!.before) bytes.unshift(ways.get(s)!.byte);
      return bytes;
    }
    for (let byte = 0; byte < 256; byte++) {
      const next = automaton.next(state, byte);
      if (next !== dead && !ways.has(next)) ways.set(next, { byte, before: state });
    }
  }
  throw new Error("There is no way to an end.");
}

/** A text on a random path through the automaton, completed after some steps. */
function walk(automaton: Automaton, random: Random, steps: number): string {
  const bytes: number[] = [];
  let state = automaton.start;
  for (let i = 0; i < steps; i++) {
    const open: number[] = [];
    for (let byte = 0; byte < 256; byte++) if (automaton.next(state, byte) !== dead) open.push(byte);
    if (!open.length || (automaton.accepts(state) && random() < 0.1)) break;
    // Most bytes are parts of rare characters: half of the time, use one with a meaning in JSON.
    const telling =
      random() < 0.5 ? open.filter((b) => '"{}[],:-.0159e\\un'.includes(String.fromCharCode(b))) : open;
    const from = telling.length ? telling : open;
    bytes.push(from[Math.floor(random() * from.length)]);
    state = automaton.next(state, bytes[bytes.length - 1]);
  }
  bytes.push(...finish(automaton, state));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/** A value that satisfies a schema without patterns. */
function make(schema: JsonSchema, root: SchemaObject, random: Random, depth = 0): unknown {
  const below = (n: number) => Math.floor(random() * n);
  const again = (s: JsonSchema) => make(s, root, random, depth + 1);
  if (schema === true) return [null, -7, 0.25, 'x"\n', [1, [true]], { é: {} }][below(depth ? 4 : 6)];
  const s = schema as { [keyword: string]: never } & { properties?: object; required?: string[] };
  if (s.$ref === "#") return again(root);
  if (s.$ref) return again((root.$defs as SchemaObject)[String(s.$ref).slice(8)] as JsonSchema);
  const options = (s.anyOf ?? s.oneOf ?? s.enum) as JsonSchema[] | undefined;
  // Shorter options come last, so that deep values end.
  if (options) {
    const i = depth > 2 ? options.length - 1 : below(options.length);
    return s.enum ? options[i] : again(options[i]);
  }
  if ("const" in s) return s.const;
  const [type] = [s.type].flat() as string[];
  const [low, high] = [s.minimum ?? -1000, s.maximum ?? 1000] as [number, number];
  const length = (least: number, most: number) => least + below(most - least + 1);
  switch (type) {
    case "string": {
      const n = length(s.minLength ?? 0, s.maxLength ?? (s.minLength ?? 0) + 4);
      return Array.from(
        { length: n },
        () => ["a", '"', "\\", "\n", "é", "🙂", "\u0001", "\u2028"][below(8)],
      ).join("");
    }
    case "number":
      return low + random() * (high - low);
    case "integer":
      return Math.ceil(low) + below(Math.floor(high) - Math.ceil(low) + 1);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "array": {
      const prefix = (s.prefixItems ?? []) as JsonSchema[];
      const fewest = s.minItems ?? 0;
      const n = length(
        fewest,
        s.maxItems ?? (s.items ? Math.max(fewest, prefix.length) + (depth > 2 ? 0 : 2) : prefix.length),
      );
      return Array.from({ length: n }, (_, i) => again(prefix[i] ?? s.items ?? true));
    }
    default: {
      const members = Object.entries(s.properties ?? {})
        .filter(([name]) => s.required?.includes(name) || random() < (depth > 2 ? 0 : 0.5))
        .map(([name, value]) => [name, again(value as JsonSchema)] as const);
      const extra = s.additionalProperties ? [[`other ${below(9)}`, again(s.additionalProperties)]] : [];
      return Object.fromEntries([...members, ...extra]);
    }
  }
}

const tree: SchemaObject = {
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      properties: {
        value: { type: "integer", minimum: 0, maximum: 9 },
        children: { type: "array", items: { $ref: "#/$defs/node" } },
      },
      required: ["value"],
    },
  },
};
const shape: SchemaObject = {
  oneOf: [
    {
      type: "object",
      properties: { kind: { const: "circle" }, radius: { type: "number", minimum: 0 } },
      required: ["kind", "radius"],
    },
    {
      type: "object",
      properties: {
        kind: { const: "box" },
        sides: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 3 },
      },
      required: ["kind", "sides"],
    },
  ],
};
const address = {
  type: "object",
  properties: {
    street: { type: "string", minLength: 1, maxLength: 12 },
    number: { type: "integer", minimum: 1, maximum: 2999 },
    'a "b"\\': { type: ["null", "boolean"] },
  },
  required: ["number"],
};

/** Schemas with texts that they accept and texts that they reject. */
const cases: [name: string, schema: SchemaObject, right: string[], wrong: string[]][] = [
  [
    "strings",
    { type: "string" },
    ['""', '"a\\n\\"\\\\ü🙂\\u0000"'],
    ["a", '"', '"\n"', '"\\x"', '"a" ', '"\\u0041"'],
  ],
  ["short strings", { type: "string", minLength: 2, maxLength: 3 }, ['"ab"', '"🙂\\n🙂"'], ['"a"', '"abcd"']],
  ["patterns", { type: "string", pattern: "^[a-c]+\\d?$" }, ['"abc7"'], ['"7"', '"abcd"', '""']],
  ["patterns within", { type: "string", pattern: 'x"y' }, ['"ax\\"yb"', '"x\\"y"'], ['"xy"', '"x\\"z"']],
  [
    "patterns of a length",
    { type: "string", pattern: "a.*b", minLength: 4, maxLength: 6 },
    ['"a12b"', '"xxabxx"'],
    ['"ab"', '"a12345b"', '"bbaa"'],
  ],
  [
    "integers",
    { type: "integer" },
    ["0", "-12", "9007199254740991"],
    ["-0", "01", "1.0", "1e2", "9007199254740992", "+1"],
  ],
  [
    "bounded integers",
    { type: "integer", exclusiveMinimum: -3.5, maximum: 12 },
    ["-3", "12", "0"],
    ["-4", "13", "012"],
  ],
  [
    "numbers",
    { type: "number" },
    ["0", "-0.5", "1e-7", "1.5e+300", "1e21", "123456789012345680000"],
    [".5", "1.", "00", "1e999"],
  ],
  [
    "bounded numbers",
    { type: "number", minimum: -0.5, exclusiveMaximum: 2.25 },
    ["-0.5", "2.2499", "0", "-0"],
    ["-0.51", "2.25", "2.250", "1e0"],
  ],
  [
    "constants",
    { const: { a: [1, "x", null], b: {} } },
    ['{"a":[1,"x",null],"b":{}}'],
    ["{}", '{"b":{},"a":[1,"x",null]}'],
  ],
  [
    "enumerations",
    { enum: ["a", 1, 1.5, null, true], type: ["string", "integer"] },
    ['"a"', "1"],
    ["1.5", "null"],
  ],
  [
    "types",
    { type: ["string", "null", "boolean"], maxLength: 1 },
    ['"x"', "null", "true"],
    ["0", '"xy"', "{}"],
  ],
  [
    "lists",
    { type: "array", items: { type: "integer", minimum: 0, maximum: 20 } },
    ["[]", "[1]", "[1,20,3]"],
    ["[,1]", "[21]", "[1,]", "[1 ,2]"],
  ],
  [
    "counted lists",
    { type: "array", items: { type: "boolean" }, minItems: 2, maxItems: 4 },
    ["[true,true]", "[true,false,true,true]"],
    ["[]", "[true]", "[true,true,true,true,true]"],
  ],
  ["empty lists", { type: "array", items: { type: "boolean" }, maxItems: 0 }, ["[]"], ["[true]"]],
  [
    "tuples",
    {
      type: "array",
      prefixItems: [{ type: "integer" }, { type: "string" }],
      items: { type: "null" },
      maxItems: 4,
    },
    ["[]", "[1]", '[1,"a"]', '[1,"a",null,null]'],
    ["[null]", '[1,"a",1]', '[1,"a",null,null,null]'],
  ],
  [
    "closed tuples",
    { type: "array", prefixItems: [{ const: 1 }, { const: 2 }], minItems: 1 },
    ["[1]", "[1,2]"],
    ["[]", "[2]", "[1,2,3]"],
  ],
  [
    "tuples with more",
    { type: "array", prefixItems: [{ const: 1 }], minItems: 2, maxItems: 2 },
    ["[1,{}]", "[1,[2]]"],
    ["[1]", "[1,1,1]"],
  ],
  [
    "objects",
    address,
    ['{"number":5}', '{"street":"x","number":5,"a \\"b\\"\\\\":null}'],
    ["{}", '{"street":"x"}', '{"number":5,"street":"x"}', '{"number":5,"other":1}', '{"number":5,}'],
  ],
  [
    "objects of optional members",
    { properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } } },
    ["{}", '{"b":2}', '{"a":1,"c":3}', '{"a":1,"b":2,"c":3}'],
    ['{,"b":2}', '{"a":1"b":2}', '{"c":3,"a":1}'],
  ],
  [
    "open objects",
    {
      type: "object",
      properties: { a: { type: "null" } },
      additionalProperties: { type: "integer" },
      required: ["a", "z"],
    },
    ['{"a":null,"z":1}', '{"a":null,"z":1,"q":2,"aa":3}'],
    ['{"a":null}', '{"a":null,"z":1,"a":2}', '{"a":null,"z":null}'],
  ],
  [
    "optional and open",
    { type: "object", properties: { a: { type: "null" } }, additionalProperties: true },
    ["{}", '{"b":[1]}', '{"a":null,"b":1}'],
    ['{"a":1}', '{"b":1,"a":null}'],
  ],
  ["free objects", { type: "object" }, ["{}", '{"a":{"b":1}}'], ["[]", "1"]],
  [
    "required alone",
    { type: "object", required: ["x"], additionalProperties: { type: "boolean" } },
    ['{"x":true}'],
    ["{}", '{"x":1}'],
  ],
  [
    "one of",
    shape,
    ['{"kind":"circle","radius":2.5}', '{"kind":"box","sides":[1,2]}'],
    ['{"kind":"box","radius":1}', '{"kind":"circle","radius":-1}'],
  ],
  [
    "any of",
    { anyOf: [address, { type: "array", items: address }, { type: "null" }] },
    ["null", '[{"number":1}]', '{"number":1}'],
    ["[null]"],
  ],
  [
    "trees",
    tree,
    ['{"value":1}', '{"value":1,"children":[{"value":2,"children":[]},{"value":3}]}'],
    ["{}", '{"value":1,"children":[1]}'],
  ],
  ["the root again", { type: "array", items: { $ref: "#" } }, ["[]", "[[],[[]]]"], ["[1]", "[[[[[]]]]]"]],
  [
    "definitions",
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/x~1y" }, b: { $ref: "#/$defs/x~1y" } },
      required: ["a", "b"],
      $defs: { "x/y": { enum: [1, 2] } },
    },
    ['{"a":1,"b":2}'],
    ['{"a":1,"b":3}'],
  ],
  ["anything", {}, ["1", "[]", '{"a":[1,{"b":null}]}', '"x"', "-1.5e-9"], ["", "[[[[1]]]]", "nul", "[1,]"]],
  [
    "notes",
    { type: "boolean", title: "t", description: "d", default: true, format: "x", examples: [1] },
    ["true"],
    ["1"],
  ],
  [
    "impossible members",
    { type: "object", properties: { a: false, b: { const: 1 } } },
    ["{}", '{"b":1}'],
    ['{"a":1}', '{"a"'],
  ],
];

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

describe.each(cases)("%s", (name, schema, right, wrong) => {
  const automaton = new Automaton(schemaTree(schema), { depth: 4 });
  const validate = ajv.compile(schema);

  it("accepts valid texts", () => {
    expect(right.filter((t) => !automaton.matches(t))).toEqual([]);
    for (const t of right) expect(validate(JSON.parse(t)), t).toBe(true);
    expect(wrong.filter((t) => automaton.matches(t))).toEqual([]);
  });

  it("accepts only valid texts, and has no dead end", () => {
    const random = randomFrom(cases.findIndex((c) => c[0] === name) + 1);
    for (let i = 0; i < 150; i++) {
      const written = walk(automaton, random, 1 + Math.floor(random() * 70));
      expect(automaton.matches(written)).toBe(true);
      if (!validate(JSON.parse(written))) expect.fail(`${written}: ${JSON.stringify(validate.errors)}`);
    }
  });
});

describe("values made at random from a schema", () => {
  // Patterns, and schemas without a type or with two, are covered by the texts above.
  const others = /pattern|bounded|impossible|alone|definitions|open objects|enumerations/;
  const made = cases.filter(([name]) => !others.test(name));
  it.each(made)("%s: JSON.stringify of them is accepted", (_, schema) => {
    const automaton = new Automaton(schemaTree(schema), { depth: 8 });
    const validate = ajv.compile(schema);
    const random = randomFrom(77);
    for (let i = 0; i < 200; i++) {
      const value = make({ type: "object", ...schema } as JsonSchema, schema, random);
      expect(validate(value), JSON.stringify(value)).toBe(true);
      if (!automaton.matches(JSON.stringify(value))) expect.fail(JSON.stringify(value));
    }
  });
});

describe("numbers", () => {
  it("are integers within bounds, by brute force", () => {
    const random = randomFrom(5);
    for (let i = 0; i < 60; i++) {
      const [a, b] = [0, 0].map(() => Math.floor((random() - 0.5) * 10 ** (1 + (i % 4))));
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const automaton = new Automaton(integers({ low, high }));
      for (let n = low - 1200; n <= high + 1200; n++)
        if (automaton.matches(String(n)) !== (n >= low && n <= high))
          expect.fail(`${n} in ${low} to ${high}`);
    }
    expect(new Automaton(integers({ low: 0.1, high: 0.9 })).start).toBe(dead);
  });

  it("with fraction digits are within bounds, by brute force over two places", () => {
    const random = randomFrom(6);
    for (let i = 0; i < 40; i++) {
      const [a, b] = [0, 0].map(
        () => Math.round((random() - 0.5) * 10 ** (1 + (i % 4))) / [1, 10, 100, 1000][i % 4],
      );
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const automaton = new Automaton(decimals({ low, high }));
      for (let n = -700; n <= 700; n++)
        for (const spelled of [(n / 100).toFixed(2), String(n / 100), `${(n / 100).toFixed(2)}000`])
          if (automaton.matches(spelled) !== (Number(spelled) >= low && Number(spelled) <= high))
            expect.fail(`${spelled} in ${low} to ${high}`);
    }
  });

  it("have adjacent neighbours", () => {
    for (const x of [1, -1, 0.1, 2 ** 60, -(2 ** 60), Number.MIN_VALUE, 4.5]) {
      expect(beside(x, true)).toBeGreaterThan(x);
      expect([x, beside(x, true)]).toContain((x + beside(x, true)) / 2);
      expect(beside(beside(x, true), false)).toBe(x);
    }
    expect([beside(0, true), beside(0, false)]).toEqual([5e-324, -5e-324]);
    const automaton = new Automaton(
      schemaTree({ type: "integer", exclusiveMaximum: 2 ** 60, minimum: 2 ** 59 }),
    );
    expect([2n ** 60n - 1n, 2 ** 60 - 128].map((n) => automaton.matches(String(n)))).toEqual([false, true]);
  });

  it("round-trip", () => {
    const automaton = new Automaton(decimals({}));
    const random = randomFrom(9);
    const bits = new DataView(new ArrayBuffer(8));
    for (let i = 0; i < 3000; i++) {
      for (let k = 0; k < 8; k++) bits.setUint8(k, random() * 256);
      for (const x of [bits.getFloat64(0), (random() - 0.5) * 10 ** Math.floor(random() * 20)])
        if (Math.abs(x) < 1e308 && !automaton.matches(JSON.stringify(x))) expect.fail(String(x));
    }
  });
});

describe("a schema", () => {
  it("may have a blank after colons and commas", () => {
    const automaton = new Automaton(schemaTree({ const: { a: [1, 2], b: 3 } }, { blanks: true }));
    for (const t of ['{"a":[1,2],"b":3}', '{"a": [1, 2], "b": 3}', '{"a":[1, 2],"b": 3}'])
      expect(automaton.matches(t), t).toBe(true);
    for (const t of ['{ "a":[1,2],"b":3}', '{"a":  [1,2],"b":3}', '{"a" :[1,2],"b":3}'])
      expect(automaton.matches(t), t).toBe(false);
  });

  it("has unlimited depth by default", () => {
    const automaton = new Automaton(schemaTree({ type: "array", items: { $ref: "#" } }));
    expect(automaton.matches("[".repeat(300) + "]".repeat(300))).toBe(true);
    expect(automaton.matches("[".repeat(300) + "]".repeat(299))).toBe(false);
  });

  it("with oneOf is accepted where no value matches two options", () => {
    const disjoint: JsonSchema[][] = [
      [{ type: "string" }, { type: "integer" }, { enum: [null, true] }],
      [
        { type: "string", pattern: "^a" },
        { type: "string", pattern: "^b" },
      ],
      [{ type: "string", maxLength: 3 }, { const: "long" }],
      [
        { type: "integer", maximum: 4 },
        { type: "number", exclusiveMinimum: 4 },
      ],
      [{ const: { a: 1, b: 2 } }, { const: { a: 1, b: 3 } }],
      [
        { type: "object", properties: {}, additionalProperties: false },
        { type: "object", required: ["a"] },
      ],
      [{ anyOf: [{ type: "null" }, { type: "string" }] }, { type: "array" }],
    ];
    for (const oneOf of disjoint) {
      const automaton = new Automaton(schemaTree({ oneOf }), { depth: 3 });
      const validate = ajv.compile({ oneOf });
      const random = randomFrom(3);
      for (let i = 0; i < 40; i++) expect(validate(JSON.parse(walk(automaton, random, 20)))).toBe(true);
    }
    const together: JsonSchema[][] = [
      [{ type: "string" }, { enum: ["a", 1] }],
      [{ type: "integer" }, { type: "number" }],
      [{ const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }],
      [
        { type: "object", properties: { a: { const: 1 } } },
        { type: "object", properties: { a: { const: 2 } } },
      ],
      [
        { type: "array", items: { type: "null" } },
        { type: "array", items: { type: "string" } },
      ],
      [{ minLength: 1 }, { type: "integer" }],
      [true, { type: "null" }],
    ];
    for (const oneOf of together)
      expect(() => new Automaton(schemaTree({ oneOf })), JSON.stringify(oneOf)).toThrow(
        "options 0 and 1 may match the same value",
      );
  });

  it.each([
    [{ type: "array", uniqueItems: true }, '"uniqueItems" is not supported'],
    [{ type: "object", properties: { a: { not: {} } } }, 'schema/properties/a: "not" is not supported'],
    [{ anyOf: [{ type: "null" }], minimum: 1 }, '"minimum" beside "anyOf"'],
    [{ $ref: "#/$defs/a", type: "string", $defs: { a: true } }, '"type" beside "$ref"'],
    [{ $ref: "#/$defs/b", $defs: { a: true } }, '"b" does not exist'],
    [{ $ref: "other.json" }, "Use the form"],
    [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "the reference is circular"],
    [{ type: "text" }, 'unknown type "text"'],
    [{ type: "array", items: [true] }, 'Use "prefixItems"'],
    [{ type: "string", minLength: -1 }, "an integer of at least 0"],
    [{ type: "string", pattern: "(?=a)" }, "lookaround"],
    [{ type: "integer", minimum: "1" }, "must be a number"],
    [{ anyOf: [] }, "an array of schemas"],
    [[1], "is not a schema"],
  ] as const)("%j is rejected by name", (schema, reason) => {
    expect(() => new Automaton(schemaTree(schema as never))).toThrow(reason);
  });

  it("that is unsatisfiable has no start", () => {
    for (const schema of [
      false,
      { enum: [] },
      { type: "integer", minimum: 3, maximum: 2 },
      { type: "string", minLength: 3, maxLength: 2 },
      { type: "object", properties: { a: false }, required: ["a"] },
      { type: "array", items: false, minItems: 1 },
    ] as JsonSchema[])
      expect(new Automaton(schemaTree(schema)).start, JSON.stringify(schema)).toBe(dead);
  });
});

it("agrees with the verifier's sandbox on names that objects inherit", async () => {
  const sandbox = jsonSchema();
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const member = (name: string, value: object) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  const schemas = [
    `{"type":"object","properties":{${names.map((n) => member(n, { type: "integer" }))}},"required":["__proto__"]}`,
    `{"type":"object","required":${JSON.stringify(names)},"additionalProperties":{"type":"boolean"}}`,
    `{"enum":[${names.map((n) => `{${member(n, { a: 1 })}}`)}]}`,
    `{"const":{${names.map((n) => member(n, [1]))}}}`,
  ];
  for (const schema of schemas) {
    const automaton = new Automaton(schemaTree(JSON.parse(schema)));
    const random = randomFrom(5);
    for (let i = 0; i < 20; i++) {
      const data = walk(automaton, random, 60);
      expect((await sandbox.run({ schema, data })).value, `${schema} ${data}`).toBe(true);
    }
  }
});
