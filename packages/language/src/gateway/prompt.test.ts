import { setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { talkOptions } from "../multi-turn/testing.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";

setBackend("wasm");

const post = (content: string) =>
  new Request("http://localhost/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer key" },
    body: JSON.stringify({ model: "reins", messages: [{ role: "user", content }], max_tokens: 2, seed: 1 }),
  });

/** A gateway whose tokenizer records its calls, with tokens of up to 1000 digits. */
function gatewayWith(more: Partial<Tokenizer> = {}) {
  const options = talkOptions();
  const direct: string[] = [];
  // A long run of digits is one token, as in vocabularies with long words.
  const encode = (text: string) => options.tokenizer.encode(text.replace(/1{1000}/g, "1"));
  const tokenizer: Tokenizer = {
    ...options.tokenizer,
    longestToken: () => 1000,
    encode: (text) => {
      direct.push(text);
      return encode(text);
    },
    ...more,
  };
  const gateway = new Gateway({ ...options, tokenizer, limit: 8 });
  gateway.open("key", { seed: 1 });
  return { answer: handler(gateway), direct, encode };
}

it("a prompt that cannot fit is rejected before encoding", async () => {
  let aside = 0;
  const { answer, direct } = gatewayWith({
    encodeInBackground: async () => {
      aside++;
      return [];
    },
  });
  const refused = await answer(post("1".repeat(96_001)));
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(
    "96 tokens of at most 1000 bytes, 96000 bytes in total, but the messages have 96001 bytes",
  );
  expect([direct.length, aside]).toEqual([0, 0]);
});

it("a long prompt is encoded in the background, while other requests are answered", async () => {
  let release = () => {};
  const { answer, direct, encode } = gatewayWith({
    encodeInBackground: async (text) => {
      await new Promise<void>((done) => (release = done));
      return encode(text);
    },
  });
  const events: string[] = [];
  const noted = async (name: string, response: Promise<Response>) => {
    const { status } = await response;
    events.push(`${name} ${status}`);
  };
  const long = noted("long", answer(post("1".repeat(20_000))));
  await noted("short", answer(post("1+1=")));
  release();
  await long;
  expect(events).toEqual(["short 200", "long 200"]);
  expect(direct).toEqual(["1+1="]);
});

it("a long prompt has the reply of the direct call", async () => {
  const { encode } = gatewayWith();
  const content = "1".repeat(20_000);
  const said = async (more: Partial<Tokenizer>) => {
    const { choices, usage } = await (await gatewayWith(more).answer(post(content))).json();
    return [choices[0].message.content, usage.prompt_tokens];
  };
  const aside = await said({ encodeInBackground: async (text) => encode(text) });
  expect(aside).toEqual(await said({}));
  expect(aside[1]).toBe(20);
});
