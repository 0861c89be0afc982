import { learners } from "@reins/algorithms";
import { backendInUse } from "@reins/tensor";
import type { Command } from "../cli/command.ts";
import { namedRun, root } from "../cli/find-run.ts";
import type { GivenFlags } from "../cli/flags.ts";
import { preparing, trainAndReport } from "../cli/report.ts";
import { trainSeeds } from "../cli/report-seeds.ts";
import { settingsLine } from "../cli/settings-line.ts";
import { readSetup, settingsGroup } from "../cli/setup.ts";
import { shellWord } from "../cli/shell-word.ts";
import { textGroup } from "../cli/text-flags.ts";
import { keepFlags, reportFlags, runFlags } from "../cli/training-flags.ts";
import { withAlgorithmFile } from "../cli/typed-algorithm.ts";
import { misuse } from "../cli/usage.ts";
import { print } from "../terminal/io.ts";
import { titleOf } from "../terminal/training-view.ts";
import { grouped, unitOf } from "../terminal/words.ts";
import { carryOn } from "../training/carry-on.ts";
import { keep } from "../training/keeper.ts";
import { targetsIn } from "../training/targets.ts";

const own = { ...keepFlags, ...reportFlags };

/** `reins train` */
export const command: Command = {
  usage: "train <algorithm> <env> [flags]",
  about: `Trains an agent. Settings that are not given are those tuned for the algorithm on this environment or on language tasks, where there are some (reins algorithms grpo lists them), and otherwise the defaults below.
Every setting of the algorithm is a flag: reins train ppo --help lists those of ppo. A number may be a signal, which changes during the run: linear(a, b), cosine(a, b), exponential(a, b), piecewise(0:a, 1:b), warmup(share, …), or follows what is measured: pi(of=policy/kl, …).
Options of the environment begin with --env-. An environment of your own is a file: ./my-env.js. So is a network: --network ./my-network.js.
A language task (reins envs lists them; a file of problems works too: problems.jsonl) is answered by a language model and learned by ${learners("episodes").join(", ")}; reins train grpo --help lists the options. Its steps are tokens.
Ctrl-C stops and saves the run; reins resume continues it.`,
  named: (args) => withAlgorithmFile(args, { ...runFlags, ...own }),
  groups: (args) => ({
    Run: runFlags,
    Keeping: keepFlags,
    Reporting: reportFlags,
    ...settingsGroup(args, own),
    ...textGroup(args, { ...runFlags, ...own }),
  }),
  examples: [
    ["reins train ppo CartPole-v1", "with the settings found for it"],
    ["reins train ppo CartPole-v1 --solved --seed 7", "until it counts as solved"],
    ["reins train ppo CartPole-v1 --seeds 5 --env-traced", "five agents, a round of all in one call"],
    ['reins train ppo CartPole-v1 --clip "linear(0.2, 0)" --hidden 32,32', "other settings"],
    ["reins train ppo CartPole-v1 --env-max-steps 200 --name short", "an option of the environment, a name"],
    ["reins train grpo arithmetic --threads 2", "a tiny language model: imitation, then reinforcement"],
    ["reins train grpo sorting --env-folder ./model --env-lora 8", "a Hugging Face folder, by adapters"],
    ["reins train --from runs/old --steps 100k", "on from the agent of another run, in a run of its own"],
    ["reins train grpo problems.jsonl --env-folder ./model --judge number", "problems of your own"],
    ["reins train ppo CartPole-v1 --quiet --json --no-save", "for scripts"],
  ],
  async run(args, io) {
    const began = performance.now();
    const setup = await readSetup(args, own, "train");
    const { flags, assembly } = setup;
    const { place, algorithm, config } = assembly;
    if (flags.name && flags.directory)
      misuse("--name and --directory say the same thing twice. Give one of them.");
    if (flags.overwrite && !flags.name && !flags.directory)
      misuse("--overwrite needs the run that may be overwritten: --name NAME or --directory PATH.");
    // Before anything is compiled.
    if (flags.name) namedRun(flags.name);
    const targets = targetsIn(config);
    if (targets.saveModel !== undefined && !place.saveModel)
      misuse(`--save-model is for language tasks: ${place.spec.id} has no language model.`);
    if (targets.saveAdapters !== undefined && !place.saveAdapters)
      misuse(
        `--save-adapters is for runs that learn adapters, and this one learns none. Learn some on a folder's model: --env-folder ./model --env-lora 8.`,
      );
    const settings = settingsLine(setup, { ...runFlags, ...own });
    if (flags.seeds !== undefined) return trainSeeds(assembly, settings, typed(args), flags, io);
    const pair = `${algorithm.name} on ${place.spec.id}`;
    const run = preparing(pair, flags, io, () => assembly.begin());
    const keeper = flags.save === false ? undefined : keep(run, assembly, whereTo(flags), typed(args));
    const { name, threads } = backendInUse();
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
        `reins: ${place.spec.id} has no save() and restore(): its agent and its metrics are kept, but it cannot be resumed; reins train --from goes on with the agent.`,
      );
    if (algorithm.name !== "sft" && (place.warmUp ?? 0) >= config.steps)
      print(
        io.err,
        `reins: this run only imitates. The warm-up takes ${grouped(place.warmUp!)} tokens of ${grouped(config.steps)}, so ${algorithm.name} never starts. Raise --steps, or lower --env-warm-up.`,
      );
    return trainAndReport(
      (options) => carryOn(run, keeper, { ...options, ...targets }, began),
      { title, goal: place.spec.solvedAt, directory: keeper?.path, savable: place.savable, targets },
      flags,
      io,
    );
  },
};

/** A command line as it can be typed again. */
const typed = (args: readonly string[]) => ["reins", "train", ...args.map(shellWord)].join(" ");

/** Where the run is kept: where that was typed, else under the next free name. */
function whereTo({
  directory,
  name,
  overwrite,
}: GivenFlags<typeof keepFlags>): { path: string; overwrite?: boolean } | { root: string } {
  const path = directory ?? (name && namedRun(name));
  return path ? { path, overwrite } : { root };
}
