import { agentOf, loadAgent, type Run, type TrainOptions } from "reins";
import { usePlanck } from "reins/envs";
import { isTar } from "../../src/tar.ts";
import type { Told } from "./messages.ts";
import { type TrainTask, taskOf, tasks } from "./tasks.ts";

/** A task, and how it is trained. */
export interface Beginning {
  readonly task: TrainTask;
  readonly options: TrainOptions;
  /** What is learned so far, as a file to go on from. */
  save(run: Run): Promise<Uint8Array<ArrayBuffer>>;
}

/** What a wish of the page comes to. */
export async function beginning(wish: Extract<Told, { do: "begin" }>): Promise<Beginning> {
  const { task: id = "", seed, from } = wish;
  const task = from ? await taskOfFile(from) : taskOf(id);
  if (!task) throw new Error(`There is no task ${id}.`);
  const { env, algorithm, settings } = task;
  const steps = wish.steps ?? task.steps;
  if (task.pace === 0) {
    const words = await import("./words.ts");
    const start = from ? await words.sorterFrom(from) : words.newSorter(seed);
    const options = { ...words.wordsOptions(start, !from), steps, seed } as TrainOptions;
    return { task, options, save: async (run) => words.sorterFile(run, start) };
  }
  if (env === "LunarLander-v3") usePlanck(await import("planck"));
  return {
    task,
    options: from ? { from, env, steps, seed } : { algorithm, env, settings, steps, seed },
    save: async (run) => new Uint8Array(await agentOf(run).save(undefined, { training: true })),
  };
}

/** The task that an agent was trained on. */
async function taskOfFile(bytes: Uint8Array): Promise<TrainTask> {
  if (isTar(bytes)) return tasks.find((t) => t.pace === 0)!;
  const { spec } = await loadAgent(bytes);
  const task = taskOf(spec.id);
  if (task) return task;
  const known = tasks.filter((t) => t.pace > 0).map((t) => t.env);
  throw new Error(`This agent was trained on ${spec.id}. Here are ${known.join(", ")}.`);
}
