import { loadAgent, type TrainOptions } from "reins";
import { usePlanck } from "reins/envs";
import type { Told } from "./messages.ts";
import { type TrainTask, taskOf, tasks } from "./tasks.ts";

/** A task, and how it is trained. */
export interface Beginning {
  readonly task: TrainTask;
  readonly options: TrainOptions;
}

/** What a wish of the page comes to. */
export async function beginning({
  task: id,
  seed,
  from,
}: Extract<Told, { do: "begin" }>): Promise<Beginning> {
  const task = from ? await taskOfAgent(from) : taskOf(id ?? "");
  if (!task) throw new Error(`There is no task ${id}.`);
  const { env, algorithm, settings, steps } = task;
  if (env === "LunarLander-v3") usePlanck(await import("planck"));
  if (task.pace === 0) {
    const { newSorter, wordsOptions } = await import("./words.ts");
    return { task, options: { ...wordsOptions(newSorter(seed), true), steps, seed } as TrainOptions };
  }
  return { task, options: from ? { from, env, steps, seed } : { algorithm, env, settings, steps, seed } };
}

/** The task that an agent was trained on. */
async function taskOfAgent(bytes: Uint8Array): Promise<TrainTask> {
  const { spec } = await loadAgent(bytes);
  const task = taskOf(spec.id);
  if (task) return task;
  const known = tasks.filter((t) => t.pace > 0).map((t) => t.env);
  throw new Error(`This agent was trained on ${spec.id}. Here are ${known.join(", ")}.`);
}
