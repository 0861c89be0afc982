import { setBackend } from "@reins/tensor";
import { expect, it } from "vitest";
import { bytesOf, matching } from "../generation/constraints/index.ts";
import { talkOptions } from "../multi-turn/testing.ts";
import { characters } from "../tokenizers/characters.ts";
import { ConstraintCache } from "./constraint-cache.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";

setBackend("wasm");

it("evicts the least recently used constraints beyond the byte limit", () => {
  const tokenizer = characters("ab");
  const make = (count: number) => () => matching(`(a|b){${count}}`, tokenizer);
  const one = bytesOf(make(200)());
  expect(one).toBeGreaterThan(10_000);
  const cache = new ConstraintCache(3.5 * one);
  const made: string[] = [];
  const ask = (key: string) =>
    cache.of(key, () => {
      made.push(key);
      return make(200)();
    });
  for (const key of ["a", "b", "c", "a", "d", "a", "c", "b"]) ask(key);
  expect(made).toEqual(["a", "b", "c", "d", "b"]);
  expect(cache.size).toBe(3);
  // One that exceeds the limit still serves its own request.
  cache.of("large", make(2000));
  expect(cache.size).toBe(1);
});

it("a request with a hostile schema is rejected, and the next one is answered", async () => {
  const gateway = new Gateway({ ...talkOptions(), limit: 8 });
  const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  gateway.open("key", { seed: 1 });
  const ask = async (more: object) => {
    const asked = { model: "reins", messages: [{ role: "user", content: "1+1=" }] };
    const body = JSON.stringify({ ...asked, ...more }).replace('"nested"', nested);
    const headers = { authorization: "Bearer key" };
    const url = "http://localhost/v1/chat/completions";
    const response = await handler(gateway)(new Request(url, { method: "POST", headers, body }));
    return [response.status, await response.text()] as const;
  };
  const format = (schema: object) => ({
    response_format: { type: "json_schema", json_schema: { name: "x", schema } },
  });
  const cases: readonly (readonly [object, string])[] = [
    [format({ enum: Array.from({ length: 20_000 }, (_, i) => `value ${i}`) }), "the maximum is 131072"],
    [format({ type: "string", pattern: "^(ab){1000000000}$" }), "more than 250000 nodes"],
    [format({ const: "nested" }), "nested more than 128 levels deep"],
    [{ tools: "nested" }, "nested more than 128 levels deep"],
  ];
  for (const [more, why] of cases) {
    const [status, text] = await ask(more);
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
  }
  expect((await ask({}))[0]).toBe(200);
});
