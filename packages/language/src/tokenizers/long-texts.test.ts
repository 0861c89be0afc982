import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { letters } from "../tasks/random.ts";
import { characters } from "./characters.ts";
import { hubTokenizer } from "./hub.ts";
import { mergePairs } from "./merge-pairs.ts";
import { byteLevelBpe, trainBpe } from "./pairs.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const json = JSON.parse(readFileSync(join(root, "hf/tokenizer.json"), "utf8")) as object;

it("a long text is encoded in the background, with the same tokens, while a timer runs", async () => {
  const tokenizer = hubTokenizer(json);
  const text = `${"ab".repeat(2000)} ${letters(defaultRng(1), 20_000, "ab cé\n1<|im_end|>😀")}`;
  const events: string[] = [];
  const encoding = tokenizer.encodeInBackground!(text).then((ids) => {
    events.push("encoded");
    return ids;
  });
  setImmediate(() => events.push("event loop"));
  expect(await encoding).toEqual(tokenizer.encode(text));
  expect(events).toEqual(["event loop", "encoded"]);
});

it("the longest token gives a lower bound on the tokens of a text", () => {
  const random = defaultRng(2);
  const pairs = byteLevelBpe(trainBpe(["hello hello world"], 300));
  for (const tokenizer of [hubTokenizer(json), pairs, characters("abcé ")]) {
    const longest = tokenizer.longestToken!()!;
    expect(longest).toBeGreaterThan(1);
    for (const length of [1, 10, 1000]) {
      const text = letters(random, length, "abcé ");
      const bytes = new TextEncoder().encode(text).length;
      expect(tokenizer.encode(text).length * longest).toBeGreaterThanOrEqual(bytes);
    }
  }
  // A tokenizer that may drop parts of a text has no bound; one with Unicode normalisation has a wider one.
  expect(hubTokenizer({ ...json, normalizer: { type: "StripAccents" } }).longestToken!()).toBeUndefined();
  expect(hubTokenizer({ ...json, normalizer: { type: "NFC" } }).longestToken!()).toBe(
    4 * hubTokenizer(json).longestToken!()!,
  );
});

it("pairs are merged in the order of their ranks and from left to right", () => {
  const random = defaultRng(3);
  for (let round = 0; round < 300; round++) {
    // Pairs of small tokens, each with its own token that may be in later pairs.
    const merges: [number, number][] = [];
    for (let i = 0; i < 12; i++) merges.push([random.integers(3 + i), random.integers(3 + i)]);
    const ranks = new Map(merges.map(([a, b], i) => [`${a} ${b}`, i]));
    const tokens = Array.from({ length: random.integers(40) }, () => random.integers(3));
    const found = mergePairs(
      tokens,
      (a, b) => ranks.get(`${a} ${b}`),
      (rank) => 3 + rank,
    );
    expect(found).toEqual(joinedOneByOne(tokens, ranks));
  }
});

/** By the definition: merge the pair of the lowest rank everywhere, repeatedly. */
function joinedOneByOne(tokens: readonly number[], ranks: ReadonlyMap<string, number>): number[] {
  let now = [...tokens];
  for (;;) {
    const found = now.slice(1).flatMap((b, i) => ranks.get(`${now[i]} ${b}`) ?? []);
    if (found.length === 0) return now;
    const best = Math.min(...found);
    const next: number[] = [];
    for (let i = 0; i < now.length; i++)
      if (ranks.get(`${now[i]} ${now[i + 1]}`) === best) {
        next.push(3 + best);
        i++;
      } else next.push(now[i]);
    now = next;
  }
}
