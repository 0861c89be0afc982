import { join } from "node:path";
import { compact, counted, estimateText, grouped, short, time, unitOf } from "../terminal/format.ts";
import { type Io, inkOf, print } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import type { Assembly } from "../training/assembly.ts";
import { openRunWriter } from "../training/open-run-writer.ts";
import { stepsOfAll } from "../training/progress.ts";
import { seedsOf, type TrainedSeeds, trainAllSeeds } from "../training/seeds.ts";
import { namedRun, root } from "./find-run.ts";
import type { GivenFlags } from "./flags.ts";
import { listenForInterrupt } from "./interrupt.ts";
import type { trainFlags } from "./training-flags.ts";
import { usageError } from "./usage.ts";

type Flags = GivenFlags<typeof trainFlags>;

/** `reins train --seeds`: trains an agent for each seed and reports each return and their mean. `command` is the command line. Resolves to the exit code. */
export async function trainSeeds(
  assembly: Assembly,
  settings: string,
  command: string,
  flags: Flags,
  io: Io,
): Promise<number> {
  for (const name of ["csv", "wandb", "save-model", "save-adapters"] as const)
    if (flags[name] !== undefined)
      usageError(`--${name} is for a single run and cannot be combined with --seeds.`);
  const seeds = seedsOf("train", flags.seeds, assembly.config.seed);
  const out = flags.json ? io.err : io.out;
  const interrupt = listenForInterrupt();
  const begin = (seed: number) => {
    const own = assembly.seeded(seed);
    const run = own.begin();
    return {
      run,
      keeper: flags.save === false ? undefined : openRunWriter(run, own, placeOf(seed, flags), command),
    };
  };
  if (!flags.quiet)
    print(
      out,
      `${assembly.algorithm.name} on ${assembly.place.spec.id}, ${grouped(assembly.config.steps)} ${unitOf(assembly.place)} each, seeds ${seeds[0]} to ${seeds.at(-1)}, ${settings}`,
    );
  const stepsOf = stepsOfAll();
  try {
    const trained = await trainAllSeeds(seeds, begin, {
      evalEpisodes: flags["eval-episodes"],
      evalEvery: flags["eval-every"],
      solved: flags.solved,
      interrupted: () => interrupt.code !== undefined,
      onProgress(progress) {
        const { budget, seconds } = progress;
        const done = stepsOf(progress);
        if (out.isTTY && !flags.quiet)
          out.write(
            `\r\x1b[K${grouped(done)} of ${grouped(budget * seeds.length)} ${unitOf(assembly.place)}, ${time(seconds)} `,
          );
        return interrupt.code === undefined;
      },
    });
    if (out.isTTY && !flags.quiet) out.write("\r\x1b[K");
    if (!flags.quiet) print(out, ...summary(trained, io));
    for (const { seed, error } of trained.failed) print(io.err, `seed ${seed} failed: ${error.message}`);
    if (flags.json) print(io.out, jsonOf(trained));
    else if (flags.quiet) print(io.out, estimateText(trained.return));
    return interrupt.code ?? (trained.failed.length ? 1 : 0);
  } finally {
    interrupt.off();
  }
}

/** The directory of the run of a seed. */
function placeOf(seed: number, { directory, name, overwrite }: Flags) {
  if (directory !== undefined) return { path: join(directory, `seed-${seed}`), overwrite };
  return name === undefined ? { root } : { path: namedRun(`${name}-${seed}`), overwrite };
}

function summary({ agents, return: r, seconds }: TrainedSeeds, io: Io): string[] {
  const steps = agents.reduce((sum, a) => sum + a.steps, 0);
  const cells = agents.map((a) => [
    `${a.run.options.seed}`,
    a.ended === "stopped" ? "stopped" : estimateText(a.return),
    a.directory ?? "",
  ]);
  return [
    ...table(["seed", "return", "saved in"], cells, { ink: inkOf(io.out) }),
    "",
    `${counted(agents.length, "agent")} in ${time(seconds)}: ${grouped(steps)} ${unitOf(agents[0]?.run.options.env ?? {})}, ${compact(steps / seconds)} per second, including compilation and evaluation.`,
    `Return ${estimateText(r)} across agents, from ${short(least(agents))} to ${short(most(agents))}.`,
  ];
}

const means = (agents: TrainedSeeds["agents"]) => agents.map((a) => a.return.mean);
const least = (agents: TrainedSeeds["agents"]) => Math.min(...means(agents));
const most = (agents: TrainedSeeds["agents"]) => Math.max(...means(agents));

/** The result as one line of JSON. */
const jsonOf = ({ agents, failed, return: r, seconds }: TrainedSeeds) =>
  JSON.stringify({
    return: r,
    seconds,
    failed: failed.map(({ seed, error }) => ({ seed, error: error.message })),
    agents: agents.map((a) => ({
      seed: a.run.options.seed,
      return: { mean: a.return.mean, std: a.return.std },
      episodes: a.return.episodes,
      steps: a.steps,
      run: a.directory ?? null,
    })),
  });
