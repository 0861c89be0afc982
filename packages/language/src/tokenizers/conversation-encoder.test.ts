import { describe, expect, it } from "vitest";
import { characters } from "./characters.ts";
import { chatMl } from "./chat.ts";
import { type ConversationEncoder, conversationEncoder } from "./conversation-encoder.ts";
import type { Message } from "./message.ts";
import { tokenizerOf } from "./testing-hub.ts";
import { byMarks } from "./turns.ts";

const plain = tokenizerOf();

const talk: readonly Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello?" },
  { role: "assistant", content: "Yes." },
  { role: "user", content: "Yes what?" },
  { role: "assistant", content: "Yes." },
];

/** The teacher's text, special tokens included, and the whole. */
function read(how: ConversationEncoder, messages: readonly Message[] = talk) {
  const spoken = how.encodeDemonstration(messages);
  const text = (tokens: readonly number[]) => tokens.map((t) => plain.textOf(t)).join("");
  return {
    taught: spoken.filter((s) => s.by === "teacher").map((s) => text(s.tokens)),
    whole: text(spoken.flatMap((s) => s.tokens)),
  };
}

describe("conversations", () => {
  it("imitate all assistant turns, each with its end token", () => {
    const { taught, whole } = read(conversationEncoder(tokenizerOf(chatMl)));
    expect(taught).toEqual(["Yes.<|im_end|>", "Yes.<|im_end|>"]);
    expect(whole).toBe(
      "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello?<|im_end|>\n<|im_start|>assistant\nYes.<|im_end|>\n<|im_start|>user\nYes what?<|im_end|>\n<|im_start|>assistant\nYes.<|im_end|>",
    );
  });

  it("begin each assistant turn where a model would continue", () => {
    const how = conversationEncoder(tokenizerOf(chatMl));
    const spoken = how.encodeDemonstration(talk);
    const before = (i: number) => spoken.slice(0, i).flatMap((s) => s.tokens);
    expect(before(1)).toEqual(how.encodePrompt(talk.slice(0, 2)));
    expect(before(3)).toEqual(how.encodePrompt(talk.slice(0, 4)));
  });

  it("use the template's own marks if present", () => {
    const marked =
      "{% for m in messages %}[{{ m.role }}]{% if m.role == 'assistant' %}\n  {% generation %}\n{{ m.content }}<|im_end|>{% endgeneration %}\n{% else %}{{ m.content }}{% endif %}{{ '\\n' }}{% endfor %}";
    expect(read(conversationEncoder(tokenizerOf(marked)))).toEqual({
      taught: ["Yes.<|im_end|>", "Yes.<|im_end|>"],
      whole:
        "[system]Be brief.\n[user]Hello?\n[assistant]Yes.<|im_end|>\n[user]Yes what?\n[assistant]Yes.<|im_end|>",
    });
  });

  it("hold also where a message has private-use characters", () => {
    const marked =
      "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}";
    const forged = [
      { role: "user", content: "\uE0F0forged\uE0F1" },
      { role: "assistant", content: "Yes." },
    ] as const;
    const pieces = byMarks(forged, marked);
    expect(pieces?.filter((p) => p.by === "teacher").map((p) => p.text)).toEqual(["Yes."]);
  });

  it("are found where a template renders the last turn differently", () => {
    const thinking =
      "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if loop.last and m.role == 'assistant' %}(thinks)\n{% endif %}{{ m.content | trim }} <|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
    expect(read(conversationEncoder(tokenizerOf(thinking))).taught).toEqual([
      "Yes. <|im_end|>",
      "(thinks)\nYes. <|im_end|>",
    ]);
  });

  it("are not taken for the same words in a question, or in what a template adds", () => {
    const choice = [
      { role: "user", content: "A or B?" },
      { role: "assistant", content: "A" },
      { role: "user", content: "n or y?" },
      { role: "assistant", content: "n" },
    ] as const;
    // As of DeepSeek-R1: a prompt ends with the beginning of a thought, which turns do not have.
    const opening =
      "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% if m.role == 'assistant' %}<|im_end|>{% endif %}{% endfor %}{% if add_generation_prompt %}[assistant](think){% endif %}";
    expect(read(conversationEncoder(tokenizerOf(opening)), choice).taught).toEqual([
      "A<|im_end|>",
      "n<|im_end|>",
    ]);
    // As of Qwen3: the last turn begins with an empty thought.
    const thought =
      "{% for m in messages %}[{{ m.role }}]{% if loop.last and m.role == 'assistant' %}(think){% endif %}{{ m.content }}{% if m.role == 'assistant' %}<|im_end|>{% endif %}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}";
    expect(read(conversationEncoder(tokenizerOf(thought)), choice).taught).toEqual([
      "A<|im_end|>",
      "(think)n<|im_end|>",
    ]);
  });

  it("are rejected where a template drops a turn", () => {
    const forgetful =
      "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}";
    const how = conversationEncoder(tokenizerOf(forgetful));
    const said = { role: "assistant", content: "Never." } as const;
    expect(() => how.encodeDemonstration([talk[1], said])).toThrow('turn 2, "Never."');
  });

  it("are lines with roles without a template, and end at once where a turn does not", () => {
    const letters = characters("".concat(..."systemuassitant:\nBe brief.Hello?Yes what"));
    const how = conversationEncoder(letters);
    const [asked, ...rest] = how.encodeDemonstration(talk);
    expect(letters.decode(asked.tokens)).toBe("system: Be brief.\nuser: Hello?\nassistant: ");
    expect(rest.map((s) => letters.decode(s.tokens))).toEqual([
      "Yes.\n",
      "user: Yes what?\nassistant: ",
      "Yes.",
    ]);
    expect(rest.at(-1)?.tokens.at(-1)).toBe(letters.end);
  });

  it("have a default system message", () => {
    const how = conversationEncoder(tokenizerOf(chatMl), { system: "Be kind." });
    expect(read(how, talk.slice(1)).whole).toContain("<|im_start|>system\nBe kind.<|im_end|>");
    expect(read(how).whole).not.toContain("kind");
  });
});
