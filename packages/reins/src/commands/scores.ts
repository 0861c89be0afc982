import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Command } from "../cli/command.ts";
import { kebab, text, toggle, whole } from "../cli/flags.ts";
import { listenForInterrupt } from "../cli/interrupt.ts";
import { readSetup, type Setup, settingsGroup } from "../cli/setup.ts";
import { showSetting } from "../cli/show-setting.ts";
import { flagOf, reportFlags, runFlags, saveFlags } from "../cli/training-flags.ts";
import { usageError } from "../cli/usage.ts";
import { version } from "../cli/version.ts";
import { fileOf } from "../places/algorithm-files.ts";
import { notInstalled } from "../places/optional.ts";
import { compact, counted, estimateText, time, unitOf } from "../terminal/format.ts";
import { inkOf, print } from "../terminal/io.ts";
import {
  openRecord,
  recordPath,
  type Score,
  type ScoreRecord,
  summaryOf,
  writeScores,
} from "./scores/record.ts";

const own = {
  seeds: whole("N", "number of seeds (default 5)", 1, 10_000),
  "first-seed": whole("N", "first seed (default 100: smaller seeds were used for tuning)"),
  jobs: whole("N", "parallel processes (default: one per core)", 1),
  out: text("PATH", "output folder (default results/scores)"),
  as: text(
    "NAME",
    "name of these settings, to distinguish them from others of the same algorithm and environment",
  ),
  fresh: toggle("discard existing scores"),
  "eval-episodes": reportFlags["eval-episodes"],
};
const { seed: _, seeds: __, threads: ___, device: ____, from: _____, ...shared } = runFlags;

/** `reins scores` */
export const command: Command = {
  usage: "scores <algorithm> <env> [flags]",
  about: `Trains once per seed, in parallel processes, and writes the scores to results/scores/<algorithm>-<env>.json, with a table of all scores in results/scores/table.md. Existing seeds are not trained again, so that an interrupted command continues when it is run again. Settings are given as for reins train.`,
  groups: (args) => ({ Scores: own, Run: shared, ...settingsGroup(args, { ...saveFlags, ...own }) }),
  examples: [
    ["reins scores ppo CartPole-v1", "five seeds, from 100"],
    ["reins scores ppo CartPole-v1 --seeds 10 --first-seed 100", "ten seeds; existing scores are reused"],
    ["reins scores ppo TMaze-v0 --memory gru --as gru", "a named variant, beside the default settings"],
  ],
  async run(args, io) {
    const { runTasks, spawnedWorker } = await import("@reins/recipes/jobs").catch(
      notInstalled("@reins/recipes", "scores"),
    );
    const setup = await readSetup(args, { ...saveFlags, ...own }, "scores");
    const { flags } = setup;
    if (flags.from !== undefined)
      usageError("scores are of newly trained agents: --from is not supported. Leave it out.");
    const {
      seeds: count = 5,
      "first-seed": first = 100,
      out = "results/scores",
      jobs = availableParallelism(),
    } = flags;
    const typed = typedArguments(setup, await fileOf(setup.maker.definition.name));
    let fresh = flags.fresh ?? false;
    let record = openRecord(out, emptyRecord(setup, typed), fresh);
    const seeds = Array.from({ length: count }, (_, i) => first + i);
    const missing = seeds.filter((seed) => !record.scores.some((s) => s.seed === seed));
    const ink = inkOf(io.out);
    print(
      io.out,
      `${ink.bold(`${record.algorithm} on ${record.env}`)}   ${compact(record.steps)} ${unitOf(setup.assembly.place)}   ${counted(count, "seed")} from ${first}, ${count - missing.length} done`,
    );
    const interrupt = listenForInterrupt();
    const command = (seed: number) => [
      ...[process.execPath, program, "train", ...typed],
      ...["--seed", `${seed}`, ...always],
    ];
    const failures = await runTasks<number, Omit<Score, "seed">>(missing, {
      worker: () => spawnedWorker({ command }),
      jobs,
      stop: () => interrupt.code !== undefined,
      done({ task: seed, result: { return: r, episodes, steps, stepsPerSecond, seconds, processor } }) {
        const score: Score = { seed, return: r, episodes, steps, stepsPerSecond, seconds, processor };
        record = writeScores(out, { ...record, scores: [...record.scores, score] }, fresh);
        fresh = false;
        print(
          io.out,
          `seed ${seed}   return ${estimateText(r)}   ${compact(stepsPerSecond)} ${unitOf(setup.assembly.place)}/s   ${time(processor ?? seconds)}`,
        );
      },
    });
    interrupt.off();
    for (const { task: seed, message } of failures) print(io.err, `seed ${seed} failed: ${message}`);
    if (interrupt.code !== undefined) {
      print(io.err, "Stopped. Finished seeds are saved; run the same command to continue.");
      return interrupt.code;
    }
    const wanted = record.scores.filter((s) => seeds.includes(s.seed));
    if (wanted.length) {
      writeScores(out, record, fresh);
      print(
        io.out,
        `${ink.bold(estimateText(summaryOf(wanted, record.returnBounds)))} over ${counted(wanted.length, "seed")}   ${recordPath(out, record)}`,
      );
    }
    return failures.length ? 1 : 0;
  },
};

const always = ["--json", "--quiet", "--no-save", "--threads", "1"];
/** Child processes run the build, even if tests run from the sources. */
const program = fileURLToPath(new URL("../../dist/packed/main.js", import.meta.url));

type ScoresSetup = Setup<typeof saveFlags & typeof own>;

/** Arguments of `reins train` for the same settings, with the file of a custom algorithm. */
function typedArguments(
  { maker, envName, assembly, typed, flags }: ScoresSetup,
  file: string | undefined,
): string[] {
  const { name } = maker.definition;
  return [
    file ?? name,
    envName,
    ...Object.entries(typed).map(([option, value]) => `--${flagOf(name, option)}=${showSetting(value)}`),
    ...Object.entries(assembly.place.options).map(
      ([k, v]) => `--env-${kebab(k)}=${typeof v === "string" ? v : JSON.stringify(v)}`,
    ),
    ...(flags.steps === undefined ? [] : [`--steps=${flags.steps}`]),
    ...(flags.wrappers === undefined ? [] : [`--wrappers=${flags.wrappers.join(",") || ","}`]),
    ...(flags.judge === undefined ? [] : [`--judge=${flags.judge}`]),
    ...(flags.defaults ? ["--defaults"] : []),
    ...(flags.solved ? ["--solved"] : []),
    ...(flags["eval-episodes"] === undefined ? [] : [`--eval-episodes=${flags["eval-episodes"]}`]),
  ];
}

function emptyRecord({ assembly, flags }: ScoresSetup, typed: readonly string[]): ScoreRecord {
  const { place, algorithm, config } = assembly;
  return {
    algorithm: algorithm.name,
    ...(flags.as ? { as: flags.as } : {}),
    env: place.spec.id,
    envOptions: place.options,
    steps: config.steps,
    options: JSON.parse(JSON.stringify(algorithm.options)),
    wrappers: (place.more?.wrappers as string[]) ?? [],
    command: `reins train ${typed.map((t) => (/[\s()]/.test(t) ? `"${t}"` : t)).join(" ")}`,
    ...(place.spec.solvedAt === undefined ? {} : { solvedAt: place.spec.solvedAt }),
    ...(place.spec.returnBounds === undefined ? {} : { returnBounds: place.spec.returnBounds }),
    reins: version(),
    machine: `${cpus()[0]?.model ?? "?"}, ${availableParallelism()} cores, Node ${process.versions.node}`,
    scores: [],
  };
}
