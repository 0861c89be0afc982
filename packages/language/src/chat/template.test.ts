import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makers, pathOf } from "@reins/core/episodes";
import type { Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { conversationEpisode } from "../multi-turn/conversation-episode.ts";
import { chatMl } from "../tokenizers/chat.ts";
import { hubTokenizer } from "../tokenizers/hub.ts";
import type { Message } from "../tokenizers/message.ts";
import { templateFormat, textWithSpecials } from "./chat-format.ts";
import { ConversationContext } from "./context.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const tokenizer = hubTokenizer(JSON.parse(readFileSync(join(root, "hf/tokenizer.json"), "utf8")), {
  eos_token: "<|im_end|>",
});
/** Like Qwen 3's: reasoning is dropped from turns before the last question. */
const forgetful = `{%- for message in messages %}{%- if message.role == 'assistant' and '</think>' in message.content %}{{- '<|im_start|>assistant\\n' + message.content.split('</think>')[-1] + '<|im_end|>\\n' }}{%- else %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`;

/** A conversation of sampled turns, each with or without its end token. */
function talked(template: string, turns: readonly { say: string; answer?: string; cut?: boolean }[]) {
  const [first, ...rest] = turns;
  const context = new ConversationContext(templateFormat(tokenizer, template), [
    { role: "user", content: first.say },
  ]);
  const seen: number[][] = [];
  const speak = ({ answer, cut }: (typeof turns)[number]) => {
    if (answer === undefined) return;
    seen.push([...context.tokens]);
    const tokens = [...tokenizer.encode(answer), ...(cut ? [] : [tokenizer.end])];
    const message: Message = { role: "assistant", content: answer };
    context.write(message, { by: "policy", tokens, logProb: tokens.map(() => -1) });
  };
  speak(first);
  for (const turn of rest) {
    context.append([{ role: "user", content: turn.say }]);
    speak(turn);
  }
  return { context, seen };
}
const answered = { problem: { prompt: "", answer: "", data: 0, level: 1 }, text: "", ended: "end" };
const episodeOf = (context: ConversationContext) =>
  conversationEpisode(context.segments, {
    truncated: false,
    answered: { ...answered, messages: context.messages, opening: 1, rewards: [], calls: {}, price: 0 },
  });

describe("through a chat template", () => {
  it("encodes only new text, and the whole equals the template's rendering", () => {
    const { context } = talked(chatMl, [
      { say: "one", answer: "two" },
      { say: "three", answer: "four" },
    ]);
    expect(context.segments).toHaveLength(1);
    expect(textWithSpecials(tokenizer, context.tokens)).toBe(
      "<|im_start|>user\none<|im_end|>\n<|im_start|>assistant\ntwo<|im_end|>\n<|im_start|>user\nthree<|im_end|>\n<|im_start|>assistant\nfour<|im_end|>",
    );
    const episode = episodeOf(context);
    const by = [...(episode.columns.by as Tensor).data].map((m) => makers[m]);
    const own = [...(episode.columns.action as Tensor).data].filter((_, i) => by[i] === "policy");
    expect(textWithSpecials(tokenizer, own)).toBe("two<|im_end|>four<|im_end|>");
  });

  it("a truncated turn is ended by the next message", () => {
    const { context } = talked(chatMl, [{ say: "one", answer: "two", cut: true }, { say: "three" }]);
    const last = context.segments[0].spans.at(-1)!;
    expect(last.by).toBe("environment");
    expect(textWithSpecials(tokenizer, last.tokens)).toMatch(/^<\|im_end\|>\n<\|im_start\|>user/);
  });

  it("sampled tokens stay, even if the tokenizer would encode the text differently", () => {
    // One token per letter, where the tokenizer would use longer ones.
    const context = new ConversationContext(templateFormat(tokenizer, chatMl), [
      { role: "user", content: "hello" },
    ]);
    const letters = [..."hello there"].flatMap((c) => tokenizer.encode(c));
    expect(letters).not.toEqual(tokenizer.encode("hello there"));
    context.write(
      { role: "assistant", content: "hello there" },
      { by: "policy", tokens: [...letters, tokenizer.end] },
    );
    context.append([{ role: "user", content: "hello" }]);
    expect(context.segments).toHaveLength(1);
    expect(context.tokens.join()).toContain(letters.join());
  });

  it("a template that drops reasoning trains on what was seen", () => {
    const { context, seen } = talked(forgetful, [
      { say: "one", answer: "<think>hm</think>two" },
      { say: "three", answer: "<think>ah</think>four" },
      { say: "five", answer: "six" },
    ]);
    expect(context.segments).toHaveLength(3);
    expect(textWithSpecials(tokenizer, context.tokens)).not.toContain("think");
    const episode = episodeOf(context);
    const [observation, action] = [episode.columns.observation, episode.columns.action].map((c) => [
      ...(c as Tensor).data,
    ]);
    const by = [...(episode.columns.by as Tensor).data].map((m) => makers[m]);
    episode.segments.forEach((segment, s) => {
      const path = pathOf(episode, s);
      const tokens = [observation[path[0]], ...path.map((i) => action[i])];
      // Each step observes the token that the previous one chose.
      path.slice(1).forEach((step, i) => expect(observation[step]).toBe(action[path[i]]));
      // The context, then the turn.
      expect(tokens.slice(0, seen[s].length)).toEqual(seen[s]);
      const own = path.filter((i) => i >= segment.from && by[i] === "policy");
      expect(
        textWithSpecials(
          tokenizer,
          own.map((i) => action[i]),
        ),
      ).toBe(["<think>hm</think>two", "<think>ah</think>four", "six"][s] + "<|im_end|>");
    });
    // A shared prefix is stored once.
    expect(episode.segments[1].parent).toMatchObject({ segment: 0 });
  });
});
