import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { characters } from "./characters.ts";
import { renderChat } from "./chat.ts";
import { hubTokenizer } from "./hub.ts";
import { byteLevelBpe, trainBpe } from "./pairs.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const json = JSON.parse(readFileSync(join(root, "hf/tokenizer.json"), "utf8")) as object;
const cases = JSON.parse(readFileSync(join(root, "hf/tokenizer-cases.json"), "utf8")) as {
  text: string;
  ids: number[];
  decoded: string;
}[];

describe("a tokenizer from Hugging Face", () => {
  const tokenizer = hubTokenizer(json);
  it.each(cases.map((c) => [JSON.stringify(c.text).slice(0, 40), c] as const))(
    "%s",
    (_, { text, ids, decoded }) => {
      expect(tokenizer.encode(text)).toEqual(ids);
      const whole = ids.map((id) => tokenizer.textOf(id)).join("");
      // Characters of several tokens can only be decoded together.
      if (/^[\x20-\x7e\s]*$/.test(text)) expect(whole).toBe(decoded);
    },
  );

  it("gives the bytes of each token, except special ones", () => {
    for (const { text, ids } of cases) {
      const bytes = ids.flatMap((id) => [...(tokenizer.bytesOf(id) ?? [])]);
      const visible = text.replaceAll(/<\|\w+\|>|<\/?tool>/g, "");
      expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(visible);
    }
    expect(tokenizer.bytesOf(tokenizer.end)).toBeUndefined();
    expect(hubTokenizer(json, {}, { vocabulary: 5000 }).bytesOf(4999)).toBeUndefined();
  });

  it("encodes and decodes the empty text", () => {
    expect([tokenizer.encode(""), tokenizer.decode([])]).toEqual([[], ""]);
  });

  it("omits special tokens from decoded text", () => {
    const { ids } = cases.find((c) => c.text.includes("<|im_start|>"))!;
    expect(tokenizer.decode(ids)).toBe("user\nhi\n");
    expect(tokenizer.textOf(tokenizer.end)).toBe("<|im_end|>");
  });

  it("is rejected for a model of fewer tokens", () => {
    expect(() => hubTokenizer(json, {}, { vocabulary: 10 })).toThrow("but the model's vocabulary is 10");
    expect(hubTokenizer(json, {}, { vocabulary: 5000 }).size).toBe(5000);
  });
});

describe("the bytes of tokens", () => {
  const words = (decoder: object | null) =>
    hubTokenizer({
      added_tokens: [
        { id: 0, content: "</s>", special: true },
        { id: 1, content: "<think>", special: false },
      ],
      normalizer: null,
      pre_tokenizer: null,
      post_processor: null,
      decoder,
      model: { type: "BPE", vocab: { "</s>": 0, "<think>": 1, "<0xE2>": 2, "▁the": 3, Ġa: 4 }, merges: [] },
    });
  const spelled = (decoder: object | null) =>
    [0, 1, 2, 3, 4].map((t) => {
      const bytes = words(decoder).bytesOf(t);
      return bytes && Buffer.from(bytes).toString("latin1");
    });

  it("follow the decoder, computed by hand", () => {
    const replace = { type: "Replace", pattern: { String: "▁" }, content: " " };
    const pieces = { type: "Sequence", decoders: [replace, { type: "ByteFallback" }, { type: "Fuse" }] };
    expect(spelled(pieces)).toEqual([undefined, "<think>", "\xe2", " the", "\xc4\xa0a"]);
    expect(spelled({ type: "Metaspace" })[3]).toBe(" the");
    expect(spelled({ type: "Metaspace" })[2]).toBe("<0xE2>");
    expect(spelled({ type: "ByteLevel" })[4]).toBe(" a");
    expect(() => spelled({ type: "WordPiece" })).toThrow("decoder WordPiece is not supported");
  });
});

describe("characters", () => {
  const tokenizer = characters("0123456789+-=");
  it("round-trip", () => {
    expect(tokenizer.encode("12+7=")).toEqual([3, 4, 12, 9, 14]);
    expect(tokenizer.decode([3, 4, 12, 9, 14, tokenizer.end, tokenizer.pad])).toBe("12+7=");
    expect(tokenizer.size).toBe(15);
  });
  it("have bytes", () => {
    expect([...characters("aé").bytesOf(3)!]).toEqual([0xc3, 0xa9]);
    expect([tokenizer.pad, tokenizer.end, 15].map((t) => tokenizer.bytesOf(t))).toEqual(
      Array(3).fill(undefined),
    );
  });
  it("outside the alphabet are named", () => {
    expect(() => tokenizer.encode("1x")).toThrow('"x" is not in the alphabet');
  });
});

describe("byte pairs", () => {
  const texts = ["the cat sat on the mat", "the dog sat on the log", "a cat and a dog"];
  const merges = trainBpe(texts, 258 + 30);
  const tokenizer = byteLevelBpe(merges);

  it("merges the most frequent pair first, computed by hand", () => {
    // Pieces " the" 2, "the" 2, " sat" 2, " cat" 2, …: "a" before "t" occurs in sat ×2, cat ×2 and mat.
    const [[a, b]] = trainBpe(["aab aab ab"], 260);
    expect([a - 2, b - 2]).toEqual(["a".charCodeAt(0), "b".charCodeAt(0)]);
  });

  it("round-trips any text, and shortens known pieces", () => {
    for (const text of [...texts, "héllo 你好 🙂", "\ufeffx", " \n\n\t x", "", "unknown WORDS 12345"])
      expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
    expect(tokenizer.encode(texts[0]).length).toBeLessThan(12);
  });

  it("gives the bytes of each token", () => {
    const bytes = tokenizer.encode("the cat 🙂").flatMap((t) => [...tokenizer.bytesOf(t)!]);
    expect(bytes).toEqual([...new TextEncoder().encode("the cat 🙂")]);
    expect([tokenizer.bytesOf(tokenizer.pad), tokenizer.bytesOf(tokenizer.end)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("does not depend on the order of the texts", () => {
    expect(trainBpe([...texts].reverse(), 258 + 30)).toEqual(merges);
  });
});

describe("chat templates", () => {
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "hello" },
    { role: "user", content: "bye" },
  ] as const;
  it("render a conversation up to where the model continues", () => {
    expect(renderChat(messages)).toBe(
      "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nhello<|im_end|>\n<|im_start|>user\nbye<|im_end|>\n<|im_start|>assistant\n",
    );
    expect(renderChat(messages.slice(0, 1), { reply: false })).toBe("<|im_start|>user\nhi<|im_end|>\n");
  });
  it("pass on errors of a template", () => {
    const counting = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}";
    expect(() => renderChat(messages, { template: counting, seconds: 0.2 })).toThrow("more than 0.2 s");
    expect(() => renderChat(messages, { template: "{{ range(10 ** 12) }}" })).toThrow();
    expect(() => renderChat(messages, { template: "{{ range(1000000000) }}" })).toThrow("up to 1000000");
    expect(() => renderChat(messages, { template: "{{ raise_exception('no user') }}" })).toThrow("no user");
    expect(renderChat(messages, { template: "{{ range(7, 1, -2) }} {{ range(2) }}" })).toBe(
      "[7, 5, 3] [0, 1]",
    );
  });
});

describe("a tokenizer.json of a stranger", () => {
  const split = (pattern: string) => ({
    ...json,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { type: "Split", pattern: { Regex: pattern }, behavior: "Isolated", invert: false },
        { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: false },
      ],
    },
  });

  it("cannot hang with a pattern that backtracks", () => {
    const slow = hubTokenizer(split("(a|aa)+$"), { eos_token: "<|im_end|>" }, { seconds: 0.2 });
    expect(() => slow.encode(`${"a".repeat(80)}!`)).toThrow("encoding 81 characters took more than 0.2 s");
    expect(slow.decode(slow.encode("hello aa"))).toBe("hello aa");
  });

  it.each([5, { a: 1 }, [null], [{ name: "default" }]])(
    "is refused with the chat template %j",
    (template) => {
      const config = { eos_token: "<|im_end|>", chat_template: template } as never;
      expect(() => hubTokenizer(json, config)).toThrow("tokenizer_config.json: chat_template is");
    },
  );

  it("is named if it is malformed", () => {
    expect(() => hubTokenizer(split("("), { eos_token: "<|im_end|>" })).toThrow(
      "tokenizer.json: it is not a supported",
    );
    expect(() => hubTokenizer({}, { eos_token: "</s>" })).toThrow(
      "tokenizer.json: it is not a supported tokenizer",
    );
  });
});
