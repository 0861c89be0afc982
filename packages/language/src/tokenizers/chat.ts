import { Template } from "@huggingface/jinja";
import { fail } from "@reins/core";
import type { Message } from "./message.ts";

/** ChatML, the format of Qwen and many others. */
export const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Settings of {@link renderChat}. */
export interface RenderOptions {
  readonly template?: string;
  readonly reply?: boolean;
  /** Special tokens that the template refers to. */
  readonly special?: { readonly [name: string]: string };
  /** Tool descriptions for the template, in the format of the OpenAI API. */
  readonly tools?: readonly object[];
}

/** A message with the fields that templates use. Calls that are part of the content are not repeated. */
function asTemplatesNameIt({ role, content, calls, call, name }: Message): object {
  const apart = calls?.length && content === "";
  return {
    role,
    content,
    ...(apart
      ? {
          tool_calls: calls.map((c) => ({
            id: c.id,
            type: "function",
            function: { name: c.name, arguments: c.arguments },
          })),
        }
      : {}),
    ...(call === undefined ? {} : { tool_call_id: call }),
    ...(name === undefined ? {} : { name }),
  };
}

/** A conversation as text by a chat template. With `reply`, it ends where the model continues. */
export function renderChat(messages: readonly Message[], options: RenderOptions = {}): string {
  const { template = chatMl, reply = true, special = {}, tools } = options;
  try {
    return new Template(template).render({
      messages: messages.map(asTemplatesNameIt),
      add_generation_prompt: reply,
      ...(tools?.length ? { tools } : {}),
      ...special,
    });
  } catch (error) {
    return fail(
      "chat template",
      `${(error as Error).message} The template may reject this order of roles or a missing user message.`,
    );
  }
}
