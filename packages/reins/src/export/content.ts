import { fail, said } from "@reins/core";
import type { Agent } from "../agents/agent.ts";
import { type AgentContent, readAgent } from "../agents/agent-file.ts";
import { type AgentSource, bytesOf } from "../agents/bytes.ts";

/** What is exported: a trained agent, or the file that `agent.save()` wrote, by its path, its address or its bytes. */
export type Exportable = Agent | AgentSource;

/** What an agent is, and what messages call it. */
export async function contentFrom(from: Exportable): Promise<{ content: AgentContent; source: string }> {
  if (isAgent(from)) {
    const { spec } = from;
    if (spec.action.kind === "text")
      fail(
        spec.id,
        "it is answered by a language model: exports are for agents that are stepped. Write the model as a Hugging Face folder, which other tools read: agent.saveModel(folder), reins resume RUN --save-model FOLDER.",
      );
    return { content: readAgent(await from.save(), spec.id), source: spec.id };
  }
  if (typeof from !== "string" && !(from instanceof URL) && !isBytes(from))
    fail("export", `this is ${said(from)}; give an agent, or the file that agent.save() wrote.`);
  const { bytes, name } = await bytesOf(from);
  return { content: readAgent(bytes, name), source: name };
}

const isAgent = (x: unknown): x is Agent =>
  typeof x === "object" && x !== null && "save" in x && typeof x.save === "function" && "act" in x;
const isBytes = (x: unknown): boolean => x instanceof Uint8Array || x instanceof ArrayBuffer;
