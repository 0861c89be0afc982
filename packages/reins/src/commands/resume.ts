import { currentBackend } from "@reins/tensor";
import { noMore, readArguments } from "../cli/arguments.ts";
import { codeFlags, givenCode } from "../cli/code-flags.ts";
import type { Command } from "../cli/command.ts";
import { findRun } from "../cli/find-run.ts";
import { trainAndReport } from "../cli/report.ts";
import { useThreads } from "../cli/threads.ts";
import { reportFlags, runFlags, saveFlags } from "../cli/training-flags.ts";
import { openForResume } from "../load.ts";
import type { SourceDetails } from "../places/source.ts";
import { grouped, unitOf } from "../terminal/format.ts";
import { print } from "../terminal/io.ts";
import { titleOf } from "../terminal/training-view.ts";
import { runTraining } from "../training/run-training.ts";

const { steps, solved, threads, device } = runFlags;
const run = {
  steps: {
    ...steps,
    about:
      "total environment steps, or tokens on language tasks; a larger value extends the run and its schedules",
  },
  solved,
  threads,
  device,
};
const flags = { ...run, ...codeFlags, "checkpoint-every": saveFlags["checkpoint-every"], ...reportFlags };

/** `reins resume` */
export const command: Command = {
  usage: "resume [run] [flags]",
  about: `Continues a stopped or crashed run from its latest checkpoint, exactly as if it had not been interrupted. The run is given by its directory or by its name in runs/ (default: the newest). --solved, --checkpoint-every and --eval-episodes keep the values given to reins train unless they are given here.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins resume", "the newest run"],
    ["reins resume ppo-CartPole-v1-1", "by name"],
    ["reins resume runs/long --steps 2M", "extend it"],
  ],
  async run(args, io) {
    const began = performance.now();
    const { words, flags: given } = readArguments(args, flags, { command: "resume" });
    noMore(words, 1, "resume");
    const path = findRun(words[0]);
    useThreads(given.threads, given.device);
    const { run, keeper } = await openForResume(path, {
      ...givenCode(path, given),
      steps: given.steps,
      checkpointEvery: given["checkpoint-every"],
      evalEpisodes: given["eval-episodes"],
      evalEvery: given["eval-every"],
      solved: given.solved,
    });
    const { algorithm, env, seed } = run.options;
    const { solved } = keeper.wishes;
    if (keeper.isOver) {
      keeper.close();
      const more = `reins resume ${path} ${run.finished ? `--steps ${2 * run.steps}` : "--no-solved"}`;
      print(io.out, `${path} is finished: ${grouped(run.steps)} ${unitOf(env)}. To extend it: ${more}`);
      return 0;
    }
    const title = titleOf([
      `${algorithm.name} on ${env.spec.id}`,
      `from ${grouped(run.steps)} of ${grouped(run.options.steps)} ${unitOf(env)}`,
      `seed ${seed}`,
      currentBackend().name,
    ]);
    return trainAndReport(
      (options) => runTraining(run, keeper, options, began),
      {
        title,
        goal: env.spec.solvedAt,
        directory: path,
        savable: true,
        renders: (env as Partial<SourceDetails>).renders,
        targets: keeper.targets,
        from: run.steps,
      },
      { ...given, solved },
      io,
    );
  },
};
