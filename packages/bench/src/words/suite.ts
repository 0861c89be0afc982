import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tInterval } from "@reins/recipes";
import { machine } from "../machine.ts";
import type { Done, Job } from "./job.ts";
import { Journal, performAll } from "./jobs.ts";
import { pageOf } from "./page.ts";
import {
  type Arm,
  arms,
  cells,
  evaluation,
  gridSeeds,
  methodSeeds,
  methods,
  ratesOf,
  tuning,
  type WordsTask,
  wordsTasks,
} from "./tasks.ts";

export const wordsHelp = `npm run bench -- words [--only grid|tasks|methods] [--family a,b] [--json]

Language models on problems in words, measured on held-out ones. tasks: imitation, reinforcement after it (GRPO), and longer imitation at equal
compute, five seeds. methods: each of them on one task, three seeds. grid: GRPO's choices with each other, two seeds. Learning rates are chosen on
seed 0, others are reported; the grid has one rate. What is measured is kept in results/words.json; an interrupted measurement goes on. Writes
docs/algorithms/words.md and its picture.`;

/** What a task came to in one arm. */
export interface ArmOutcome {
  readonly learningRate: number;
  readonly runs: readonly Done[];
}

/** Everything that was measured. */
export interface WordsOutcome {
  readonly machine: string;
  readonly tasks: readonly { readonly task: WordsTask; readonly arms: { readonly [A in Arm]: ArmOutcome } }[];
  readonly methods: readonly { readonly method: string; readonly arm: ArmOutcome }[];
  readonly grid: readonly { readonly cell: (typeof cells)[number]; readonly runs: readonly Done[] }[];
}

const last = (d: Done) => d.curve[d.curve.length - 1];
const mean = (all: readonly number[]) => all.reduce((a, b) => a + b, 0) / all.length;

/** The mean of the runs' ends, with its interval. */
export const ends = (runs: readonly Done[]) => tInterval(runs.map(last));

/** Measures what is missing, writes the page, prints it. */
export async function wordsSuite(args: readonly string[]): Promise<void> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const value = (flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
  const only = value("--only");
  const chosen = value("--family")?.split(",");
  const tasks = wordsTasks.filter((t) => !chosen || chosen.includes(t.family));
  const journal = new Journal(join(process.cwd(), "results/words.json"));
  const job = (task: WordsTask, arm: Arm, learningRate: number, seed: number): Job => ({
    kind: "arm",
    task,
    arm,
    learningRate,
    seed,
  });
  const names = Object.keys(arms) as Arm[];
  if (!only || only === "tasks") {
    const trials = tasks.flatMap((t) =>
      names.flatMap((a) => arms[a].learningRates.flatMap((lr) => tuning.map((s) => job(t, a, lr, s)))),
    );
    await performAll(trials, journal, say);
  }
  const best = (t: WordsTask, a: Arm) => {
    const score = (lr: number) => mean(tuning.map((s) => last(journal.get(job(t, a, lr, s))!)));
    return [...arms[a].learningRates].sort((x, y) => score(y) - score(x))[0];
  };
  if (!only || only === "tasks")
    await performAll(
      tasks.flatMap((t) => names.flatMap((a) => evaluation.map((s) => job(t, a, best(t, a), s)))),
      journal,
      say,
    );
  const ofMethod = (method: string, learningRate: number, seed: number): Job => ({
    kind: "method",
    method,
    learningRate,
    seed,
  });
  const bestRate = (m: string) => {
    const score = (lr: number) => mean(tuning.map((s) => last(journal.get(ofMethod(m, lr, s))!)));
    return [...ratesOf(m)].sort((x, y) => score(y) - score(x))[0];
  };
  const all = Object.keys(methods);
  if (!only || only === "methods") {
    await performAll(
      all.flatMap((m) => ratesOf(m).flatMap((lr) => tuning.map((s) => ofMethod(m, lr, s)))),
      journal,
      say,
    );
    await performAll(
      all.flatMap((m) => methodSeeds.map((s) => ofMethod(m, bestRate(m), s))),
      journal,
      say,
    );
  }
  const inGrid = cells.map((cell) => ({
    cell,
    jobs: gridSeeds.map((seed): Job => ({ kind: "cell", cell, seed })),
  }));
  if (!only || only === "grid")
    await performAll(
      inGrid.flatMap((c) => c.jobs),
      journal,
      say,
    );
  const outcome: WordsOutcome = {
    machine: machine().processor,
    tasks: tasks.flatMap((task) => {
      if (names.some((a) => arms[a].learningRates.some((lr) => !journal.get(job(task, a, lr, tuning[0])))))
        return [];
      const armOf = (a: Arm): ArmOutcome => {
        const learningRate = best(task, a);
        const runs = evaluation.flatMap((s) => journal.get(job(task, a, learningRate, s)) ?? []);
        return { learningRate, runs };
      };
      return [{ task, arms: { grpo: armOf("grpo"), sft: armOf("sft") } }];
    }),
    methods: all.flatMap((method) => {
      if (ratesOf(method).some((lr) => !journal.get(ofMethod(method, lr, tuning[0])))) return [];
      const learningRate = bestRate(method);
      const runs = methodSeeds.flatMap((s) => journal.get(ofMethod(method, learningRate, s)) ?? []);
      return [{ method, arm: { learningRate, runs } }];
    }),
    grid: inGrid.map(({ cell, jobs }) => ({ cell, runs: jobs.flatMap((j) => journal.get(j) ?? []) })),
  };
  const page = pageOf(outcome);
  for (const [file, text] of Object.entries(page.files))
    writeFileSync(join(process.cwd(), "docs/algorithms", file), text);
  say(page.text);
  if (args.includes("--json")) say(JSON.stringify({ suite: "words", ...outcome }));
}
