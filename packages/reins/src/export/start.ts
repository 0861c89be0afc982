import type { AgentContent } from "../agents/agent-file.ts";
import type { Program } from "./graph.ts";

/** The initial value of a part of the state. */
export interface Start {
  readonly name: string;
  readonly values: readonly number[];
}

/** The initial state of an episode, part by part. */
export function startOf({ policy }: AgentContent, { inputs }: Program): Start[] {
  return inputs.flatMap(({ name }) => {
    if (!name.startsWith("state")) return [];
    const kept = policy.tensors.get(name.replace("state", "memory"));
    return [{ name, values: Array.from(kept?.data ?? []) }];
  });
}
