import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gpt } from "@reins/nn";
import { logSoftmax, random, tensor } from "@reins/tensor";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { characters } from "../../tokenizers/characters.ts";
import { hubTokenizer } from "../../tokenizers/hub.ts";
import { byteLevelBpe, trainBpe } from "../../tokenizers/pairs.ts";
import type { Tokenizer } from "../../tokenizers/tokenizer.ts";
import { TextGenerator } from "../generator.ts";
import type { Constraint } from "../sequence.ts";
import { grammar, matching, oneOf, schema } from "./constraint.ts";
import { either, optional, rule, sequence, text } from "./tree.ts";
import { vocabularyOf } from "./vocabulary.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url));
const hub = hubTokenizer(JSON.parse(readFileSync(join(root, "hf/tokenizer.json"), "utf8")) as object);
const letters = characters("abcé🙂");
const pairs = byteLevelBpe(trainBpe(["abcab abc aabbcc cabé🙂 é🙂é🙂 aé bé"], 258 + 24));

const allowedBy = (constraint: Constraint, tokens: readonly number[], size: number): number[] => {
  const allowed = new Uint8Array(size);
  constraint(tokens, allowed);
  return [...allowed.keys()].filter((t) => allowed[t]);
};

/** All texts of up to `longest` bytes that can be written token by token and ended. */
function language(constraint: Constraint, tokenizer: Tokenizer, longest: number): string[] {
  const found = new Set<string>();
  const visit = (tokens: number[], bytes: number) => {
    for (const token of allowedBy(constraint, tokens, tokenizer.size)) {
      if (token === tokenizer.end) found.add(tokenizer.decode(tokens));
      const more = tokenizer.bytesOf(token)?.length ?? longest;
      if (token !== tokenizer.end && bytes + more <= longest) visit([...tokens, token], bytes + more);
    }
  };
  visit([], 0);
  return [...found].sort();
}

/** The texts of an expression over the letters above, by brute force. */
function matched(pattern: RegExp, longest: number): string[] {
  const sized = (t: string) => Buffer.byteLength(t) <= longest;
  let last = [""];
  const all = [""];
  while (last.length) {
    last = last.flatMap((t) => [..."abcé🙂"].map((c) => t + c)).filter(sized);
    all.push(...last);
  }
  return all.filter((t) => new RegExp(`^(?:${pattern.source})$`, "u").test(t)).sort();
}

describe("a constraint", () => {
  it.each([
    /(ab|a)*c?/,
    /a(bc|é)+/,
    /[aé🙂]{1,3}/u,
    /(?:aa|bb|cc)*/,
    /[^\0-`d-èê-\u{1f641}\u{1f643}-\u{10ffff}]{2}/u,
    /(abc){1,2}|cab/,
  ])("%s allows the same texts through characters as through pieces of bytes, and no others", (pattern) => {
    const right = matched(pattern, 6);
    expect(right.length).toBeGreaterThan(1);
    expect(language(matching(pattern, letters), letters, 6)).toEqual(right);
    expect(language(matching(pattern, pairs), pairs, 6)).toEqual(right);
  });

  it("allows a token exactly if its bytes can be continued, for a vocabulary of a model", () => {
    const constraint = matching(/(?:return|if|self) [a-z_é]{1,12}(?:\.[a-z]+)*/, hub);
    const tokens = hub.encode("return self");
    const allowed = new Set(allowedBy(constraint, tokens, hub.size));
    const part = /^return self(?:[a-z_é]{0,8}|[a-z_é]{0,8}(\.[a-z]+)*\.?)$/u;
    const whole = Array.from({ length: hub.size }, (_, t) => t).filter(
      (t) => hub.bytesOf(t) && !/\ufffd/.test(hub.textOf(t)),
    );
    for (const t of whole)
      expect(allowed.has(t), hub.textOf(t)).toBe(part.test(`return self${hub.textOf(t)}`));
    expect(allowed.has(hub.end)).toBe(true);
    // The first byte of é alone, but not that of any other character.
    const byteTokens = [...allowed].filter((t) => /\ufffd/.test(hub.textOf(t)));
    expect(byteTokens.map((t) => [...hub.bytesOf(t)!])).toEqual([[0xc3]]);
  });

  it("never allows special tokens, except the end where the text is complete", () => {
    const constraint = oneOf(["ab", "abc", "<|im_start|>"], hub);
    const special = [0, 1, 2, 3, 4];
    const ends = ["", "a", "ab", "abc"].map((t) => allowedBy(constraint, hub.encode(t), hub.size));
    expect(ends.map((allowed) => allowed.includes(hub.end))).toEqual([false, false, true, true]);
    for (const allowed of ends)
      expect(allowed.filter((t) => special.includes(t) && t !== hub.end)).toEqual([]);
    expect(ends[3]).toEqual([hub.end]);
    expect(allowedBy(oneOf(["a", ""], letters), [], letters.size)).toEqual([letters.end, 2]);
  });

  it("allows the same tokens however a text is passed", () => {
    const make = () =>
      schema({ type: "array", items: { type: "integer", minimum: -20, maximum: 20 } }, pairs);
    const constraint = make();
    const growing: number[] = [];
    const whole = pairs.encode("[12,-7,3]");
    const fresh = (tokens: readonly number[]) => allowedBy(make(), [...tokens], pairs.size);
    for (const token of whole) {
      expect(allowedBy(constraint, growing, pairs.size)).toEqual(fresh(growing));
      growing.push(token);
    }
    // Shortened, changed within, and grown by several at once.
    growing.length = 3;
    expect(allowedBy(constraint, growing, pairs.size)).toEqual(fresh(growing));
    growing.splice(1, 2, ...pairs.encode("-"));
    expect(allowedBy(constraint, growing, pairs.size)).toEqual(fresh(growing));
    growing.splice(0, growing.length, ...whole);
    expect(allowedBy(constraint, growing, pairs.size)).toEqual([pairs.end]);
    for (const length of [2, 5, 0])
      expect(allowedBy(constraint, whole.slice(0, length), pairs.size)).toEqual(
        fresh(whole.slice(0, length)),
      );
  });

  it("never reaches a state that a small vocabulary cannot complete", () => {
    const some = characters('{}[]":,abn0123456789');
    const wanted = {
      type: "object",
      properties: {
        a: { type: "string", maxLength: 1 },
        c: { type: "null" },
        b: { type: "array", items: { enum: [1, true, 20] } },
      },
    } as const;
    const constraint = schema(wanted, some);
    const texts = language(constraint, some, 12);
    expect(texts).toContain('{"b":[1,20]}');
    expect(texts.filter((t) => /c|t/.test(t))).toEqual([]);
    const validate = new Ajv2020().compile(wanted);
    for (const t of texts) expect(validate(JSON.parse(t)), t).toBe(true);
    // Some bytes have no token: tokens that end inside a character are unusable.
    const few: Tokenizer = {
      ...letters,
      size: 5,
      bytesOf: (t) =>
        [undefined, undefined, [0xc3], [0xc3, 0xa9], [0x61]].map((b) => b && Uint8Array.from(b))[t],
    };
    expect(vocabularyOf(few).alphabet).toEqual([
      [0x61, 0x61],
      [0xe9, 0xe9],
    ]);
    expect(allowedBy(matching("[aéè]+", few), [], 5)).toEqual([3, 4]);
  });

  it("follows a recursive grammar", () => {
    const sums: ReturnType<typeof rule> = rule(() =>
      sequence(either(text("a"), sequence(text("("), sums, text(")"))), optional(sequence(text("+"), sums))),
    );
    const tokenizer = characters("a(+)");
    const texts = language(grammar(sums, tokenizer), tokenizer, 5);
    expect(texts).toEqual(["((a))", "(a)", "(a)+a", "(a+a)", "a", "a+(a)", "a+a", "a+a+a"].sort());
  });

  it("explains why no text is possible", () => {
    expect(() => matching("x+", letters)).toThrow("its vocabulary lacks required characters");
    expect(() => oneOf([], letters)).toThrow("no text matches");
    const nested = {
      $ref: "#/$defs/a",
      $defs: { a: { type: "array", items: { $ref: "#/$defs/a" }, maxItems: 1 } },
    };
    expect(() => schema(nested, pairs, { depth: 0 })).toThrow("within a depth of 0");
    expect(() => matching("ab", letters)([3], new Uint8Array(letters.size))).toThrow(
      "token 3 at position 0 violates the constraint",
    );
    expect(() => matching("ab", letters)([letters.end], new Uint8Array(letters.size))).toThrow(
      "violates the constraint",
    );
  });
});

describe("a random model under a schema", () => {
  const wanted = {
    type: "object",
    properties: {
      name: { type: "string", maxLength: 6 },
      level: { type: "integer", minimum: 1, maximum: 12 },
      tags: { type: "array", items: { enum: ["x", "yes", "no"] }, maxItems: 3 },
    },
    required: ["name", "level"],
  } as const;
  const words = byteLevelBpe(
    trainBpe(['{"name":"anna","level":12,"tags":["yes","no","x"]}', '"tags":["no"]'], 258 + 40),
  );
  const model = gpt({ layers: 1, width: 16, heads: 2, context: 128, vocabulary: words.size, style: "llama" });
  const params = model.init(random.key(3));
  const constraint = schema(wanted, words);
  const generator = new TextGenerator({
    model,
    params,
    vocabulary: words.size,
    context: 128,
    end: words.end,
    rows: 16,
  });
  const prompt = words.encode("json:");
  const texts = generator.generate(
    Array.from({ length: 40 }, (_, seed) => ({ prompt, seed, limit: 120, constraint })),
  );
  const validate = new Ajv2020().compile(wanted);

  it("writes only valid JSON", () => {
    for (const { tokens, ended } of texts) {
      expect(ended).toBe("end");
      const written = words.decode(tokens);
      expect(validate(JSON.parse(written)), written).toBe(true);
    }
    expect(new Set(texts.map((t) => words.decode(t.tokens))).size).toBeGreaterThan(30);
  });

  it("has the model's probabilities, renormalised over the allowed tokens", () => {
    for (const { tokens, logProb } of texts.slice(0, 4)) {
      const logits = model.apply(params, tensor([[...prompt, ...tokens.slice(0, -1)]], { dtype: "i32" }));
      const p = logSoftmax(logits).data;
      tokens.forEach((token, i) => {
        const from = (prompt.length - 1 + i) * words.size;
        const allowed = allowedBy(constraint, tokens.slice(0, i), words.size);
        expect(allowed).toContain(token);
        const mass = allowed.reduce((sum, t) => sum + Math.exp(p[from + t]), 0);
        expect(logProb[i]).toBeCloseTo(p[from + token] - Math.log(mass), 3);
      });
    }
  });
});
