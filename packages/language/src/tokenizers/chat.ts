import { Template } from "@huggingface/jinja";
import { fail } from "@reins/core";
import type { Message } from "./message.ts";

/** ChatML, which Qwen and many others use. */
export const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** A conversation as the text that a model was trained on. With `reply`, it ends where the model is to go on. */
export function renderChat(
  messages: readonly Message[],
  options: { template?: string; reply?: boolean; special?: { readonly [name: string]: string } } = {},
): string {
  const { template = chatMl, reply = true, special = {} } = options;
  try {
    return new Template(template).render({ messages, add_generation_prompt: reply, ...special });
  } catch (error) {
    return fail(
      "chat template",
      `${(error as Error).message} The template may refuse such a conversation (an odd order of roles, no user).`,
    );
  }
}
