import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatMl } from "./chat.ts";
import { hubTokenizer, loadTokenizer } from "./hub.ts";
import { promptEncoder } from "./prompt-encoder.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const file = join(root, "hf/tokenizer.json");
const json = JSON.parse(readFileSync(file, "utf8")) as object;
/** Like Llama's: a token before every text. */
const beginning = {
  ...json,
  post_processor: {
    type: "TemplateProcessing",
    single: [{ SpecialToken: { id: "<|endoftext|>", type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
    pair: [{ Sequence: { id: "A", type_id: 0 } }],
    special_tokens: { "<|endoftext|>": { id: "<|endoftext|>", ids: [0], tokens: ["<|endoftext|>"] } },
  },
};
const config = { bos_token: "<|endoftext|>", eos_token: { content: "<|im_end|>" } };
const spelled = (tokenizer: ReturnType<typeof hubTokenizer>, tokens: readonly number[]) =>
  tokens.map((t) => tokenizer.textOf(t)).join("");

describe("a prompt for a model from a folder", () => {
  it("is plain text, after the begin token", () => {
    const plain = hubTokenizer(json);
    expect(promptEncoder(plain)("hi there")).toEqual(plain.encode("hi there"));
    const tokenizer = hubTokenizer(beginning, config);
    expect([tokenizer.begin, hubTokenizer(json, config).begin]).toEqual([0, undefined]);
    expect(promptEncoder(tokenizer)("hi")).toEqual([0, ...tokenizer.encode("hi")]);
  });

  it("uses the chat template, with special tokens and a task description", () => {
    const tokenizer = hubTokenizer(beginning, { ...config, chat_template: `{{ bos_token }}${chatMl}` });
    expect(tokenizer.special).toEqual({ bos_token: "<|endoftext|>", eos_token: "<|im_end|>" });
    const put = (options: object) => spelled(tokenizer, promptEncoder(tokenizer, options)("1+2="));
    const turn = (text: string) =>
      `<|endoftext|><|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`;
    expect(put({})).toBe(turn("1+2="));
    expect(put({ about: "Compute." })).toBe(turn("Compute.\n\n1+2="));
    expect(put({ chat: false, about: "Compute." })).toBe("<|endoftext|>1+2=");
    expect(() => promptEncoder(hubTokenizer(json), { chat: true })).toThrow(
      "the tokenizer has no chat template",
    );
  });

  it("uses a template in its own file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "reins-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(file, join(folder, "tokenizer.json"));
    expect((await loadTokenizer(folder)).chatTemplate).toBeUndefined();
    writeFileSync(join(folder, "chat_template.jinja"), chatMl);
    expect((await loadTokenizer(folder)).chatTemplate).toBe(chatMl);
  });
});
