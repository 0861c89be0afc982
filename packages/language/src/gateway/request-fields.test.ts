import { setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { talkOptions } from "../multi-turn/testing.ts";
import { characters } from "../tokenizers/characters.ts";
import { tagged } from "../tools/call-format.ts";
import type { EngineOptions } from "./engine-options.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";
import { chatFields, responsesFields } from "./request-fields.ts";

setBackend("wasm");

const tokenizer = characters('0123456789+=abcdefghijklmnopqrstuvwxyz(){}[]:., _-"<>/\n');
const options = { ...talkOptions({ tokenizer }), limit: 64 };
const messages = [{ role: "user", content: "1+1=" }];

/** Without tool descriptions, which have characters outside the model's alphabet. */
const { describe: _describe, ...undescribed } = tagged();

/** A gateway and its clients. */
function open(more: Partial<EngineOptions> = {}, session: object = {}) {
  const gateway = new Gateway({ ...options, ...more });
  gateway.open("key", { seed: 1, ...session });
  const answer = handler(gateway);
  const ask = async (path: string, body: object) => {
    const response = await answer(
      new Request(`http://localhost/v1/${path}`, {
        method: "POST",
        headers: { authorization: "Bearer key" },
        body: JSON.stringify({ model: "reins", ...body }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  return {
    chat: (body: object) => ask("chat/completions", { messages, ...body }),
    responses: (body: object) => ask("responses", { input: "1+1=", ...body }),
  };
}
const tool = (name: string, properties: object) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties, required: Object.keys(properties) } },
});
const tools = [
  tool("look", { where: { type: "string" } }),
  tool("add", { a: { type: "integer", minimum: 0, maximum: 9 }, b: { enum: ["one", "two"] } }),
];

describe("values of the wrong type", () => {
  // Neither can be written into a text.
  const odd = { toString: 1, valueOf: 2 };
  const call = { id: odd, type: "function", function: { name: "look", arguments: "{}" } };
  const schema = (of: object) => ({ type: "json_schema", json_schema: { name: "s", schema: of } });
  const parameters = (of: object) => [{ type: "function", function: { name: "f", parameters: of } }];
  it.each<["chat" | "responses", object, string]>([
    ["chat", { messages: [{ role: "user", content: [{ type: odd, text: "1" }] }] }, "Parts of type"],
    [
      "chat",
      { messages: [{ role: "assistant", content: "", tool_calls: [call] }] },
      "An id must be a string",
    ],
    ["responses", { input: [{ type: odd }] }, "Items of type"],
    ["responses", { input: [{ role: ["user"], content: "1" }] }, "Items of type"],
    ["responses", { input: [{ type: "function_call_output", call_id: odd, output: "1" }] }, "An id must be"],
    [
      "chat",
      { response_format: schema({ type: "object", required: "a" }) },
      '"required" is "a"; it must be an array',
    ],
    [
      "chat",
      { response_format: schema({ type: "object", properties: null }) },
      '"properties" is null; it must be',
    ],
    ["chat", { response_format: schema({ type: [null] }) }, "unknown type null"],
    ["chat", { tools: parameters({ properties: null }) }, "properties of a tool's parameters"],
    ["chat", { tools: parameters({ properties: { a: null } }) }, "properties of a tool's parameters"],
  ])("%s %j is refused: %s", async (api, body, message) => {
    const answer = await open()[api](body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe("fields that are not supported", () => {
  const values: { readonly [name: string]: unknown } = {
    top_logprobs: 3,
    presence_penalty: 0.5,
    frequency_penalty: -1,
    logit_bias: { "5": 10 },
    functions: [{ name: "f" }],
    function_call: "auto",
    modalities: ["text", "audio"],
    include: ["message.output_text.logprobs"],
    background: true,
    truncation: "auto",
    stream_options: { include_obfuscation: true },
  };
  const apis = { chat: chatFields, responses: responsesFields } as const;
  const cases = (["chat", "responses"] as const).flatMap((api) =>
    Object.keys(apis[api].refused).map((name) => ({ api, name })),
  );
  it.each(cases)(
    "$api: $name is rejected by name, and accepted with a neutral value",
    async ({ api, name }) => {
      const ask = open()[api];
      const { status, body } = await ask({ [name]: values[name] ?? { effort: "high" } });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        param: name,
        message: expect.stringContaining("is not supported. "),
      });
      const neutral = [null, ...apis[api].refused[name].neutral];
      for (const value of neutral) expect((await ask({ [name]: value })).status).toBe(200);
    },
  );

  it.each(["chat", "responses"] as const)(
    "%s: unknown fields are rejected, labels are accepted",
    async (api) => {
      const ask = open()[api];
      const { status, body } = await ask({ temprature: 1 });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        param: "temprature",
        message: "Unknown parameter: temprature. Did you mean temperature? Leave it out.",
      });
      for (const name of ["constructor", "__proto__x", "top_k"])
        expect((await ask({ [name]: 1 })).status).toBe(400);
      expect(
        (await ask({ user: "me", metadata: { a: "b" }, store: false, service_tier: "auto" })).status,
      ).toBe(200);
    },
  );

  it.each<[object, string, string]>([
    [{ temperature: 3 }, "temperature", "temperature must be a number from 0 to 2"],
    [{ temperature: "hot" }, "temperature", "temperature must be a number"],
    [{ temperature: 1e-40 }, "temperature", "temperature must be 0, which is greedy, or at least 0.000001."],
    [
      { top_p: 0 },
      "top_p",
      "top_p must be a number from 0.000001 to 1. For greedy replies set temperature to 0.",
    ],
    [{ max_tokens: 3, max_completion_tokens: 4 }, "max_tokens", "Set only max_completion_tokens"],
    [{ stream_options: { include_usage: true } }, "stream_options", "stream_options needs stream: true"],
    [
      { stream: true, stream_options: { usage: true } },
      "stream_options.usage",
      "Unknown parameter: stream_options.usage",
    ],
    [{ tool_choice: "required" }, "tool_choice", "tools is empty"],
    [{ tools, tool_choice: "any" }, "tool_choice", 'tool_choice must be "none", "auto", "required"'],
    [
      { tools, tool_choice: { type: "function", function: { name: "subtract" } } },
      "tool_choice",
      'tool_choice names "subtract", which is not among the tools: look, add.',
    ],
    [{ tools, parallel_tool_calls: false }, "parallel_tool_calls", "A reply may call several tools unless"],
    [{ tools, parallel_tool_calls: 1 }, "parallel_tool_calls", "must be true or false"],
    [{ tools: [{ type: "web_search" }] }, "tools[0].type", '"web_search" is not supported'],
  ])("chat: %j is rejected", async (fields, param, why) => {
    const { status, body } = await open().chat(fields);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param, message: expect.stringContaining(why) });
  });

  it.each<[object, string, string]>([
    [{ temperature: 3 }, "temperature", "temperature must be a number from 0 to 2"],
    [{ max_output_tokens: 0 }, "max_output_tokens", "max_output_tokens must be an integer of at least 1"],
    [{ text: { verbosity: "low" } }, "text.verbosity", "text.verbosity is"],
    [{ text: "json" }, "text", "text must be an object"],
    [{ instructions: 5 }, "instructions", "instructions must be a string"],
    [{ n: 2 }, "n", "Unknown parameter: n."],
    [{ seed: 2 }, "seed", "Unknown parameter: seed."],
  ])("responses: %j is rejected", async (fields, param, why) => {
    const { status, body } = await open().responses(fields);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param, message: expect.stringContaining(why) });
  });
});

describe("supported fields", () => {
  const contentOf = ({ body }: { body: { choices: { message: { content: string } }[] } }) =>
    body.choices.map((c) => c.message.content);

  it("temperature and top_p, also where replies are greedy by default", async () => {
    const served = open({ limit: 12 }, { greedy: true, passing: true });
    const greedy = contentOf(await served.chat({ n: 4 }));
    expect(new Set(greedy).size).toBe(1);
    expect(new Set(contentOf(await served.chat({ n: 4, temperature: 1 }))).size).toBeGreaterThan(1);
    const sampled = open({ limit: 12 });
    expect(contentOf(await sampled.chat({ temperature: 0 }))).toEqual([greedy[0]]);
    expect(contentOf(await sampled.chat({ top_p: 1e-6 }))).toEqual([greedy[0]]);
    const { body } = await sampled.responses({ temperature: 0, top_p: 0.5 });
    expect(body.output[0].content[0].text).toBe(greedy[0]);
    expect(body).toMatchObject({ temperature: 0, top_p: 0.5 });
  });

  it("json_object: the reply is an object", async () => {
    const { chat, responses } = open();
    const { body } = await chat({ response_format: { type: "json_object" }, n: 8 });
    const whole = body.choices.filter((c: { finish_reason: string }) => c.finish_reason === "stop");
    for (const { message } of whole) expect(JSON.parse(message.content).constructor).toBe(Object);
    for (const { message } of body.choices) expect(message.content[0]).toBe("{");
    const other = await responses({ text: { format: { type: "json_object" } } });
    expect(other.body.output[0].content[0].text[0]).toBe("{");
  });

  it.each([["terse"], ["tagged"]])(
    "tool_choice: a call in the form %s, of any tool or of the named one",
    async (form) => {
      const { chat, responses } = open({ limit: 90, ...(form === "tagged" ? { format: undescribed } : {}) });
      const called = (body: {
        choices: {
          finish_reason: string;
          message: { tool_calls: { function: { name: string; arguments: string } }[] };
        }[];
      }) =>
        // An unbounded text may be truncated by the limit.
        body.choices
          .filter((c) => c.finish_reason !== "length")
          .map((c) => c.message.tool_calls.map((t) => t.function));
      const named = await chat({
        tools,
        tool_choice: { type: "function", function: { name: "add" } },
        parallel_tool_calls: false,
        n: 6,
      });
      expect(named.status).toBe(200);
      const calls = called(named.body);
      expect(calls).toHaveLength(6);
      for (const [call, ...more] of calls) {
        expect(more).toEqual([]);
        expect(call.name).toBe("add");
        const { a, b } = JSON.parse(call.arguments);
        expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].includes(a) && ["one", "two"].includes(b)).toBe(true);
      }
      const any = called((await chat({ tools, tool_choice: "required", n: 12 })).body);
      expect(any.length).toBeGreaterThan(0);
      for (const list of any) expect(list).toHaveLength(1);
      const [first] = (
        await responses({
          tools: tools.map((t) => ({ type: "function", ...t.function })),
          tool_choice: { type: "function", name: "add" },
        })
      ).body.output;
      expect(first).toMatchObject({ type: "function_call", name: "add" });
      // Without a required call, a reply is a call or JSON by the schema.
      const schema = { type: "object", properties: { n: { enum: [1, 2] } }, required: ["n"] };
      const { body } = await chat({
        tools: [tools[1]],
        response_format: { type: "json_schema", json_schema: { name: "n", schema } },
        n: 12,
      });
      for (const { message } of body.choices)
        if (!message.tool_calls) expect([1, 2]).toContain(JSON.parse(message.content).n);
    },
  );

  it("tool_choice is rejected with a call format that has no grammar", async () => {
    const { grammar: _grammar, ...format } = undescribed;
    const { status, body } = await open({ format }).chat({ tools, tool_choice: "required" });
    expect(status).toBe(400);
    expect(body.error.message).toContain("tool_choice needs a call format with a grammar");
  });
});
