import { isTar } from "@reins/studio/wire";
import { type Agent, agentOf, loadAgent, Run, type TrainOptions } from "reins";
import { usePlanck } from "reins/envs";
import type { WorkerCommand } from "./messages.ts";
import { type TrainTask, taskOf, tasks } from "./tasks.ts";

/** A request to train a task, or to play a loaded agent. */
export type SetupRequest = Extract<WorkerCommand, { do: "begin" }>;

/** A task with its training options. */
export interface TrainingSetup {
  readonly task: TrainTask;
  readonly options: TrainOptions;
  /** The loaded agent, and the steps that it was trained for. */
  readonly agent?: Agent;
  readonly before: number;
  /** Saves the agent or model, with what training needs to continue. */
  save(run: Run): Promise<Uint8Array<ArrayBuffer>>;
}

/** Resolves a request to a task and its options. */
export async function resolveSetup(request: SetupRequest): Promise<TrainingSetup> {
  const { task: id = "", from } = request;
  if (from) return isTar(from) ? withModel(sortingTask, request) : withAgent(request, from);
  const task = taskOf(id);
  if (!task) throw new Error(`Unknown task "${id}". Choose one of ${tasks.map((t) => t.id).join(", ")}.`);
  if (task.pace === 0) return withModel(task, request);
  await loadEngine(task);
  const { env, algorithm, settings } = task;
  return {
    task,
    options: { algorithm, env, settings, ...length(task, request) },
    before: 0,
    save: saveAgent,
  };
}

const sortingTask = tasks.find((task) => task.pace === 0)!;

const length = (task: TrainTask, { steps, seed }: SetupRequest) => ({ steps: steps ?? task.steps, seed });

const saveAgent = async (run: Run) => new Uint8Array(await agentOf(run).save(undefined, { training: true }));

/** Loads the physics engine that an environment needs. */
async function loadEngine({ env }: TrainTask): Promise<void> {
  if (env === "LunarLander-v3") usePlanck(await import("planck"));
}

/** The setup for a loaded agent, with the task that it was trained on. */
async function withAgent(request: SetupRequest, from: Uint8Array): Promise<TrainingSetup> {
  const agent = await loadAgent(from).catch(() => {
    throw new Error(
      "it is not an agent file, or it is damaged. Load a file that this page or `reins export --agent` saved",
    );
  });
  const task = taskOf(agent.spec.id);
  if (!task || task.pace === 0) {
    const known = tasks.filter((t) => t.pace > 0).map((t) => t.env);
    throw new Error(`its agent was trained on ${agent.spec.id}. This page supports ${known.join(", ")}`);
  }
  await loadEngine(task);
  return {
    ...{ task, agent, before: agent.steps, save: saveAgent },
    options: { from, env: task.env, ...length(task, request) },
  };
}

/** The setup for a language model, loaded or new. */
async function withModel(task: TrainTask, request: SetupRequest): Promise<TrainingSetup> {
  const sorter = await import("./sorter.ts");
  const { from, seed } = request;
  const { model, steps: before } = from ? await sorter.sorterFrom(from) : sorter.newSorter(seed);
  const parts = sorter.sorterOptions(model, !from);
  const options = { ...parts, ...length(task, request) };
  return {
    ...{ task, options, before },
    ...(from ? { agent: agentOf(new Run(options)) } : {}),
    save: async (run) => sorter.sorterFile(run, model, before + run.steps),
  };
}
