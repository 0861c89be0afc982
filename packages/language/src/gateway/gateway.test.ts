import { stream } from "@reins/core/random";
import { setBackend } from "@reins/tensor";
import { describe, expect, it, onTestFinished } from "vitest";
import { LiveGenerator } from "../generation/live.ts";
import { converse } from "../multi-turn/converse.ts";
import { modelSpeaker } from "../multi-turn/speakers.ts";
import { sums, talkOptions } from "../multi-turn/testing.ts";
import { generatorOptions } from "../rollouts/generator-options.ts";
import { textTask } from "../tasks/text-task.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";
import { serveGateway } from "./serve.ts";

setBackend("wasm");

const options = { ...talkOptions(), limit: 8 };
const open = (seed = 1) => {
  const gateway = new Gateway(options);
  return { gateway, session: gateway.open("key", { seed }), answer: handler(gateway) };
};
const post = (body: unknown, path = "chat/completions", key = "key") =>
  new Request(`http://localhost/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
interface Completion {
  readonly id: string;
  readonly choices: readonly {
    readonly message: { readonly role: string; readonly content: string };
    readonly finish_reason: string;
    readonly logprobs: {
      readonly content: readonly { readonly token: string; readonly logprob: number }[];
    } | null;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}
const asked = async (answer: ReturnType<typeof handler>, body: object) =>
  (await (await answer(post({ model: "reins", ...body }))).json()) as Completion;
const eventsIn = (text: string) =>
  text
    .split("\n\n")
    .flatMap((e) => /^data: (.*)$/m.exec(e)?.[1] ?? [])
    .map((data) => (data === "[DONE]" ? data : JSON.parse(data)));

/** An environment that repeats the model's turns. */
const echoing = textTask<number, { heard: string[] }>({
  ...(sums as object),
  id: "echoing",
  make: () => ({ prompt: "12+3=", answer: "15", data: 0 }),
  verify: () => ({ score: 1 }),
  episode: {
    tools: undefined,
    turns: 3,
    begin: () => ({ heard: [] }),
    turn: (state: { heard: string[] }, { content }: { content: string }) =>
      state.heard.push(content) < 3 ? { say: `${content.length}+` } : { done: true },
  },
} as never);

describe("the gateway", () => {
  it("gives the same conversation as in process, token for token and log-probability for log-probability", async () => {
    const live = new LiveGenerator(generatorOptions(options, options.start.params, {}));
    const slot = await live.slot();
    const problem = { prompt: "12+3=", answer: "15", data: 0, level: 1 };
    const speaker = modelSpeaker({ ...options, task: echoing }, slot, { seed: 5 });
    const inside = await converse(problem, speaker, { ...options, task: echoing, seed: 1 });

    const { answer, session } = open(5);
    const messages: { role: string; content: string }[] = [{ role: "user", content: "12+3=" }];
    for (let turn = 0; turn < 3; turn++) {
      const seed = stream(5, "turn", turn);
      const { choices, usage } = await asked(answer, { messages, logprobs: true, seed });
      const { message, logprobs } = choices[0];
      const own = inside.context.segments[0].spans.filter((p) => p.turn !== undefined)[turn];
      expect(logprobs!.content.map((t) => t.logprob)).toEqual(own.logProb);
      messages.push({ role: "assistant", content: message.content });
      if (turn < 2) messages.push({ role: "user", content: `${message.content.length}+` });
      // Only new tokens were prefilled.
      if (turn) expect(usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens).toBeLessThan(6);
    }
    expect(session.tree.segments).toHaveLength(1);
    const plain = (segments: typeof session.tree.segments) =>
      segments[0].spans.map(({ by, tokens, turn }) => ({ by, tokens: [...tokens], turn }));
    expect(plain(session.tree.segments)).toEqual(plain(inside.context.segments));
  });

  it("records retries and branches: the shared prefix once, and each continuation", async () => {
    const { answer, session } = open();
    const first = [{ role: "user", content: "12+3=" }];
    const one = await asked(answer, { messages: first, seed: 1 });
    const two = await asked(answer, { messages: first, seed: 2 });
    const after = (c: Completion) => [...first, c.choices[0].message, { role: "user", content: "7+" }];
    await asked(answer, { messages: after(one), seed: 3 });
    await asked(answer, { messages: after(one), seed: 4 });
    await asked(answer, { messages: after(two), seed: 5 });
    await asked(answer, { messages: [{ role: "user", content: "9" }], n: 2, seed: 6 });
    const { segments, replies } = session.tree;
    expect(replies).toBe(7);
    // A reply and its first continuation are one segment; the retry, the branch and the second of two replies open
    // their own.
    expect(
      segments.map((s) => [s.parent?.segment, s.spans.filter((p) => p.turn !== undefined).length]),
    ).toEqual([
      [undefined, 2],
      [undefined, 2],
      [0, 1],
      [undefined, 1],
      [3, 1],
    ]);
    const all = segments.flatMap((s) => s.spans.map((p) => p.turn)).filter((t) => t !== undefined);
    expect(new Set(all).size).toBe(7);
  });

  it("gives the same replies for the same seed, and n different replies", async () => {
    const { answer } = open();
    const messages = [{ role: "user", content: "1+1=" }];
    const [a, b] = [await asked(answer, { messages, seed: 9 }), await asked(answer, { messages, seed: 9 })];
    expect(a.choices[0].message.content).toBe(b.choices[0].message.content);
    const { choices } = await asked(answer, { messages, seed: 9, n: 6 });
    expect(choices[0].message.content).toBe(a.choices[0].message.content);
    expect(new Set(choices.map((c) => c.message.content)).size).toBeGreaterThan(2);
    const far = await asked(answer, { messages, seed: -9, n: 2 });
    expect(far.choices).toHaveLength(2);
  });

  it("streams the reply that it would give at once", async () => {
    const messages = [{ role: "user", content: "12+30=" }];
    const whole = await asked(open().answer, { messages, seed: 3 });
    const response = await open().answer(
      post({ model: "reins", messages, seed: 3, stream: true, stream_options: { include_usage: true } }),
    );
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = eventsIn(await response.text());
    expect(events.at(-1)).toBe("[DONE]");
    const text = events.map((e) => e.choices?.[0]?.delta?.content ?? "").join("");
    expect(text).toBe(whole.choices[0].message.content);
    expect(events.at(-2).usage).toMatchObject({ prompt_tokens: 6 });
    expect(events.at(-3).choices[0].finish_reason).toBe(whole.choices[0].finish_reason);
  });

  it("records replies by a schema under their sampling distribution", async () => {
    const response_format = {
      type: "json_schema",
      json_schema: { name: "n", schema: { type: "integer", minimum: 10, maximum: 19 } },
    };
    const messages = [{ role: "user", content: "1+1=" }];
    for (const sampling of [{}, { temperature: 0.5 }]) {
      const gateway = new Gateway({ ...options, sampling, record: true });
      const { tree } = gateway.open("key", { seed: 1 });
      await asked(handler(gateway), { messages, response_format });
      const reply = tree.segments[0].spans.find((p) => p.turn !== undefined)!;
      expect(reply.by).toBe("policy");
      // A one and the end are forced, one of ten digits is not.
      expect(reply.logProb!.map((p) => p === 0)).toEqual([true, false, true]);
      const sizes = reply.kept!.map((set) =>
        set!.reduce((sum, word) => sum + word.toString(2).replace(/[^1]/g, "").length, 0),
      );
      expect(sizes).toEqual([1, 10, 1]);
    }
  });

  it("rejects schemas with large counts, and reports an empty cache on the first call", async () => {
    const { answer } = open();
    const messages = [{ role: "user", content: "1+1=" }];
    const schema = { type: "string", maxLength: 1e9 };
    const response_format = { type: "json_schema", json_schema: { name: "n", schema } };
    const refused = await answer(post({ model: "reins", messages, response_format }));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("maxLength is 1000000000; the maximum is 4096");
    expect((await asked(answer, { messages })).usage.prompt_tokens_details.cached_tokens).toBe(0);
  });

  it("ends at stop strings, and follows the requested format", async () => {
    const { answer } = open();
    const messages = [{ role: "user", content: "12+30=" }];
    const { choices } = await asked(answer, { messages, seed: 3, max_tokens: 2 });
    expect(choices[0].finish_reason).toBe("length");
    const whole = (await asked(answer, { messages, seed: 3 })).choices[0].message.content;
    const stopped = await asked(answer, { messages, seed: 3, stop: whole[2] });
    expect(stopped.choices[0]).toMatchObject({
      message: { content: whole.slice(0, whole.indexOf(whole[2])) },
      finish_reason: "stop",
    });
    const schema = { type: "integer", minimum: 0, maximum: 99 };
    const formed = await asked(answer, {
      messages,
      max_tokens: 8,
      response_format: { type: "json_schema", json_schema: { name: "n", schema } },
    });
    expect(Number(formed.choices[0].message.content)).toBeLessThanOrEqual(99);
  });

  it("continues a reply that a stop string cut off from the text that the client received", async () => {
    const first = { role: "user", content: "12+30=" };
    const whole = (await asked(open().answer, { messages: [first], seed: 3 })).choices[0].message.content;
    const { answer, session } = open();
    const [cut] = (await asked(answer, { messages: [first], seed: 3, stop: whole[2] })).choices;
    const messages = [first, cut.message, { role: "user", content: "1+1=" }];
    const more = await asked(answer, { messages, seed: 4 });
    const alone = await asked(open().answer, { messages, seed: 4 });
    expect(more.usage.prompt_tokens).toBe(alone.usage.prompt_tokens);
    expect(more.choices[0].message).toEqual(alone.choices[0].message);
    // The recorded reply keeps the tokens that were sampled.
    expect(session.tree.segments[0].spans[1].tokens.length).toBeGreaterThan(cut.message.content.length);
  });

  it("supports the responses API", async () => {
    const { answer, session } = open();
    const ask = async (body: object) =>
      (await (await answer(post({ model: "reins", max_output_tokens: 6, ...body }, "responses"))).json()) as {
        id: string;
        status: string;
        output: { type: string; content: { text: string }[] }[];
      };
    const one = await ask({ input: "12+3=" });
    expect(one.output[0]).toMatchObject({ type: "message", content: [{ type: "output_text" }] });
    await ask({ input: "7+", previous_response_id: one.id });
    const said = one.output[0].content[0].text;
    const again = [
      { role: "user", content: "12+3=" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: said }] },
      { role: "user", content: "8+" },
    ];
    await ask({ input: again });
    expect(session.tree.segments.map((s) => s.parent?.segment)).toEqual([undefined, 0]);
    const streamed = await answer(
      post({ model: "reins", input: "12+3=", max_output_tokens: 6, stream: true }, "responses"),
    );
    const events = eventsIn(await streamed.text());
    expect(events[0].type).toBe("response.created");
    const text = events
      .filter((e) => e.type === "response.output_text.delta")
      .map((e) => e.delta)
      .join("");
    expect(events.at(-1).response.output[0].content[0].text).toBe(text);
    const lost = await answer(
      post({ model: "reins", input: "1", previous_response_id: "resp_0" }, "responses"),
    );
    expect(lost.status).toBe(404);
  });
});

describe("bad requests", () => {
  const messages = [{ role: "user", content: "1" }];
  it.each([
    ["{", 400, "could not parse the JSON"],
    [[1], 400, "must be a JSON object"],
    [{ messages }, 400, "must provide a model"],
    [{ model: "gpt", messages }, 404, "does not exist"],
    [{ model: "reins", messages: [] }, 400, "at least one message"],
    [{ model: "reins", messages: [{ role: "king", content: "" }] }, 400, "Unknown role"],
    [
      { model: "reins", messages: [{ role: "user", content: [{ type: "image_url" }] }] },
      400,
      "Use text parts",
    ],
    [{ model: "reins", messages: [{ role: "user", content: "" }] }, 400, "at least one token"],
    [
      { model: "reins", messages: [{ role: "user", content: "1".repeat(200) }] },
      400,
      "maximum context length",
    ],
    [{ model: "reins", messages: [{ role: "user", content: "é" }] }, 400, "not in the alphabet"],
    [{ model: "reins", messages, n: 1e9 }, 400, "n must be an integer"],
    [{ model: "reins", messages, max_tokens: -1 }, 400, "max_tokens must be"],
    [{ model: "reins", messages, stop: [1] }, 400, "stop must be"],
    [{ model: "reins", messages, stop: "" }, 400, "stop must not be empty"],
    [{ model: "reins", messages, logprobs: "yes" }, 400, "logprobs must be true or false"],
    [{ model: "reins", messages, max_tokens: 0 }, 400, "max_tokens must be an integer of at least 1."],
    [{ model: "reins", messages, tools: [{}] }, 400, "function with a name"],
    [{ model: "reins", messages, response_format: { type: "xml" } }, 400, "must be text, json_object"],
  ])("%j is answered as the API would", async (body, status, why) => {
    const { answer, gateway } = open();
    for (const stream of [false, true]) {
      const given = typeof body === "object" && !Array.isArray(body) ? { ...body, stream } : body;
      const response = await answer(post(given));
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: { message: string; type: string } };
      expect(error).toMatchObject({ message: expect.stringContaining(why), type: "invalid_request_error" });
    }
    // The next request succeeds.
    expect((await answer(post({ model: gateway.model, messages }))).status).toBe(200);
  });

  it("unknown keys and addresses", async () => {
    const { answer, gateway, session } = open();
    expect((await answer(post({}, "chat/completions", "other"))).status).toBe(401);
    expect((await answer(new Request("http://localhost/v1/models"))).status).toBe(401);
    expect((await answer(post({}, "images"))).status).toBe(404);
    const get = (path: string) =>
      answer(new Request(`http://localhost/v1/${path}`, { headers: { authorization: "Bearer key" } }));
    expect((await get("chat/completions")).status).toBe(405);
    expect(await (await get("models")).json()).toMatchObject({ data: [{ id: "reins" }] });
    expect((await get("models/gpt")).status).toBe(404);
    gateway.close(session);
    expect((await get("models")).status).toBe(401);
  });

  it("a client that disconnects during a stream stops its generation, and the others continue", async () => {
    const gateway = new Gateway({ ...options, limit: 80 });
    const session = gateway.open("key", { seed: 1 });
    const served = await serveGateway(gateway);
    onTestFinished(() => served.close());
    const ask = (body: object, signal?: AbortSignal) =>
      fetch(`${served.baseURL}/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer key" },
        body: JSON.stringify({ model: "reins", messages, ...body }),
        signal,
      });
    const leaving = new AbortController();
    const response = await ask({ stream: true, n: 4 }, leaving.signal);
    const reader = response.body!.getReader();
    await reader.read();
    leaving.abort();
    await reader.read().catch(() => {});
    const other = (await (await ask({})).json()) as Completion;
    expect(other.choices[0].message.role).toBe("assistant");
    // None of the four was completed.
    expect(session.tree.replies).toBe(1);
    expect(served.baseURL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  });
});
