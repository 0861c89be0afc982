import { readFileSync } from "node:fs";
import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { characters } from "../tokenizers/characters.ts";
import { hubTokenizer } from "../tokenizers/hub.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { TextStream } from "./text-stream.ts";

const file = new URL("../../../../fixtures/hf/tokenizer.json", import.meta.url);
const hub = hubTokenizer(JSON.parse(readFileSync(file, "utf8")) as object);

/** All pieces of a text that grows token by token. */
function pieces(tokenizer: Tokenizer, tokens: readonly number[], stop: readonly string[] = []): string[] {
  const stream = new TextStream(tokenizer, stop);
  return tokens.map((_, i) => stream.more({ tokens: tokens.slice(0, i + 1) }));
}
const random = defaultRng(7);
const randomTokens = (count: number) => Array.from({ length: count }, () => random.integers(hub.size));

it("gives the decoded text, of arbitrary tokens too", () => {
  for (let round = 0; round < 50; round++) {
    const tokens = randomTokens(60);
    const stream = new TextStream(hub, []);
    const streamed = tokens.map((_, i) => stream.more({ tokens: tokens.slice(0, i + 1) })).join("");
    expect(streamed + stream.rest(hub.decode(tokens))).toBe(hub.decode(tokens));
    // Nothing is held back for longer than a character.
    expect(hub.decode(tokens).length - streamed.length).toBeLessThan(4);
  }
});

it("sends no part of a character", () => {
  const text = "naïve 😀 日本語 ".repeat(10);
  const parts = pieces(hub, hub.encode(text));
  expect(parts.join("")).toBe(text);
  expect(parts.filter((part) => part.includes("\uFFFD"))).toEqual([]);
});

it("holds back what may begin a stop string, however long, and sends nothing after it", () => {
  const tokenizer = characters("abcdefghijklmnopqrstuvwxyz");
  const stop = "abcdefghijklmnopqrst";
  const near = `x${stop.slice(0, -1)}z${stop}yy`;
  const parts = pieces(tokenizer, tokenizer.encode(near), [stop]);
  expect(parts.join("")).toBe(`x${stop.slice(0, -1)}z`);
  expect(parts.slice(0, 4)).toEqual(["x", "", "", ""]);
});

it("decodes a number of tokens that is linear in the length", () => {
  let decoded = 0;
  const counting: Tokenizer = {
    ...hub,
    decode(tokens) {
      const list = [...tokens];
      decoded += list.length;
      return hub.decode(list);
    },
  };
  const cost = (count: number) => {
    decoded = 0;
    pieces(counting, hub.encode("the cat sat on the mat. ".repeat(count)).slice(0, count));
    return decoded / count;
  };
  expect(cost(2000)).toBeLessThan(1.2 * cost(200));
});
