import { describe, expect, it } from "vitest";
import { chatMl } from "../tokenizers/chat.ts";
import { tokenizerOf } from "../tokenizers/testing-hub.ts";
import { type EncodedText, exampleEncoder } from "./encoder.ts";
import { exampleIn } from "./format.ts";

const plain = tokenizerOf();
const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

/** The text, learned parts in brackets. */
const marked = (text: EncodedText | undefined) =>
  text?.spans
    .map(({ by, tokens }) => {
      const said = tokens.map((t) => plain.textOf(t)).join("");
      return by === "teacher" ? `[${said}]` : said;
    })
    .join("");
const chat = exampleEncoder({ tokenizer: tokenizerOf(chatMl) });
const bare = exampleEncoder({ tokenizer: plain });
const one = (line: object, encoder = chat) => marked(encoder.demonstration(exampleIn(line, "line 1")));
const asked = "<|im_start|>user\n2+2?<|im_end|>\n<|im_start|>assistant\n";

describe("demonstrations", () => {
  it("are learned after the prompt, with the end token", () => {
    expect(one({ prompt: "2+2?", completion: "4" })).toBe(`${asked}[4<|im_end|>]`);
    expect(one({ prompt: "2+2?", completion: "4" }, bare)).toBe("2+2?[4<|im_end|>]");
    expect(one({ prompt: [user("2+2?")], completion: [assistant("4")] })).toBe(`${asked}[4<|im_end|>]`);
    expect(one({ text: "2+2 is 4." })).toBe("[2+2 is 4.<|im_end|>]");
    expect(one({ prompt: "2+2?", chosen: "4", rejected: "5" })).toBe(`${asked}[4<|im_end|>]`);
    expect(one({ prompt: "2+2?", completions: ["5", "4"], scores: [0, 1] })).toBe(`${asked}[4<|im_end|>]`);
    expect(one({ prompt: "2+2?", completion: "5", label: false })).toBeUndefined();
    expect(one({ prompt: "2+2?", completions: ["Add.", "4"], labels: [true, true] })).toBe(
      `${asked}[Add.\n4<|im_end|>]`,
    );
  });

  it("learn all assistant turns of a conversation, but none of a prompt", () => {
    const turns = [user("2+2?"), assistant("4"), user("Sure?"), assistant("Yes.")];
    const middle = "\n<|im_start|>user\nSure?<|im_end|>\n<|im_start|>assistant\n";
    expect(one({ messages: turns })).toBe(`${asked}[4<|im_end|>]${middle}[Yes.<|im_end|>]`);
    const parts = { prompt: turns.slice(0, 3), completion: turns.slice(3) };
    expect(one(parts)).toBe(`${asked}4<|im_end|>${middle}[Yes.<|im_end|>]`);
  });

  it("keep the loss mask of templates with marks, whatever calls and tools contain", () => {
    const marks = `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}{{ m.role }}:{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% for c in m.tool_calls or [] %}<{{ c.function.arguments | tojson }}>{% endfor %}\n{% endgeneration %}{% else %}{{ m.content }}\n{% endif %}{% endfor %}`;
    const encoder = exampleEncoder({ tokenizer: tokenizerOf(marks) });
    const marked = (text: string) => {
      const calls = [{ id: "1", type: "function", function: { name: "add", arguments: { a: text } } }];
      const tools = [{ name: "add", description: text }];
      const line = { messages: [user("Hi"), { role: "assistant", content: "x", tool_calls: calls }], tools };
      return encoder.demonstration(exampleIn(line, "line 1"))!.spans.map((s) => [s.by, s.tokens.length > 2]);
    };
    expect(marked("\ue0f0\ue0f1")).toEqual(marked("ab"));
  });

  const template = `{% if tools %}<tools>{% for t in tools %}{{ t.function.name }}{% endfor %}</tools>\n{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}<call>{{ c.function.name }}({{ c.function.arguments | tojson }})</call>{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`;
  const call = { id: "1", type: "function", function: { name: "add", arguments: '{"a": 2}' } };
  const withTools = {
    tools: [{ type: "function", function: { name: "add", parameters: {} } }],
    messages: [
      user("2+2?"),
      { role: "assistant", content: "Let me see.", tool_calls: [call] },
      { role: "tool", content: "4", tool_call_id: "1" },
      assistant("4"),
    ],
  };

  it("render tools and calls, and learn the calls", () => {
    const how = exampleEncoder({ tokenizer: tokenizerOf(template) });
    expect(one(withTools, how)).toBe(
      `<tools>add</tools>\n${asked}[Let me see.<call>add({"a": 2})</call><|im_end|>]\n<|im_start|>tool\n4<|im_end|>\n<|im_start|>assistant\n[4<|im_end|>]`,
    );
    // The same by the template's own marks.
    const own = template
      .replace("{{ m.content }}{% for", "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% for")
      .replace(
        "<|im_end|>\n{% endfor %}{% if add",
        "<|im_end|>{% endgeneration %}{% else %}{{ m.content }}<|im_end|>{% endif %}{{ '\\n' }}{% endfor %}{% if add",
      );
    expect(one(withTools, exampleEncoder({ tokenizer: tokenizerOf(own) }))).toBe(one(withTools, how));
  });

  it("refuse tools and calls that would be dropped", () => {
    expect(() => one(withTools)).toThrow("the conversation has tools, but the chat template has no place");
    expect(() => one(withTools, bare)).toThrow(
      "the conversation has tools, but the tokenizer has no chat template",
    );
    expect(() => one({ messages: withTools.messages })).toThrow(
      "a turn has tool_calls, but the chat template",
    );
  });

  it("keep special tokens in user turns as text, so that no example forges a turn", () => {
    const forged = chat.demonstration(exampleIn({ prompt: "<|im_end|>", completion: "4" }, "line 1"))!;
    const end = plain.encode("<|im_end|>")[0];
    expect(forged.spans[0].tokens.filter((t) => t === end)).toHaveLength(1);
  });
});

describe("comparisons", () => {
  const many = (line: object) =>
    chat.comparison(exampleIn(line, "line 1"))?.map((t) => [marked(t)?.replace(asked, ""), t.score]);

  it("are the completions with their scores, the best first", () => {
    expect(many({ prompt: "2+2?", chosen: "4", rejected: "5" })).toEqual([
      ["[4<|im_end|>]", 1],
      ["[5<|im_end|>]", 0],
    ]);
    expect(many({ prompt: "2+2?", completions: ["3", "4", "5"], scores: [0.5, 2, -1] })).toEqual([
      ["[4<|im_end|>]", 2],
      ["[3<|im_end|>]", 0.5],
      ["[5<|im_end|>]", -1],
    ]);
    expect(many({ prompt: "2+2?", completion: "5", label: false })).toEqual([["[5<|im_end|>]", 0]]);
    expect(many({ text: "4" })).toBeUndefined();
  });
});

describe("texts that are too long", () => {
  const words = { prompt: "one two three four", completion: "five six seven eight" };
  const cut = (maxTokens: number, truncation?: "end" | "start" | "drop") =>
    exampleEncoder({ tokenizer: plain, maxTokens, truncation }).demonstration(exampleIn(words, "line 1"));
  const whole = cut(1000)!;
  const lengths = whole.spans.map((s) => s.tokens.length);
  const [prompt, all] = [lengths[0], lengths[0] + lengths[1]];

  it("lose their end, their beginning, or are dropped", () => {
    expect(whole.cut).toBe(0);
    const end = cut(all - 2)!;
    expect(end.cut).toBe(2);
    expect(end.spans[1].tokens).toEqual(whole.spans[1].tokens.slice(0, -2));
    const start = cut(all - 2, "start")!;
    expect(start.spans[0].tokens).toEqual([whole.spans[0].tokens[0], ...whole.spans[0].tokens.slice(3)]);
    expect(start.spans[1]).toEqual(whole.spans[1]);
    expect(cut(all - 2, "drop")).toBeUndefined();
    expect(cut(all, "drop")).toEqual(whole);
  });

  it("are dropped where nothing learned would be left", () => {
    expect(cut(prompt)).toBeUndefined();
    expect(cut(prompt + 1)?.spans[1].tokens).toHaveLength(1);
    const left = cut(2, "start")!;
    expect(left.spans.map((s) => s.tokens.length)).toEqual([1, 1]);
  });
});
