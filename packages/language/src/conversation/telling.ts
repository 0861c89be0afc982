import type { HubTokenizer } from "../tokenizers/hub.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import { type CallFormat, tagged, terse } from "../tools/call-format.ts";
import type { Tool } from "../tools/tool.ts";
import { byTemplate, plainly, type Speaking } from "./speaking.ts";

/** How a model is talked to that may call tools. */
export interface Telling {
  readonly speaking: Speaking;
  readonly format: CallFormat;
  /** What the system says of the tools, where the chat template does not. */
  readonly rules?: string;
}

/** How a tokenizer's model is told of tools: by its chat template, which may know of them, or else in words; `chat: false` leaves the template out. */
export function tellingOf(
  tokenizer: Tokenizer & Partial<Pick<HubTokenizer, "chatTemplate" | "special">>,
  tools: readonly Tool<never, never>[],
  options: { readonly chat?: boolean; readonly format?: CallFormat } = {},
): Telling {
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
    speaking:
      template === undefined
        ? plainly(tokenizer)
        : byTemplate({ ...tokenizer, special }, template, knows ? described : []),
    format,
    ...(rules === undefined ? {} : { rules }),
  };
}
