import type { Call, Message } from "../tokenizers/message.ts";

/** A prompt or a completion: a text, or turns of a conversation. */
export type ExampleText = string | readonly Message[];

/** What examples of all kinds may have. */
interface ExampleFields {
  /** Descriptions of the tools that a conversation may use, in the format of the OpenAI API. A chat template renders them. */
  readonly tools?: readonly object[];
  /** The split that the line names (`split`). */
  readonly split?: "train" | "test";
}

/** A text without a prompt: every token is learned. Fields: `text`. */
export interface DocumentExample extends ExampleFields {
  readonly kind: "document";
  readonly text: string;
}

/** A conversation: the turns of the assistant are learned. Fields: `messages`. */
export interface ConversationExample extends ExampleFields {
  readonly kind: "conversation";
  readonly messages: readonly Message[];
}

/** A prompt and its completion, which is learned. Fields: `prompt`, `completion` (or `answer`). */
export interface CompletionExample extends ExampleFields {
  readonly kind: "completion";
  readonly prompt: ExampleText;
  readonly completion: ExampleText;
}

/** Two completions of a prompt, the first of which is preferred. Fields: `prompt`, `chosen`, `rejected`. */
export interface PreferenceExample extends ExampleFields {
  readonly kind: "preference";
  /** The prompt; without the field `prompt`, the common beginning of both. It may be empty. */
  readonly prompt: ExampleText;
  readonly chosen: ExampleText;
  readonly rejected: ExampleText;
  /** By how much the first is better, where annotators said so. Field: `margin`. */
  readonly margin?: number;
}

/** Several completions of a prompt with scores, higher being better. Fields: `prompt`, `completions`, `scores`. */
export interface RankingExample extends ExampleFields {
  readonly kind: "ranking";
  readonly prompt: ExampleText;
  readonly completions: readonly ExampleText[];
  readonly scores: readonly number[];
}

/** A completion that is desirable or not. Fields: `prompt`, `completion`, `label`. */
export interface LabelledExample extends ExampleFields {
  readonly kind: "labelled";
  readonly prompt: ExampleText;
  readonly completion: ExampleText;
  readonly label: boolean;
}

/** The steps of a completion, each right or wrong. Fields: `prompt`, `completions` (the steps), `labels`. */
export interface StepsExample extends ExampleFields {
  readonly kind: "steps";
  readonly prompt: ExampleText;
  readonly steps: readonly string[];
  readonly labels: readonly boolean[];
}

/** An example of a data file. */
export type Example =
  | DocumentExample
  | ConversationExample
  | CompletionExample
  | PreferenceExample
  | RankingExample
  | LabelledExample
  | StepsExample;

/** The kinds of examples. */
export const exampleKinds = [
  "document",
  "conversation",
  "completion",
  "preference",
  "ranking",
  "labelled",
  "steps",
] as const satisfies readonly Example["kind"][];

/** The prompt of an example: what must not be in both the training and the test split. */
export function promptIn(example: Example): string {
  switch (example.kind) {
    case "document":
      return example.text;
    case "conversation": {
      const last = example.messages.map((m) => m.role).lastIndexOf("assistant");
      return plain(example.messages.slice(0, last));
    }
    default:
      return plain(example.prompt);
  }
}

/** A text as it is compared and shown: turns with their roles. */
export const plain = (text: ExampleText): string =>
  typeof text === "string" ? text : text.map((m) => `${m.role}: ${m.content}${callsOf(m.calls)}\n`).join("");

const callsOf = (calls: readonly Call[] = []): string =>
  calls.map((c) => ` ${c.name}(${JSON.stringify(c.arguments)})`).join("");
