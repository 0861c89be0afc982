import { describe, expect, it } from "vitest";
import * as constraints from "../generation/constraints/index.ts";
import { hubTokenizer } from "./hub.ts";
import { byteLevelBpe } from "./pairs.ts";

/** A byte-level tokenizer.json of these tokens. */
const file = (vocab: { readonly [token: string]: number }, more: object = {}) => ({
  version: "1.0",
  added_tokens: [{ id: 0, content: "<end>", special: true }],
  normalizer: null,
  pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, use_regex: false },
  post_processor: null,
  decoder: { type: "ByteLevel" },
  model: { type: "BPE", vocab, merges: [], ...more },
});
const ends = { eos_token: "<end>" };

describe("a vocabulary of Qwen's size", () => {
  const size = 152_000;
  const vocab: Record<string, number> = { "<end>": 0 };
  const letters = "abcdefghijklmnopqrstuvwxyz";
  [...letters].forEach((c, i) => (vocab[c] = i + 1));
  const merges: string[] = [];
  // Every pair, then pairs with a third and a fourth letter, until there are enough.
  let known = [...letters];
  for (let id = 27; id < size; ) {
    const longer: string[] = [];
    for (const left of known)
      for (const right of letters) {
        if (id >= size) break;
        merges.push(`${left} ${right}`);
        vocab[left + right] = id++;
        longer.push(left + right);
      }
    known = longer;
  }
  const tokenizer = hubTokenizer(file(vocab, { merges }), ends);

  it("is read, and round-trips", () => {
    expect(tokenizer.size).toBe(size);
    expect(tokenizer.encode("abcd").length).toBeLessThan(4);
    expect(tokenizer.decode(tokenizer.encode("reinforcement"))).toBe("reinforcement");
    expect(new TextDecoder().decode(tokenizer.bytesOf(size - 1))).toBe(tokenizer.textOf(size - 1));
  });

  it("serves constraints", () => {
    const allowed = new Uint8Array(size);
    constraints.matching(/[ab]+/, tokenizer)([], allowed);
    expect([vocab.ab, vocab.ac, vocab.bbb, 0].map((t) => allowed[t])).toEqual([1, 0, 1, 0]);
  });
});

describe("pairs of tokens above 65,536", () => {
  const of = (letter: string) => letter.charCodeAt(0) + 2;
  /** Every two bytes but "bz". */
  const merges: [number, number][] = [];
  for (let a = 2; a < 258; a++)
    for (let b = 2; b < 258; b++) if (a !== of("b") || b !== of("z")) merges.push([a, b]);
  const size = merges.length + 258;
  const two = (text: string) => 258 + merges.findIndex(([a, b]) => a === of(text[0]) && b === of(text[1]));

  it("are not confused with other pairs", () => {
    const tokenizer = byteLevelBpe([...merges, [of("a"), 65_536 + of("z")]]);
    expect(tokenizer.encode("bz")).toEqual([of("b"), of("z")]);
  });

  it("are merged like any others", () => {
    const tokenizer = byteLevelBpe([...merges, [two("zz"), two("yy")], [size, two("xx")]]);
    expect(size).toBeGreaterThan(65_536);
    expect(tokenizer.encode("zzyyxx")).toEqual([size + 1]);
    expect(tokenizer.decode([size + 1, size])).toBe("zzyyxxzzyy");
  });
});

describe("ids", () => {
  it.each([1e9, -1, 1.5, "7", null])("outside the table are rejected: %s", (id) => {
    const wrong = file({ "<end>": 0, a: id as number });
    expect(() => hubTokenizer(wrong, ends)).toThrow(
      `token "a" has the id ${JSON.stringify(id)}; ids must be integers`,
    );
  });
  it("of added tokens are checked too", () => {
    const added = [{ id: 2e9, content: "<end>", special: true }];
    expect(() => hubTokenizer({ ...file({ a: 1 }), added_tokens: added }, ends)).toThrow(
      'token "<end>" has the id 2000000000',
    );
  });
});

describe("what a vocabulary lacks", () => {
  const short = hubTokenizer(file({ "<end>": 0, "=": 1, a: 2 }), ends);
  it("is rejected by name, not dropped", () => {
    expect(() => short.encode("6+8=")).toThrow(
      'tokenizer.json: it has no tokens for "6", "+", "8" and would drop them from "6+8=".',
    );
    expect(() => short.encode("a a")).toThrow('it has no tokens for " "');
    expect(short.encode("a=<end>a")).toEqual([2, 1, 0, 2]);
    expect(short.encode("")).toEqual([]);
  });
  it("is the unknown token if there is one", () => {
    const vocab = { "<end>": 0, "=": 1, a: 2, "<unk>": 3 };
    expect(hubTokenizer(file(vocab, { unk_token: "<unk>" }), ends).encode("6=")).toEqual([3, 1]);
  });
});
