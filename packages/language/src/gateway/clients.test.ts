import { execFile } from "node:child_process";
import { setBackend } from "@reins/tensor";
import OpenAI from "openai";
import { expect, it } from "vitest";
import { servedFolder } from "./testing.ts";

setBackend("wasm");

const messages = [{ role: "user", content: "Tell me a story about a cat." }] as const;
const model = "tiny";

const opened = async () => {
  const served = await servedFolder();
  return { served, client: new OpenAI({ baseURL: served.baseURL, apiKey: "secret", maxRetries: 0 }) };
};

it("openai: replies, streams and log-probabilities of one model", async () => {
  const { client } = await opened();
  const common = { model, messages: [...messages], max_tokens: 24 };
  const whole = await client.chat.completions.create({ ...common, logprobs: true });
  const [{ message, logprobs, finish_reason }] = whole.choices;
  expect(message.content!.length).toBeGreaterThan(0);
  expect(logprobs!.content).toHaveLength(whole.usage!.completion_tokens);
  expect(finish_reason).toBe("length");
  const stream = await client.chat.completions.create({
    ...common,
    stream: true,
    stream_options: { include_usage: true },
  });
  let [text, usage] = ["", 0];
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage?.completion_tokens ?? usage;
  }
  expect([text, usage]).toEqual([message.content, whole.usage!.completion_tokens]);
  expect((await client.models.list()).data.map((m) => m.id)).toEqual([model]);
  expect((await client.models.retrieve(model)).id).toBe(model);
});

it("openai: several replies by seed, stop strings, and a JSON schema", async () => {
  const { client } = await opened();
  const sampled = (seed: number, more: object = {}) =>
    client.chat.completions.create({
      ...{ model, messages: [...messages], max_tokens: 16, n: 3, temperature: 1, seed },
      ...more,
    });
  const texts = async (seed: number) => (await sampled(seed)).choices.map((c) => c.message.content);
  const [one, again, other] = [await texts(5), await texts(5), await texts(6)];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(new Set(one).size).toBe(3);
  const end = one[0]!.slice(5, 8);
  const stopped = (await sampled(5, { stop: [end] })).choices[0];
  expect(stopped.message.content).toBe(one[0]!.slice(0, one[0]!.indexOf(end)));
  expect(stopped.finish_reason).toBe("stop");
  const schema = {
    type: "object",
    properties: { name: { type: "string", maxLength: 5 }, age: { type: "integer", minimum: 0, maximum: 99 } },
    required: ["name", "age"],
    additionalProperties: false,
  };
  const { choices } = await client.chat.completions.create({
    ...{ model, messages: [...messages], max_tokens: 200, temperature: 1, seed: 1 },
    response_format: { type: "json_schema", json_schema: { name: "cat", schema } },
  });
  const { name, age } = JSON.parse(choices[0].message.content!);
  expect([typeof name, Number.isInteger(age)]).toEqual(["string", true]);
});

it("openai: a required tool call, in a stream too, and the turn after it", async () => {
  const { client } = await opened();
  const tools = [
    {
      type: "function" as const,
      function: {
        name: "weather",
        description: "The weather in a town.",
        parameters: {
          type: "object",
          properties: { day: { type: "integer", maximum: 9, minimum: 0 } },
          required: ["day"],
        },
      },
    },
  ];
  const common = { model, messages: [...messages], tools, tool_choice: "required" as const, max_tokens: 200 };
  const { choices } = await client.chat.completions.create(common);
  const [call] = choices[0].message.tool_calls!;
  expect(choices[0].finish_reason).toBe("tool_calls");
  expect(call.type === "function" && JSON.parse(call.function.arguments).day).toBeTypeOf("number");
  const streamed = client.chat.completions.stream(common);
  expect((await streamed.finalMessage()).tool_calls![0]).toMatchObject({ function: { name: "weather" } });
  const next = await client.chat.completions.create({
    ...{ model, tools, max_tokens: 8 },
    messages: [...messages, choices[0].message, { role: "tool", tool_call_id: call.id, content: "rain" }],
  });
  expect(next.choices).toHaveLength(1);
});

it("openai: responses, with a previous one and as a stream", async () => {
  const { client } = await opened();
  const first = await client.responses.create({ model, input: "Hello", max_output_tokens: 8 });
  const more = { model, input: "And then?", previous_response_id: first.id, max_output_tokens: 8 };
  const second = await client.responses.create(more);
  expect(second.output_text).not.toBe("");
  let text = "";
  for await (const event of await client.responses.create({ ...more, stream: true }))
    if (event.type === "response.output_text.delta") text += event.delta;
  expect(text).toBe(second.output_text);
});

it("openai: errors have the classes and fields of the API", async () => {
  const { served, client } = await opened();
  const ask = (more: object) =>
    client.chat.completions.create({ model, messages: [...messages], ...more } as never);
  await expect(ask({ model: "none" })).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  await expect(ask({ temperature: 9 })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  await expect(ask({ temperature: 9 })).rejects.toMatchObject({ param: "temperature" });
  const impossible = {
    type: "json_schema",
    json_schema: { name: "x", schema: { type: "string", pattern: "(" } },
  };
  await expect(ask({ response_format: impossible })).rejects.toMatchObject({
    status: 400,
    param: "response_format",
  });
  await expect(ask({ messages: [{ role: "user", content: "long ".repeat(2000) }] })).rejects.toMatchObject({
    code: "context_length_exceeded",
  });
  const stranger = new OpenAI({ baseURL: served.baseURL, apiKey: "other", maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
});

/** The output of a program. */
const output = (program: string, args: readonly string[]) =>
  new Promise<string>((done, failed) => {
    execFile(program, args, { cwd: import.meta.dirname }, (error, out) =>
      error ? failed(error) : done(out),
    );
  });

it("ai: text, and a stream", async () => {
  const { served } = await opened();
  // A process of its own: the package's sources, which tests would import, need a compiler.
  const program = `
    import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
    import { generateText, streamText } from "ai";
    const provider = createOpenAICompatible({ name: "reins", baseURL: "${served.baseURL}", apiKey: "secret" });
    const options = { model: provider.chatModel("${model}"), prompt: "Hello", maxOutputTokens: 12 };
    const { text, usage } = await generateText(options);
    let streamed = "";
    for await (const piece of streamText(options).textStream) streamed += piece;
    console.log(JSON.stringify({ text, streamed, tokens: usage.outputTokens }));`;
  const { text, streamed, tokens } = JSON.parse(
    await output(process.execPath, ["--input-type=module", "--eval", program]),
  );
  expect(text.length).toBeGreaterThan(0);
  expect([streamed, tokens]).toEqual([text, 12]);
});

it("curl: a reply, and an error", async () => {
  const { served } = await opened();
  const curl = (...more: string[]) =>
    output("curl", [
      "-s",
      `${served.baseURL}/chat/completions`,
      "-H",
      "Content-Type: application/json",
      ...more,
    ]);
  const body = JSON.stringify({ model, messages, max_tokens: 4 });
  const reply = JSON.parse(await curl("-H", "Authorization: Bearer secret", "-d", body));
  expect(reply.object).toBe("chat.completion");
  expect(JSON.parse(await curl("-d", body)).error.code).toBe("invalid_api_key");
});
