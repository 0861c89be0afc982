import { fail } from "@reins/core";
import { encodeAfter } from "../tokenizers/continuation.ts";
import {
  type ConversationEncoder,
  conversationEncoder,
  type EncodedTurn,
} from "../tokenizers/conversation-encoder.ts";
import type { HubTokenizer } from "../tokenizers/hub.ts";
import type { Message } from "../tokenizers/message.ts";
import { promptEncoder } from "../tokenizers/prompt-encoder.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { type Example, type ExampleText, plain } from "./example.ts";
import { type Truncation, truncated } from "./truncation.ts";

/** A text in tokens. Tokens of the spans by `teacher` are in the loss mask. */
export interface EncodedText {
  readonly spans: readonly EncodedTurn[];
  /** Tokens that were cut off to fit. */
  readonly cut: number;
  /** Its score among the texts of the example: 1 for chosen and 0 for rejected ones, the scores of a ranking. */
  readonly score: number;
  /** By how much it is better than the others, where the example says so. */
  readonly margin?: number;
  /** Whether the step that ends with each span is right, where the example says so; undefined for other spans. */
  readonly labels?: readonly (boolean | undefined)[];
  /** The prompt and the completion, as people read them. */
  readonly prompt: string;
  readonly completion: string;
}

/** Settings of {@link exampleEncoder}. */
export interface ExampleEncoderOptions {
  readonly tokenizer: Tokenizer & Partial<HubTokenizer>;
  /** Whether to use the chat template (default: if there is one). */
  readonly chat?: boolean;
  /** System message for conversations without one. */
  readonly system?: string;
  /** Maximum tokens of a text (default: unlimited). */
  readonly maxTokens?: number;
  /** What happens to longer texts (default `end`). */
  readonly truncation?: Truncation;
}

/** Turns examples into tokens with a loss mask. */
export interface ExampleEncoder {
  /** The text that supervised fine-tuning learns; undefined if there is none: it does not fit, or is a rejected completion. */
  demonstration(example: Example): EncodedText | undefined;
  /** The completions that are compared, the best first; undefined if the example has none, or one does not fit. */
  comparison(example: Example): readonly EncodedText[] | undefined;
  /** A completion whose steps are labelled; undefined if the example has none, or it does not fit. */
  steps(example: Example): EncodedText | undefined;
  /** The prompt of a text with the completion of another. */
  mismatch(text: EncodedText, other: EncodedText): EncodedText;
}

/** An encoder for a tokenizer. Strings as prompts are user turns where the tokenizer has a chat template. */
export function exampleEncoder(options: ExampleEncoderOptions): ExampleEncoder {
  const { tokenizer, maxTokens = Number.POSITIVE_INFINITY, truncation = "end", system } = options;
  const { chat = tokenizer.chatTemplate !== undefined } = options;
  const converse = conversationEncoder(tokenizer, { chat, system });
  const ofPrompt = promptEncoder({ special: {}, ...tokenizer }, { chat, system: chat ? system : undefined });
  const first = tokenizer.begin === undefined ? [] : [tokenizer.begin];
  const fitted = (
    spans: readonly EncodedTurn[],
    about: Omit<EncodedText, "spans" | "cut">,
  ): EncodedText | undefined => {
    const fit = truncated(spans, maxTokens, truncation);
    return fit && { ...fit, ...about };
  };
  /** A prompt and what follows it. */
  const pair = (prompt: ExampleText, completion: ExampleText, { tools }: Example, score: number) => {
    const about = { score, prompt: plain(prompt), completion: plain(completion) };
    const asked = messagesOf(prompt, tools);
    if (typeof completion === "string") {
      const before =
        prompt === "" ? first : asked ? converse.encodePrompt(asked, tools) : ofPrompt(prompt as string);
      const after = [...encodeAfter(tokenizer, before.at(-1), completion), tokenizer.end];
      return fitted(
        [
          { by: "environment", tokens: before },
          { by: "teacher", tokens: after },
        ],
        about,
      );
    }
    const before = asked ?? (prompt === "" ? [] : [{ role: "user" as const, content: prompt as string }]);
    return fitted(afterPrompt(converse, before, completion, tools), about);
  };
  const document = (text: string, score: number) =>
    fitted(
      [
        { by: "environment", tokens: first },
        { by: "teacher", tokens: [...tokenizer.encode(text), tokenizer.end] },
      ],
      { score, prompt: "", completion: text },
    );
  return {
    demonstration(example) {
      switch (example.kind) {
        case "document":
          return document(example.text, 1);
        case "conversation": {
          const { messages, tools } = example;
          const about = {
            prompt: plain(messages.slice(0, -1)),
            completion: messages[messages.length - 1].content,
          };
          return fitted(converse.encodeDemonstration(messages, tools), { score: 1, ...about });
        }
        case "completion":
          return pair(example.prompt, example.completion, example, 1);
        case "preference":
          return pair(example.prompt, example.chosen, example, 1);
        case "ranking":
          return pair(example.prompt, example.completions[bestOf(example.scores)], example, 1);
        case "labelled":
          return example.label ? pair(example.prompt, example.completion, example, 1) : undefined;
        case "steps":
          return example.labels.every(Boolean)
            ? pair(example.prompt, example.steps.join("\n"), example, 1)
            : undefined;
      }
    },
    comparison(example) {
      if (!isCompared(example)) return undefined;
      const texts = completionsOf(example).map(({ text, score, margin }) => {
        const encoded = pair(example.prompt, text, example, score);
        return encoded && margin !== undefined ? { ...encoded, margin } : encoded;
      });
      return texts.every((t) => t !== undefined) ? (texts as EncodedText[]) : undefined;
    },
    steps(example) {
      if (example.kind !== "steps") return undefined;
      const { prompt, steps, labels } = example;
      const empty = pair(prompt, "", example, 1)?.spans;
      if (!empty) return undefined;
      // Each step and line break is encoded alone, so that a step has the tokens that it has at the end of a text.
      const teacher = (tokens: readonly number[]): EncodedTurn => ({ by: "teacher", tokens });
      const written = steps.flatMap((step, i) => [
        ...(i ? [teacher(tokenizer.encode("\n"))] : []),
        teacher(tokenizer.encode(step)),
      ]);
      const spans = [empty[0], ...written, teacher([tokenizer.end])];
      if (spans.reduce((sum, s) => sum + s.tokens.length, 0) > maxTokens) return undefined;
      const ends = steps.flatMap((_, i) => (i ? [undefined, labels[i]] : [labels[i]]));
      const about = { score: 1, prompt: plain(prompt), completion: steps.join("\n") };
      return { spans, labels: [undefined, ...ends, undefined], cut: 0, ...about };
    },
    mismatch(text, other) {
      const spans = [
        ...text.spans.slice(0, firstLearned(text.spans)),
        ...other.spans.slice(firstLearned(other.spans)),
      ];
      // A text that fits has a learned token after its prompt, so one of the other completion fits too.
      const fit = truncated(spans, maxTokens, "end") ?? text;
      return { ...text, completion: other.completion, spans: fit.spans, cut: fit.cut };
    },
  };

  /** A prompt as messages where the chat template must render it; undefined for plain prompts. */
  function messagesOf(
    prompt: ExampleText,
    tools: readonly object[] | undefined,
  ): readonly Message[] | undefined {
    if (typeof prompt !== "string") return prompt;
    return chat && tools && prompt !== "" ? [{ role: "user", content: prompt }] : undefined;
  }
}

type Compared = Extract<Example, { readonly kind: "preference" | "ranking" | "labelled" }>;

const isCompared = (example: Example): example is Compared =>
  ["preference", "ranking", "labelled"].includes(example.kind);

/** The completions of an example with their scores, the best first. */
function completionsOf(example: Compared): readonly { text: ExampleText; score: number; margin?: number }[] {
  switch (example.kind) {
    case "preference":
      return [
        { text: example.chosen, score: 1, margin: example.margin },
        { text: example.rejected, score: 0 },
      ];
    case "ranking":
      return example.completions
        .map((text, i) => ({ text, score: example.scores[i] }))
        .sort((a, b) => b.score - a.score);
    case "labelled":
      return [{ text: example.completion, score: example.label ? 1 : 0 }];
  }
}

const firstLearned = (spans: readonly EncodedTurn[]): number => spans.findIndex((s) => s.by === "teacher");

const bestOf = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

/** A conversation in which only the turns after the prompt are learned. */
function afterPrompt(
  converse: ConversationEncoder,
  prompt: readonly Message[],
  completion: readonly Message[],
  tools: readonly object[] | undefined,
): readonly EncodedTurn[] {
  const spans = converse.encodeDemonstration([...prompt, ...completion], tools);
  const isReply = (m: Message) => m.role === "assistant";
  const replies = [...prompt, ...completion].filter(isReply).length;
  const taught = spans.filter((s) => s.by === "teacher").length;
  if (taught !== replies)
    fail(
      "chat template",
      `it marks ${taught} assistant turns of ${replies}, so the prompt cannot be told from the completion. Pass the completion as text.`,
    );
  let before = prompt.filter(isReply).length;
  return spans.map((span) =>
    span.by === "teacher" && before-- > 0 ? { ...span, by: "environment" as const } : span,
  );
}
