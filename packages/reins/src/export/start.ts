import type { AgentContent } from "../agents/agent-file.ts";
import type { Program } from "./graph.ts";

/** What a part of the state is when an episode begins. */
export interface Start {
  readonly name: string;
  readonly values: readonly number[];
}

/** What the state of a program is when an episode begins, part by part. */
export function startOf({ policy }: AgentContent, { inputs }: Program): Start[] {
  return inputs.flatMap(({ name }) => {
    if (!name.startsWith("state")) return [];
    const kept = policy.tensors.get(name.replace("state", "memory"));
    return [{ name, values: Array.from(kept?.data ?? []) }];
  });
}
