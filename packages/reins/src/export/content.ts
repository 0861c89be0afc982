import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import type { Agent } from "../agents/agent.ts";
import { type AgentContent, readAgent } from "../agents/agent-file.ts";
import { type AgentSource, bytesOf } from "../agents/bytes.ts";

/** A trained agent, or a file that `agent.save()` wrote, given by path, URL or bytes. */
export type Exportable = Agent | AgentSource;

/** The content of an agent, and its name in messages. */
export async function contentFrom(from: Exportable): Promise<{ content: AgentContent; source: string }> {
  if (isAgent(from)) {
    const { spec } = from;
    if (spec.action.kind === "text")
      fail(
        spec.id,
        "language models cannot be exported this way. Write a Hugging Face folder: agent.saveModel(folder), or reins resume RUN --save-model FOLDER.",
      );
    return { content: readAgent(await from.save(), spec.id), source: spec.id };
  }
  if (typeof from !== "string" && !(from instanceof URL) && !isBytes(from))
    fail("export", `expected an agent or a file that agent.save() wrote, got ${describeValue(from)}.`);
  const { bytes, name } = await bytesOf(from);
  return { content: readAgent(bytes, name), source: name };
}

const isAgent = (x: unknown): x is Agent =>
  typeof x === "object" && x !== null && "save" in x && typeof x.save === "function" && "act" in x;
const isBytes = (x: unknown): boolean => x instanceof Uint8Array || x instanceof ArrayBuffer;
