import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { mcpTools } from "./mcp.ts";
import { terse } from "./terse-format.ts";
import { asker } from "./testing.ts";

/** A client of a server in this process. */
async function connected(server: McpServer) {
  const client = new Client({ name: "reins", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  return client;
}

/** A server with tools of every kind, and the calls that ran. */
function shelves() {
  const server = new McpServer({ name: "shelves", version: "1" });
  const ran: unknown[] = [];
  server.registerTool(
    "count-boxes",
    {
      description: "Counts boxes.",
      inputSchema: { shelf: z.string(), pair: z.tuple([z.number()]).optional() },
    },
    (args) => {
      ran.push(args);
      return {
        content: [
          { type: "text", text: `on ${args.shelf}` },
          { type: "text", text: "7 boxes" },
        ],
      };
    },
  );
  server.registerTool("burn", { description: "Fails." }, () => {
    throw new Error("there is no fire");
  });
  server.registerTool("show", {}, () => ({
    content: [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", uri: "file:///a.txt", name: "a" },
      { type: "resource", resource: { uri: "file:///b.txt", text: "what b says" } },
    ],
  }));
  server.registerTool("weigh", { outputSchema: { grams: z.number() } }, () => ({
    content: [],
    structuredContent: { grams: 12 },
  }));
  const stopped: boolean[] = [];
  server.registerTool("sleep", {}, (extra) => {
    const { signal } = extra as { signal: AbortSignal };
    return new Promise((done) =>
      signal.addEventListener("abort", () => {
        stopped.push(true);
        done({ content: [] });
      }),
    );
  });
  return { server, ran, stopped };
}

describe("tools of an MCP server", () => {
  it("are listed, described and called", async () => {
    const { server, ran } = shelves();
    const tools = await mcpTools(await connected(server));
    expect(tools.map((t) => t.name)).toEqual(["count-boxes", "burn", "show", "weigh", "sleep"]);
    expect(tools[0]).toMatchObject({
      about: "Counts boxes.",
      parameters: { type: "object", properties: { shelf: { type: "string" } }, required: ["shelf"] },
    });
    const ask = asker(tools);
    expect(await ask("count-boxes", { shelf: "A" })).toBe("on A\n7 boxes");
    expect(await ask("weigh", {})).toBe('{"grams":12}');
    expect(await ask("show", {})).toBe("(image: image/png)\n(resource link: file:///a.txt)\nwhat b says");
    expect(ran).toEqual([{ shelf: "A" }]);
  });

  it("that fail report the reason, and bad arguments never reach them", async () => {
    const { server, ran } = shelves();
    const ask = asker(await mcpTools(await connected(server)));
    expect(await ask("burn", {})).toBe("error: there is no fire");
    expect(await ask("count-boxes", { shelf: 3 })).toBe("error: shelf must be string");
    expect(await ask("count-boxes", {})).toBe("error: arguments must have required property 'shelf'");
    // A tuple of draft 7 works too.
    expect(await ask("count-boxes", { shelf: "A", pair: ["x"] })).toBe("error: pair.0 must be number");
    expect(ran).toEqual([]);
  });

  it("are separated by a prefix, and can be called in the short format", async () => {
    const { server } = shelves();
    const tools = await mcpTools(await connected(server), { prefix: "shelves." });
    const [call] = terse.parse("shelves.count-boxes(B)", tools as never).calls;
    // Two properties are JSON separated by commas; a lone text is not JSON and becomes the first.
    expect(call).toMatchObject({ name: "shelves.count-boxes", arguments: { shelf: "B" } });
    expect(await asker(tools)(call.name, call.arguments)).toBe("on B\n7 boxes");
  });

  it("are aborted after their timeout", async () => {
    const { server, stopped } = shelves();
    const ask = asker(await mcpTools(await connected(server), { timeout: 50 }));
    expect(await ask("sleep", {})).toMatch(/^error: /);
    await expect.poll(() => stopped).toEqual([true]);
  });

  it("close their client once, whichever of them is closed", async () => {
    const { server } = shelves();
    let closed = 0;
    server.server.onclose = () => void closed++;
    const tools = await mcpTools(await connected(server));
    await Promise.all(tools.map((t) => t.close?.()));
    expect(closed).toBe(1);
    expect(await asker(tools)("weigh", {})).toMatch(/^error: /);
  });

  it("are listed page by page, and rejected if their schema is invalid", async () => {
    const named = (name: string, inputSchema: object = { type: "object" }) => ({ name, inputSchema });
    const client = (second: object) => ({
      listTools: async ({ cursor }: { cursor?: string } = {}) =>
        cursor ? { tools: [second as never] } : { tools: [named("a")], nextCursor: "more" },
      callTool: async () => ({ content: [] }),
    });
    const tools = await mcpTools(client(named("b")));
    expect(tools.map((t) => t.name)).toEqual(["a", "b"]);
    expect(await asker(tools)("b", {})).toBe("");
    await expect(
      mcpTools(client(named("b", { type: "object", properties: { x: { type: "text" } } }))),
    ).rejects.toThrow(/^tool b: its schema is invalid: /);
    await expect(mcpTools(client(named("b", { type: "array" })))).rejects.toThrow('it must be "object"');
  });
});

it("a server that lists tools without end is refused", async () => {
  let asked = 0;
  const endless = {
    listTools: async () => ({ tools: [], nextCursor: `${++asked}` }),
    callTool: async () => ({}),
  };
  await expect(mcpTools(endless)).rejects.toThrow("more than 4096 tools or pages");
});

it("patterns that backtrack do not stop the process", async () => {
  const inputSchema = { type: "object", properties: { name: { type: "string", pattern: "^(a+)+$" } } };
  const [greet] = await mcpTools({
    listTools: async () => ({ tools: [{ name: "greet", inputSchema }] }),
    callTool: async () => ({ content: [{ type: "text", text: "hello" }] }),
  });
  const ask = asker([greet]);
  expect(await ask("greet", { name: "aaa" })).toBe("hello");
  expect(await ask("greet", { name: `${"a".repeat(40)}!` })).toBe(
    "error: arguments take too long to check by the schema",
  );
  expect(await ask("greet", { name: "b" })).toContain("must match pattern");
});
