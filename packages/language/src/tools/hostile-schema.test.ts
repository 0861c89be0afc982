import { expect, it } from "vitest";
import { mcpTools } from "./mcp.ts";
import { runCalls } from "./run-calls.ts";

/** A tool with this schema, of a server that answers every call. */
const toolWith = async (inputSchema: object) => {
  const [found] = await mcpTools({
    listTools: async () => ({ tools: [{ name: "add", inputSchema }] }),
    callTool: async () => ({ content: [{ type: "text", text: "7" }] }),
  });
  return found;
};

const called = async (inputSchema: object, args: object) => {
  const tools = [await toolWith(inputSchema)];
  const call = { id: "1", name: "add", arguments: args };
  const [{ status, message }] = await runCalls([call], { tools, state: {}, store: new Map(), seed: 1 });
  return `${status}: ${message.content}`;
};

it("refuses asynchronous schemas, which would let any arguments through", async () => {
  for (const inputSchema of [
    { $async: true, properties: { a: { type: "number" } } },
    { $ref: "#/$defs/own", $defs: { own: { $async: true, type: "object" } } },
  ])
    await expect(toolWith(inputSchema)).rejects.toThrow("tool add: its schema is invalid");
});

it("answers calls by schemas that refer to themselves without end", async () => {
  expect(await called({ allOf: [{ $ref: "#" }] }, {})).toBe(
    "malformed: error: the schema refers to itself without end, or the arguments are nested too deeply",
  );
});

it("answers calls by schemas whose references take too long to follow", async () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `a${i + 1}`,
      { allOf: [{ $ref: `#/$defs/a${i}` }, { $ref: `#/$defs/a${i}` }] },
    ]),
  );
  const schema = { $ref: "#/$defs/a40", $defs: { ...$defs, a0: { type: "object" } } };
  expect(await called(schema, {})).toBe("malformed: error: arguments take too long to check by the schema");
});

it("names a tool whose schema is nested too deeply", async () => {
  let deep: object = { type: "object" };
  for (let i = 0; i < 20_000; i++) deep = { type: "object", properties: { x: deep } };
  await expect(toolWith(deep)).rejects.toThrow("tool add: its schema is nested too deeply.");
});
