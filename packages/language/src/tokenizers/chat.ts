import { Template } from "@huggingface/jinja";
import { fail } from "@reins/core";
import { limited } from "../time-limit.ts";
import type { Message } from "./message.ts";
import { pythonFunctions, pythonTemplate } from "./python-text.ts";

/** ChatML, the format of Qwen and many others. */
export const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Jinja's `range`, which makes a list of all its numbers. */
function range(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  const count = Math.max(0, Math.ceil((to - from) / step));
  if (!(step !== 0 && count <= 1e6))
    throw new Error(`range(${from}, ${to}, ${step}) has ${count} numbers; a template may use up to 1000000.`);
  return Array.from({ length: count }, (_, i) => from + i * step);
}

/** Replaces the library's own `range`, which has no limit. */
const prologue = new Template("{% set range = limited_range %}").parsed.body;

/** Parsed templates: parsing takes longer than rendering. */
const templates = new Map<string, Template>();

function parsed(text: string): Template {
  let template = templates.get(text);
  if (template) return template;
  template = pythonTemplate(text);
  template.parsed.body.unshift(...prologue);
  if (templates.size === 16) templates.clear();
  templates.set(text, template);
  return template;
}

/** Settings of {@link renderChat}. */
export interface RenderOptions {
  readonly template?: string;
  readonly reply?: boolean;
  /** Special tokens that the template refers to. */
  readonly special?: { readonly [name: string]: string };
  /** Tool descriptions for the template, in the format of the OpenAI API. */
  readonly tools?: readonly object[];
  /** Time limit in seconds, since templates may come from anyone (default 30). */
  readonly seconds?: number;
}

/** A message with the fields that templates use. Calls that are part of the content are not repeated. */
function asTemplatesNameIt({ role, content, calls, apart: own, call, name }: Message): object {
  const apart = calls?.length && (own || content === "");
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
  const { template = chatMl, reply = true, special = {}, tools, seconds = 30 } = options;
  const render = () =>
    parsed(template).render({
      limited_range: range,
      ...pythonFunctions,
      messages: messages.map(asTemplatesNameIt),
      add_generation_prompt: reply,
      ...(tools?.length ? { tools } : {}),
      ...special,
    });
  const late = () =>
    fail(
      "chat template",
      `it takes more than ${seconds} s. Check it for endless loops, or shorten the conversation.`,
    );
  try {
    // The built-in template needs no limit.
    return template === chatMl ? render() : limited(seconds * 1000, render, late);
  } catch (error) {
    return fail(
      "chat template",
      `${(error as Error).message} The template may reject this order of roles or a missing user message.`,
    );
  }
}
