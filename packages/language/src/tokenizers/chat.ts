import { Template } from "@huggingface/jinja";
import { fail } from "@reins/core";
import type { Message } from "./message.ts";

/** ChatML, which Qwen and many others use. */
export const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Settings of {@link renderChat}. */
export interface RenderOptions {
  readonly template?: string;
  readonly reply?: boolean;
  /** Tokens that the template names. */
  readonly special?: { readonly [name: string]: string };
  /** What the template is told of tools, in the form of the OpenAI API. */
  readonly tools?: readonly object[];
}

/** A message by the names that templates know. Calls that stand in the words of a turn already are not named again. */
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

/** A conversation as the text that a model was trained on. With `reply`, it ends where the model is to go on. */
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
      `${(error as Error).message} The template may refuse such a conversation (an odd order of roles, no user).`,
    );
  }
}
