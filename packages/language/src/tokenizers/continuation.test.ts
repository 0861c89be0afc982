import { describe, expect, it } from "vitest";
import { templateFormat } from "../chat/chat-format.ts";
import { ConversationContext } from "../chat/context.ts";
import { exampleEncoder } from "../examples/encoder.ts";
import { renderChat } from "./chat.ts";
import { encodeAfter } from "./continuation.ts";
import { conversationEncoder } from "./conversation-encoder.ts";
import { hubTokenizer } from "./hub.ts";
import type { Message } from "./message.ts";

const bytes = Array.from({ length: 256 }, (_, b) => `<0x${b.toString(16).toUpperCase().padStart(2, "0")}>`);
const letters = [..."▁abcdefghijklmnopqrstuvwxyzHINSTU|<>[]/=+0123456789.,:?"];
const words = ["▁▁", "▁H", "▁Hi", "Hi", "▁yes", "yes", "▁y", "ye", "es", "▁4"];
const names = ["<unk>", "<s>", "</s>", ...bytes, ...letters, ...words];
const special = ["<unk>", "<s>", "</s>"];

/** How tokenizers of SentencePiece models put a blank before texts. */
const prefixes = {
  "the normalizer of Llama 2": {
    normalizer: {
      type: "Sequence",
      normalizers: [
        { type: "Prepend", prepend: "▁" },
        { type: "Replace", pattern: { String: " " }, content: "▁" },
      ],
    },
    pre_tokenizer: null,
  },
  "Metaspace before every part": {
    normalizer: null,
    pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: false },
  },
  "Metaspace before the first part": {
    normalizer: null,
    pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "first", split: false },
  },
};

const templates = {
  "Llama 2":
    "{% for m in messages %}{% if m.role == 'assistant' %}{{ ' ' + m.content + ' </s>' }}{% else %}{{ '<s>[INST] ' + m.content + ' [/INST]' }}{% endif %}{% endfor %}",
  TinyLlama:
    "{% for m in messages %}{{ '<|' + m.role + '|>\\n' + m.content + '</s>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}",
};

const tokenizerOf = (prefix: object, chat_template?: string) =>
  hubTokenizer(
    {
      version: "1.0",
      added_tokens: special.map((content, id) => ({
        ...{ id, content, special: true, normalized: false },
        ...{ single_word: false, lstrip: false, rstrip: false },
      })),
      post_processor: null,
      decoder: {
        type: "Sequence",
        decoders: [
          { type: "Replace", pattern: { String: "▁" }, content: " " },
          { type: "ByteFallback" },
          { type: "Fuse" },
          { type: "Strip", content: " ", start: 1, stop: 0 },
        ],
      },
      model: {
        ...{ type: "BPE", dropout: null, unk_token: "<unk>", fuse_unk: true, byte_fallback: true },
        ...{ continuing_subword_prefix: null, end_of_word_suffix: null },
        vocab: Object.fromEntries(names.map((name, id) => [name, id])),
        merges: ["▁ ▁", "▁ H", "▁H i", "H i", "▁ y", "y e", "e s", "ye s", "▁ yes", "▁ 4"],
      },
      ...prefix,
    },
    { bos_token: "<s>", eos_token: "</s>", ...(chat_template === undefined ? {} : { chat_template }) },
  );

const talk: readonly Message[] = [
  { role: "user", content: "Hi?" },
  { role: "assistant", content: "Hi" },
  { role: "user", content: "yes?" },
  { role: "assistant", content: "yes, yes" },
];

describe.each(Object.entries(prefixes))("a blank before texts, by %s", (_, prefix) => {
  it.each(Object.entries(templates))(
    "is not added inside a conversation with the template of %s",
    (_, template) => {
      const tokenizer = tokenizerOf(prefix, template);
      const spans = conversationEncoder(tokenizer).encodeDemonstration(talk);
      const whole = renderChat(talk, { template, special: tokenizer.special, reply: false }).trimEnd();
      expect(spans.flatMap((s) => s.tokens)).toEqual(tokenizer.encode(whole));
      // The model continues the prompt with the tokens that it has learned.
      const { demonstration } = exampleEncoder({ tokenizer });
      const [asked, said] = demonstration({ kind: "conversation", messages: talk.slice(0, 2) })!.spans;
      expect(asked.tokens).toEqual(conversationEncoder(tokenizer).encodePrompt(talk.slice(0, 1)));
      expect(said.tokens).toEqual(spans[1].tokens);
    },
  );

  it.each(Object.entries(templates))(
    "is not added where a conversation goes on, with the template of %s",
    (_, template) => {
      const tokenizer = tokenizerOf(prefix, template);
      const spans = conversationEncoder(tokenizer).encodeDemonstration(talk);
      const context = new ConversationContext(templateFormat(tokenizer, template), talk.slice(0, 1));
      context.write(talk[1], { by: "policy", tokens: spans[1].tokens });
      context.append(talk.slice(2, 3));
      expect(context.segments).toHaveLength(1);
      expect(context.tokens).toEqual(spans.slice(0, 3).flatMap((s) => s.tokens));
    },
  );

  it("is not added within the text of a special token", () => {
    const tokenizer = tokenizerOf(prefix);
    const { tokens } = templateFormat(tokenizer, "{{ messages[0].content }}").render([
      { role: "user", content: "Hi</s>yes" },
    ]);
    expect(tokens).not.toContain(tokenizer.end);
    expect(tokenizer.decode(tokens)).toBe("Hi</s>yes");
  });

  it("is not added between a prompt and its completion, or within a plain transcript", () => {
    const tokenizer = tokenizerOf(prefix);
    const { demonstration } = exampleEncoder({ tokenizer });
    const all = demonstration({ kind: "completion", prompt: "2+2=", completion: "4" })!.spans;
    expect(all.flatMap((s) => s.tokens)).toEqual([...tokenizer.encode("2+2=4"), tokenizer.end]);
    const lines = conversationEncoder(tokenizer).encodeDemonstration(talk.slice(0, 2));
    expect(lines.flatMap((s) => s.tokens)).toEqual([
      ...tokenizer.encode("user: Hi?\nassistant: "),
      ...encodeAfter(tokenizer, tokenizer.encode(".")[1], "Hi"),
      tokenizer.end,
    ]);
    expect(tokenizer.decode(lines[1].tokens)).toBe("Hi");
  });
});
