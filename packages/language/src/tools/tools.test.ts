import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { tagged } from "./call-format.ts";
import {
  calculator,
  delayed,
  expert,
  javascriptTool,
  keyMemory,
  noteMemory,
  searchTool,
  sqlTool,
} from "./index.ts";
import { runCalls } from "./run-calls.ts";
import { terse } from "./terse-format.ts";
import { asker } from "./testing.ts";
import { type Tool, type ToolContext, tool } from "./tool.ts";

describe("formats of calls", () => {
  const tools = [calculator(), ...keyMemory()] as never;

  it("the short format", () => {
    expect(terse.parse("calc(2*(3+4))", tools)).toEqual({
      content: "",
      calls: [{ id: "call-0", name: "calc", arguments: { formula: "2*(3+4)" } }],
    });
    expect(terse.parse('so\nput("a","b c")\nget(a)\nno(1)', tools)).toEqual({
      content: "so\nno(1)",
      calls: [
        { id: "call-0", name: "put", arguments: { key: "a", value: "b c" } },
        { id: "call-1", name: "get", arguments: { key: "a" } },
      ],
    });
    // Missing arguments, or arguments that are not JSON, are detected by the schema.
    expect(terse.parse("put(a)", tools).calls[0].arguments).toEqual({ key: "a" });
    for (const call of terse.parse('put("a","b")\ncalc(1+1)', tools).calls)
      expect(terse.parse(terse.write(call), tools).calls[0].arguments).toEqual(call.arguments);
  });

  it("JSON between tags, with text around it", () => {
    const { parse, write } = tagged();
    const text = `I look.${write({ name: "get", arguments: { key: "a" } })} Then ${write({ name: "get", arguments: { key: "b" } })}`;
    expect(parse(text, tools)).toEqual({
      content: "I look. Then",
      calls: [
        { id: "call-0", name: "get", arguments: { key: "a" } },
        { id: "call-1", name: "get", arguments: { key: "b" } },
      ],
    });
    expect(parse("<tool_call>{", tools).malformed).toBe("a call has no </tool_call>");
    expect(parse("<tool_call>{</tool_call>", tools)).toMatchObject({
      calls: [],
      malformed: "a call is not JSON",
    });
    const deep = `${"[".repeat(129)}${"]".repeat(129)}`;
    expect(parse(`<tool_call>{"name": "get", "arguments": ${deep}}</tool_call>`, tools)).toMatchObject({
      calls: [],
      malformed: "a call is nested more than 128 levels deep",
    });
    expect(parse("<tool_call>{}</tool_call>", tools).malformed).toBe("a call has no name");
    expect(tagged().describe!([calculator()] as never)).toContain('"name":"calc"');
  });

  it("tags in arguments are data", () => {
    const { parse, write } = tagged();
    for (const value of ["</tool_call>", "<tool_call>", 'a "</tool_call>" <tool_call>{"name": "no"}', '\\"'])
      expect(parse(`One ${write({ name: "put", arguments: { value } })} two`, tools)).toEqual({
        content: "One  two",
        calls: [{ id: "call-0", name: "put", arguments: { value } }],
      });
    // A missing quote does not hide the next call.
    const next = write({ name: "get", arguments: { key: "a" } });
    for (const broken of ['<tool_call>{"name": "put</tool_call>', '<tool_call>{"name": "put}', "<tool_call>"])
      expect(parse(`${broken} ${next}`, tools)).toMatchObject({
        calls: [{ name: "get", arguments: { key: "a" } }],
        malformed: expect.any(String),
      });
    // Linear, whatever a model repeats.
    const start = performance.now();
    for (const part of ["<tool_call>", '<tool_call>"', '<tool_call>{"a":"', '<tool_call>"</tool_call>'])
      parse(part.repeat(20_000), tools);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it("a single argument of the short format has the type of its schema", () => {
    const search = (query: object) =>
      [
        { name: "find", parameters: { type: "object", properties: { query, most: { type: "integer" } } } },
      ] as never;
    const pick = (way: object) =>
      [{ name: "find", parameters: { type: "object", properties: { way } } }] as never;
    const first = (text: string, given: never) =>
      Object.values(terse.parse(text, given).calls[0].arguments as object);
    for (const text of ["1984", "true", "null", "[1]", "2e3"])
      expect(first(`find(${text})`, search({ type: "string" }))).toEqual([text]);
    expect(first('find("a",3)', search({ type: "string" }))).toEqual(["a", 3]);
    expect(first("find(1984)", search({ type: "number" }))).toEqual([1984]);
    expect(first("find(1984)", search({}))).toEqual([1984]);
    expect(first("find(1984)", pick({ type: ["string", "null"] }))).toEqual(["1984"]);
    expect(first("find(null)", pick({ type: ["string", "null"] }))).toEqual([null]);
    // The grammar of a forced call writes choices as JSON.
    for (const text of ["left", '"left"', "1", '"1"'])
      expect(first(`find(${text})`, pick({ type: "string", enum: ["left", "1"] }))).toEqual([
        text.replaceAll('"', ""),
      ]);
  });
});

describe("tools", () => {
  it("compute, exactly", async () => {
    const ask = asker([calculator()]);
    expect(await ask("calc", { formula: "12 * (3 + 4)" })).toBe("84");
    expect(await ask("calc", { formula: "7/2" })).toBe("7/2");
    expect(await ask("calc", { formula: "1/0" })).toBe("error: no formula");
    expect(await ask("calc", { formula: 3 })).toBe("error: formula must be string");
    expect(await ask("calc", {})).toBe("error: arguments must have required property 'formula'");
    expect(await ask("clac", {})).toBe("error: there is no tool clac. There are: calc.");
  });

  it("run JavaScript, with variables for one conversation", async () => {
    const tools = [javascriptTool()];
    const ask = asker(tools);
    expect(await ask("javascript", { code: "let x = 20; x + 1" })).toBe("21");
    expect(await ask("javascript", { code: "x *= 2; nothing()" })).toContain("ReferenceError");
    expect(await ask("javascript", { code: "x" })).toBe("40");
    expect(await asker(tools)("javascript", { code: "typeof x" })).toBe("undefined");
    expect(await ask("javascript", { code: "for (;;);" })).toContain("timeout");
    expect(await ask("javascript", { code: "process.exit()" })).toContain("ReferenceError");
  });

  it("run the scripts of one turn in order", async () => {
    const context = { tools: [javascriptTool()], state: {}, store: new Map(), seed: 1 };
    const turn = async (...scripts: string[]) => {
      const calls = scripts.map((code, i) => ({ id: `${i}`, name: "javascript", arguments: { code } }));
      return (await runCalls(calls, context)).map(({ message }) => message.content);
    };
    expect(await turn("var x = 1; x", "x += 1; x", "x *= 10; x")).toEqual(["1", "2", "20"]);
    expect(await turn("x")).toEqual(["20"]);
  });

  it("query a database, also of the environment's state", async () => {
    const table = "create table t(name, n); insert into t values ('a', 1), ('b', null)";
    expect(await asker([sqlTool(table)])("sql", { query: "select * from t" })).toBe("name|n\na|1\nb|");
    const own = sqlTool<{ rows: number }>(({ rows }) => `create table t(n); insert into t values (${rows})`);
    expect(await asker([own] as never, { rows: 7 })("sql", { query: "select n from t" })).toBe("n\n7");
    expect(await asker([sqlTool(table)])("sql", { query: "drop table t" })).toContain("error: refused");
  });

  it("search documents", async () => {
    const list = [
      { title: "bread", text: "flour and water, baked" },
      { title: "soup", text: "water and salt" },
      { text: "nothing of the kind" },
    ];
    const ask = asker([searchTool(list, { results: 2 })]);
    expect(await ask("search", { query: "baked flour" })).toBe("bread: flour and water, baked");
    expect((await ask("search", { query: "water" })).split("\n")).toHaveLength(2);
    expect(await ask("search", { query: "zebra" })).toBe("nothing");
    const folder = mkdtempSync(join(tmpdir(), "reins-corpus-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "kitchen.md"), "Salt is white.\n\nPepper is black.\n");
    expect(await asker([searchTool(folder)])("search", { query: "pepper" })).toBe(
      "kitchen: Pepper is black.",
    );
    expect(await asker([searchTool("./none")])("search", { query: "x" })).toContain(
      "the folder does not exist",
    );
  });

  it("remember, up to a limit", async () => {
    const ask = asker([...keyMemory({ most: 2 }), ...noteMemory({ most: 2 })]);
    for (const key of ["a", "b", "a", "c"]) await ask("put", { key, value: `${key}!` });
    expect([await ask("get", { key: "a" }), await ask("get", { key: "b" })]).toEqual(["a!", "nothing"]);
    for (const text of ["one red", "two red", "three red"]) await ask("note", { text });
    expect(await ask("notes", { word: "red" })).toBe("three red\ntwo red");
    expect(await ask("notes", { word: "blue" })).toBe("nothing");
  });

  it("have costs and latencies", async () => {
    const wise = expert<{ secret: number }>((_, { state }) => state.secret, { price: 0.5 });
    let [running, most] = [0, 0];
    const slow = tool({
      name: "slow",
      about: "",
      parameters: { type: "object", properties: {} },
      async run() {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done, 5));
        running--;
        return "late";
      },
    });
    const carried = await runCalls(
      [
        { id: "a", name: "ask", arguments: { question: "?" } },
        { id: "b", name: "slow", arguments: {} },
        { id: "c", name: "slow", arguments: {} },
      ],
      { tools: [wise, delayed(slow, () => 1)] as never, state: { secret: 3 }, store: new Map(), seed: 1 },
    );
    expect(carried.map((c) => [c.message.content, c.message.call, c.price])).toEqual([
      ["3", "a", 0.5],
      ["late", "b", 0],
      ["late", "c", 0],
    ]);
    // Both at the same time.
    expect(most).toBe(2);
  });

  it("have their own random numbers, whatever runs at the same time", async () => {
    const dice = tool({
      name: "dice",
      about: "",
      parameters: { type: "object", properties: { wait: { type: "number" } } },
      async run({ wait }: { wait: number }, { random }) {
        await new Promise((done) => setTimeout(done, wait));
        return random.integers(1_000_000);
      },
    });
    const roll = async (waits: readonly number[]) =>
      (
        await runCalls(
          waits.map((wait, i) => ({ id: `${i}`, name: "dice", arguments: { wait } })),
          { tools: [dice] as never, state: 0, store: new Map(), seed: 4 },
        )
      ).map((c) => c.message.content);
    expect(await roll([20, 0, 5])).toEqual(await roll([0, 10, 0]));
  });

  it("end with their conversation", async () => {
    const over = new AbortController();
    const never = tool({
      name: "never",
      about: "",
      parameters: { type: "object", properties: {} },
      run: () => new Promise(() => {}),
    });
    const call = runCalls([{ id: "1", name: "never", arguments: {} }], {
      tools: [never] as never,
      state: 0,
      store: new Map(),
      seed: 1,
      signal: over.signal,
    });
    over.abort(new Error("the client left"));
    expect((await call)[0]).toMatchObject({
      status: "failed",
      message: { content: "error: the client left" },
    });
  });
});

it("have argument types from their schemas", () => {
  const wave = tool({
    name: "wave",
    about: "",
    parameters: {
      type: "object",
      properties: {
        to: { type: "string" },
        times: { type: "integer" },
        how: { enum: ["left", "right"] },
        at: { type: "array", items: { type: "object", properties: { x: { type: "number" } } } },
        anything: {},
      },
      required: ["to"],
    },
    run: (args, { state }: ToolContext<{ waved: number }>) => {
      expectTypeOf(args.to).toEqualTypeOf<string>();
      expectTypeOf(args.times).toEqualTypeOf<number | undefined>();
      expectTypeOf(args.how).toEqualTypeOf<"left" | "right" | undefined>();
      expectTypeOf(args.at?.[0].x).toEqualTypeOf<number | undefined>();
      expectTypeOf(args.anything).toEqualTypeOf<unknown>();
      // @ts-expect-error: the schema has no such property.
      args.other;
      return state.waved;
    },
  });
  expectTypeOf(wave).toEqualTypeOf<Tool<never, { waved: number }>>();
  expect(wave.parameters.required).toEqual(["to"]);
});
