import { fail, type Run, type Snapshot } from "@reins/core";
import { exportPolicy } from "@reins/core/policies";
import { save } from "@reins/core/snapshots";
import type { EnvSource } from "../places/source.ts";
import type { AgentContent, TrainingState } from "./agent-file.ts";

/** Parts of a process that do not belong to the agent: state of environments and metrics. */
export const transientParts = new Set(["rollout", "metrics"]);

/** Training steps of agents before their runs began. */
const before = new WeakMap<Run, number>();

/** Records the training steps of a run's agent before the run began. */
export const setEarlierSteps = (run: Run, steps: number): void => void before.set(run, steps);

/** Training steps of a run's agent, with those of earlier runs. */
export const learnedSteps = (run: Run): number => (before.get(run) ?? 0) + run.steps;

/** Content of an agent file for the current agent of a run. */
export function contentOf(run: Run, training = false): AgentContent {
  const { algorithm, env }: Run["options"] & { readonly env: Partial<Pick<EnvSource, "inside" | "masked">> } =
    run.options;
  if (env.stage) noFile(env.spec.id);
  const acting =
    run.process.acting ?? fail("save", `${algorithm.name} has no acting policy, so it has no agent to save.`);
  const { spec } = (env.make && env.evaluation) || env;
  return {
    algorithm: algorithm.name,
    steps: learnedSteps(run),
    spec: env.inside?.spec ?? env.spec,
    wrappers: env.inside?.kept() ?? [],
    policy: exportPolicy(acting, spec),
    ...(env.masked?.() ? { masked: true } : {}),
    ...(training ? { training: trainingOf(run) } : {}),
  };
}

export function noFile(id: string): never {
  return fail("save", `${id} is a language task. Save its model with agent.saveModel(folder).`);
}

function trainingOf({ process, options }: Run): TrainingState {
  const parts = Object.entries(process.parts).filter(([name]) => !transientParts.has(name));
  return {
    options: options.algorithm.options,
    parts: Object.fromEntries(parts.map(([name, part]): [string, Snapshot] => [name, save(part, name)])),
  };
}
