import { type Agent, agentOf, loadAgent, Run, type TrainOptions } from "reins";
import { usePlanck } from "reins/envs";
import { isTar } from "../../src/tar.ts";
import type { Told } from "./messages.ts";
import { type TrainTask, taskOf, tasks } from "./tasks.ts";

/** A wish of the page to train something, or to have it played. */
export type Wish = Extract<Told, { do: "begin" }>;

/** A task, and how it is trained. */
export interface Beginning {
  readonly task: TrainTask;
  readonly options: TrainOptions;
  /** The agent that it begins with, and the steps that it has learned from. */
  readonly agent?: Agent;
  readonly before: number;
  /** What is learned so far, as a file to go on from. */
  save(run: Run): Promise<Uint8Array<ArrayBuffer>>;
}

/** What a wish of the page comes to. */
export async function beginning(wish: Wish): Promise<Beginning> {
  const { task: id = "", from } = wish;
  if (from) return isTar(from) ? inWords(wordsTask, wish) : withAgent(wish, from);
  const task = taskOf(id);
  if (!task) throw new Error(`There is no task ${id}.`);
  if (task.pace === 0) return inWords(task, wish);
  await preparing(task);
  const { env, algorithm, settings } = task;
  return { task, options: { algorithm, env, settings, ...length(task, wish) }, before: 0, save: kept };
}

const wordsTask = tasks.find((task) => task.pace === 0)!;

const length = (task: TrainTask, { steps, seed }: Wish) => ({ steps: steps ?? task.steps, seed });

const kept = async (run: Run) => new Uint8Array(await agentOf(run).save(undefined, { training: true }));

/** What an environment needs beside itself. */
async function preparing({ env }: TrainTask): Promise<void> {
  if (env === "LunarLander-v3") usePlanck(await import("planck"));
}

/** An agent from a file, on the task that it was trained on. */
async function withAgent(wish: Wish, from: Uint8Array): Promise<Beginning> {
  const agent = await loadAgent(from).catch(() => {
    throw new Error("it is no agent that was saved here or by Reins in Node, or it is damaged");
  });
  const task = taskOf(agent.spec.id);
  if (!task || task.pace === 0) {
    const known = tasks.filter((t) => t.pace > 0).map((t) => t.env);
    throw new Error(`its agent was trained on ${agent.spec.id}, and here are ${known.join(", ")}`);
  }
  await preparing(task);
  return {
    ...{ task, agent, before: agent.steps, save: kept },
    options: { from, env: task.env, ...length(task, wish) },
  };
}

/** The language model of a file, or a new one. */
async function inWords(task: TrainTask, wish: Wish): Promise<Beginning> {
  const words = await import("./words.ts");
  const { from, seed } = wish;
  const { model, steps: before } = from ? await words.sorterFrom(from) : words.newSorter(seed);
  const parts = words.wordsOptions(model, !from);
  const options = { ...parts, ...length(task, wish) };
  return {
    ...{ task, options, before },
    ...(from ? { agent: agentOf(new Run(options)) } : {}),
    save: async (run) => words.sorterFile(run, model, before + run.steps),
  };
}
