import { didYouMean } from "@reins/core/errors";
import { refuse } from "./api-error.ts";

/** How an API treats each field of a request. Unlisted fields are rejected. */
export interface RequestFields {
  readonly honoured: readonly string[];
  /** Labels for the caller's bookkeeping, which never change a reply. */
  readonly labels: readonly string[];
  /** Fields that are accepted only with neutral values: those values, and the hint for others. */
  readonly refused: {
    readonly [name: string]: { readonly neutral: readonly unknown[]; readonly instead: string };
  };
}

const labels = [
  "metadata",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "service_tier",
  "store",
  "user",
];

const topLogprobs = {
  neutral: [0],
  instead: "Only the log-probability of the sampled token is recorded: leave it out.",
};
const notSupported = { neutral: [], instead: "It is not supported: leave it out." };

const penalty = { neutral: [0], instead: "Penalties are not supported: leave it out or set it to 0." };

/** Fields of `POST /v1/chat/completions`. */
export const chatFields: RequestFields = {
  honoured: [
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "model",
    "n",
    "parallel_tool_calls",
    "response_format",
    "seed",
    "stop",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_p",
  ],
  labels,
  refused: {
    top_logprobs: {
      neutral: [0],
      instead:
        "Only the log-probability of the sampled token is recorded: use logprobs without top_logprobs.",
    },
    presence_penalty: penalty,
    frequency_penalty: penalty,
    logit_bias: { neutral: [{}], instead: "Use response_format to restrict a reply." },
    functions: { neutral: [], instead: "It is deprecated: use tools." },
    function_call: { neutral: [], instead: "It is deprecated: use tool_choice." },
    modalities: { neutral: [["text"]], instead: "Replies are text: leave it out." },
    audio: notSupported,
    prediction: notSupported,
    reasoning_effort: notSupported,
    verbosity: notSupported,
    web_search_options: notSupported,
  },
};

/** Fields of `POST /v1/completions`. */
export const completionFields: RequestFields = {
  honoured: [
    ...["logprobs", "max_tokens", "model", "n", "prompt", "seed", "stop", "stream", "stream_options"],
    ...["temperature", "top_p"],
  ],
  labels,
  refused: {
    best_of: { neutral: [1], instead: "Use n and choose among the replies." },
    echo: { neutral: [false], instead: "The prompt is not part of a reply: leave it out." },
    suffix: { neutral: [""], instead: "Text is continued, not inserted: leave it out." },
    presence_penalty: penalty,
    frequency_penalty: penalty,
    logit_bias: {
      neutral: [{}],
      instead: "Use /v1/chat/completions with response_format to restrict a reply.",
    },
  },
};

/** Fields of `POST /v1/embeddings`. */
export const embeddingFields: RequestFields = {
  honoured: ["dimensions", "encoding_format", "input", "model"],
  labels,
  refused: {},
};

/** Fields of `POST /v1/score`. */
export const scoreFields: RequestFields = {
  honoured: ["model", "text_1", "text_2"],
  labels,
  refused: {
    truncate_prompt_tokens: notSupported,
    encoding_format: { neutral: ["float"], instead: "Scores are numbers: leave it out." },
  },
};

/** Fields of `POST /v1/responses`. */
export const responsesFields: RequestFields = {
  honoured: [
    "input",
    "instructions",
    "max_output_tokens",
    "model",
    "parallel_tool_calls",
    "previous_response_id",
    "stream",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
  ],
  labels,
  refused: {
    top_logprobs: topLogprobs,
    include: { neutral: [[]], instead: "Nothing can be included: leave it out." },
    background: { neutral: [false], instead: "Background responses are not supported: leave it out." },
    truncation: { neutral: ["disabled"], instead: "Messages are never dropped: shorten the input yourself." },
    stream_options: { neutral: [{}, { include_obfuscation: false }], instead: "Leave it out." },
    conversation: { neutral: [], instead: "Use previous_response_id, or send all items as input." },
    prompt: { neutral: [], instead: "Use instructions." },
    max_tool_calls: notSupported,
    reasoning: notSupported,
  },
};

/** Rejects fields that an API does not honour, by name. `null` is neutral in any field. */
export function checkFields(body: object, { honoured, labels, refused }: RequestFields, within = ""): void {
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === undefined || honoured.includes(name) || labels.includes(name)) continue;
    const known = Object.hasOwn(refused, name) ? refused[name] : undefined;
    const path = within + name;
    if (!known) {
      const meant = didYouMean(name, [...honoured, ...Object.keys(refused)]);
      refuse(path, `Unknown parameter: ${path}.${meant} Leave it out.`);
    } else if (!known.neutral.some((v) => JSON.stringify(v) === JSON.stringify(value)))
      refuse(
        path,
        `${path} is ${JSON.stringify(value)?.slice(0, 100)}, which is not supported. ${known.instead}`,
      );
  }
}
