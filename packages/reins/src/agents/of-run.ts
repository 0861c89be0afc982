import { fail, type Run, type Snapshot, save, writePolicy } from "@reins/core";
import type { EnvSource } from "../places/source.ts";
import type { AgentContent, KeptTraining } from "./agent-file.ts";

/** Parts of a process that are about where its environments are and what was measured: they are not the agent's. */
export const elsewhere = new Set(["rollout", "metrics"]);

/** Steps that agents had learned from before their runs began. */
const before = new WeakMap<Run, number>();

/** Says that the agent of a run had learned from so many steps when the run began. */
export const goesOnAfter = (run: Run, steps: number): void => void before.set(run, steps);

/** Steps that the agent of a run has learned from, those of runs before it included. */
export const learnedSteps = (run: Run): number => (before.get(run) ?? 0) + run.steps;

/** What a file keeps of the agent of a run, as it is now. */
export function contentOf(run: Run, training = false): AgentContent {
  const { algorithm, env }: Run["options"] & { readonly env: Partial<Pick<EnvSource, "inside" | "masked">> } =
    run.options;
  if (env.stage) noFile(env.spec.id);
  const acting =
    run.process.acting ??
    fail("save", `${algorithm.name} has no policy that acts: there is no agent to keep.`);
  const { spec } = (env.make && env.evaluation) || env;
  return {
    algorithm: algorithm.name,
    steps: learnedSteps(run),
    spec: env.inside?.spec ?? env.spec,
    wrappers: env.inside?.kept() ?? [],
    policy: writePolicy(acting, spec),
    ...(env.masked?.() ? { masked: true } : {}),
    ...(training ? { training: trainingOf(run) } : {}),
  };
}

/** Refuses to put a language model into the file of an agent. */
export function noFile(id: string): never {
  return fail("save", `${id} is answered in words: keep its language model by agent.saveModel(folder).`);
}

function trainingOf({ process, options }: Run): KeptTraining {
  const parts = Object.entries(process.parts).filter(([name]) => !elsewhere.has(name));
  return {
    options: options.algorithm.options,
    parts: Object.fromEntries(parts.map(([name, part]): [string, Snapshot] => [name, save(part, name)])),
  };
}
