import { runCalls } from "./run-calls.ts";
import type { Tool } from "./tool.ts";

/** Calls tools one after another in one conversation and returns their results. */
export function asker(tools: readonly Tool[], state: unknown = {}) {
  const store = new Map<string, unknown>();
  return async (name: string, args: unknown): Promise<string> => {
    const [{ message }] = await runCalls([{ id: "1", name, arguments: args }], {
      tools: tools as never,
      state,
      store,
      seed: 1,
    });
    return message.content;
  };
}
