import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { runTasks, spawnedWorker } from "@reins/recipes/jobs";
import { listenForInterrupt } from "../../../reins/dist/cli/interrupt.js";
import type { Done, Job } from "./job.ts";

/** Runs jobs, one process per core. An interrupt ends the program; finished jobs are recorded. */
export async function performAll(
  jobs: readonly Job[],
  note: (job: Job, done: Done) => void,
  say: (text: string) => void,
): Promise<void> {
  const file = fileURLToPath(new URL("child.js", import.meta.url));
  const interrupt = listenForInterrupt();
  const failures = await runTasks<Job, Done>(jobs, {
    worker: () =>
      spawnedWorker({
        command: (job) => [process.execPath, file, JSON.stringify(job)],
        env: { REINS_THREADS: "1", REINS_QUIET: "1" },
      }),
    jobs: availableParallelism(),
    stop: () => interrupt.code !== undefined,
    strict: true,
    done({ task, result, count, total }) {
      note(task, result);
      say(`${count}/${total} ${describe(task)}: ${percent(result.start)} → ${percent(result.curve.at(-1)!)}`);
    },
  });
  interrupt.off();
  if (interrupt.code !== undefined) process.exit(interrupt.code);
  const [failure] = failures;
  if (failure) throw new Error(`${describe(failure.task)}: ${failure.message}`);
}

const percent = (x: number) => `${(100 * x).toFixed(1)}%`;
const describe = ({ task, method, options, learningRate, seed }: Job) =>
  `${task.family} ${method} ${learningRate} seed ${seed} ${JSON.stringify(options)}`;
