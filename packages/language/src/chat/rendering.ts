import type { HubTokenizer } from "../tokenizers/hub.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { type CallFormat, tagged } from "../tools/call-format.ts";
import { terse } from "../tools/terse-format.ts";
import type { Tool } from "../tools/tool.ts";
import { type ChatFormat, plainFormat, templateFormat } from "./chat-format.ts";

/** How conversations with tools are rendered for a model. */
export interface ChatRendering {
  readonly chatFormat: ChatFormat;
  readonly format: CallFormat;
  /** System message that describes the tools, where the chat template does not. */
  readonly toolPrompt?: string;
}

/**
 * The rendering for a tokenizer's model. Tools are described by the chat template if it supports them, else in text;
 * `chat: false` ignores the template.
 */
export function renderingFor(
  tokenizer: Tokenizer & Partial<Pick<HubTokenizer, "chatTemplate" | "special">>,
  tools: readonly Tool<never, never>[],
  options: { readonly chat?: boolean; readonly format?: CallFormat } = {},
): ChatRendering {
  const template = options.chat === false ? undefined : tokenizer.chatTemplate;
  const format = options.format ?? (template === undefined ? terse : tagged());
  const knows = template !== undefined && /\btools\b/.test(template);
  const described = tools.map(({ name, about, parameters }) => ({
    type: "function",
    function: { name, description: about, parameters },
  }));
  const rules = knows || !tools.length ? undefined : format.describe?.(tools);
  const { special = {} } = tokenizer;
  return {
    chatFormat:
      template === undefined
        ? plainFormat(tokenizer)
        : templateFormat({ ...tokenizer, special }, template, knows ? described : []),
    format,
    ...(rules === undefined ? {} : { toolPrompt: rules }),
  };
}
