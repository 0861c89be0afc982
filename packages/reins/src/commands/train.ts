import { learnerNames } from "@reins/algorithms";
import { currentBackend, startProfile } from "@reins/tensor";
import type { Command } from "../cli/command.ts";
import { namedRun, root } from "../cli/find-run.ts";
import type { GivenFlags } from "../cli/flags.ts";
import { profiled } from "../cli/profile.ts";
import { preparing, trainAndReport } from "../cli/report.ts";
import { trainSeeds } from "../cli/report-seeds.ts";
import { settingsLine } from "../cli/settings-line.ts";
import { readSetup, settingsGroup } from "../cli/setup.ts";
import { shellWord } from "../cli/shell-word.ts";
import { textGroup } from "../cli/text-flags.ts";
import { reportFlags, runFlags, saveFlags } from "../cli/training-flags.ts";
import { withAlgorithmFile } from "../cli/typed-algorithm.ts";
import { usageError } from "../cli/usage.ts";
import { grouped, unitOf } from "../terminal/format.ts";
import { print } from "../terminal/io.ts";
import { titleOf } from "../terminal/training-view.ts";
import { openRunWriter } from "../training/open-run-writer.ts";
import { runTraining } from "../training/run-training.ts";
import { targetsIn } from "../training/targets.ts";

const own = { ...saveFlags, ...reportFlags };

/** `reins train` */
export const command: Command = {
  usage: "train <algorithm> <env> [flags]",
  about: `Trains an agent. Settings that are not given are those tuned for the algorithm on this environment or on language tasks, if any (reins algorithms grpo lists them), and otherwise the defaults below.
Every setting of the algorithm is a flag: reins train ppo --help lists those of ppo. A number can be a signal, which changes during the run: linear(a, b), cosine(a, b), exponential(a, b), piecewise(0:a, 1:b), warmup(share, …), or follows a metric: pi(of=policy/kl, …). A scope (task, sample or token) is given where a signal may be finer than the run.
Options of the environment begin with --env-. Your own algorithm, environment and network are files: reins train ./my-algorithm.js ./my-env.js --network ./my-network.js.
A language task (reins envs lists them; a file of problems works too: problems.jsonl) trains a language model by ${learnerNames("episodes").join(", ")}; reins train grpo --help lists the options. A file of examples (docs/data.md) trains one by sft, and a file of compared completions by dpo, kto and the other methods of docs/preferences.md. Steps are tokens there.
Ctrl-C stops and saves the run; reins resume continues it.`,
  named: (args) => withAlgorithmFile(args, { ...runFlags, ...own }),
  groups: (args) => ({
    Run: runFlags,
    Saving: saveFlags,
    "Evaluation and output": reportFlags,
    ...settingsGroup(args, own),
    ...textGroup(args, { ...runFlags, ...own }),
  }),
  examples: [
    ["reins train ppo CartPole-v1", "with tuned settings"],
    ["reins train ppo CartPole-v1 --solved --seed 7", "stop when solved"],
    ["reins train ppo CartPole-v1 --seeds 5 --env-traced", "five seeds in one batched run"],
    ['reins train ppo CartPole-v1 --clip "linear(0.2, 0)" --hidden 32,32', "other settings"],
    ["reins train ppo CartPole-v1 --env-max-steps 200 --name short", "an environment option and a run name"],
    [
      "reins train grpo arithmetic --threads 2",
      "a tiny language model: supervised, then reinforcement learning",
    ],
    ["reins train grpo sorting --model ./model --lora 8", "LoRA adapters on a Hugging Face model"],
    ["reins train --from runs/old --steps 100k", "continue with the agent of another run, in a new run"],
    ["reins train grpo problems.jsonl --model ./model --judge number", "your own problems"],
    [
      "reins train sft examples.jsonl --model ./model --lora 8",
      "supervised fine-tuning on your own examples",
    ],
    ["reins train ppo CartPole-v1 --quiet --json --no-save", "for scripts"],
  ],
  async run(args, io) {
    const began = performance.now();
    const setup = await readSetup(args, own, "train");
    const { flags, assembly } = setup;
    const { place, algorithm, config } = assembly;
    if (flags.name && flags.directory)
      usageError("--name and --directory are alternatives. Give one of them.");
    if (flags.overwrite && !flags.name && !flags.directory)
      usageError("--overwrite needs --name NAME or --directory PATH.");
    // Checked before anything is compiled.
    if (flags.name) namedRun(flags.name);
    const targets = targetsIn(config);
    if (targets.saveModel !== undefined && !place.saveModel)
      usageError(`--save-model is for language tasks: ${place.spec.id} has no language model.`);
    if (targets.saveAdapters !== undefined && !place.saveAdapters)
      usageError(`--save-adapters needs a run that trains adapters: --model ./model --lora 8.`);
    for (const note of assembly.notes) print(io.err, `reins: ${note}`);
    const settings = settingsLine(setup, { ...runFlags, ...own });
    const recording = flags.profile ? startProfile() : undefined;
    if (flags.seeds !== undefined)
      return profiled(recording, trainSeeds(assembly, settings, typed(args), flags, io), undefined, io);
    const pair = `${algorithm.name} on ${place.spec.id}`;
    const run = preparing(pair, flags, io, () => assembly.begin());
    const keeper =
      flags.save === false ? undefined : openRunWriter(run, assembly, whereTo(flags), typed(args));
    const { name, threads } = currentBackend();
    const title = titleOf([
      pair,
      `${grouped(config.steps)} ${unitOf(place)}`,
      `seed ${config.seed}`,
      settings,
      `${name}${threads > 1 ? `, ${threads} threads` : ""}`,
    ]);
    if (keeper && !place.savable)
      print(
        io.err,
        `reins: ${place.spec.id} has no save() and restore(): the agent and metrics are saved, but the run cannot be resumed. reins train --from continues with the agent.`,
      );
    const code = trainAndReport(
      (options) => runTraining(run, keeper, { ...options, ...targets }, began),
      {
        title,
        goal: place.spec.solvedAt,
        directory: keeper?.path,
        savable: place.savable,
        renders: place.renders,
        targets,
      },
      flags,
      io,
    );
    return profiled(recording, code, keeper?.path, io);
  },
};

/** The command line, quoted for a shell. */
const typed = (args: readonly string[]) => ["reins", "train", ...args.map(shellWord)].join(" ");

/** The directory of the run: as given, else the next free name. */
function whereTo({
  directory,
  name,
  overwrite,
}: GivenFlags<typeof saveFlags>): { path: string; overwrite?: boolean } | { root: string } {
  const path = directory ?? (name && namedRun(name));
  return path ? { path, overwrite } : { root };
}
