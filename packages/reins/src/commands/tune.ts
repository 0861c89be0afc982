import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { lockFolder } from "@reins/core/directory";
import { returnBoundsOf } from "@reins/core/evaluations";
import type { Command } from "../cli/command.ts";
import { inside } from "../cli/find-run.ts";
import { text, toggle, whole } from "../cli/flags.ts";
import { listenForInterrupt } from "../cli/interrupt.ts";
import { readSetup, settingsGroup } from "../cli/setup.ts";
import { runFlags, saveFlags } from "../cli/training-flags.ts";
import { usageError } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { compact, counted, short, unitOf } from "../terminal/format.ts";
import { inkOf, print } from "../terminal/io.ts";
import { usualSpace } from "../tuning/space.ts";
import { parseSearchSpace } from "./tune/search-space.ts";

/** First tuning seed; test seeds begin at 100. */
const firstTuningSeed = 50;
const methods = ["random", "asha", "pbt", "gp"] as const;

const own = {
  vary: text(
    "A=1e-4..1e-2;B=x|y;C",
    "search space: ranges, values, or names alone for their usual range, separated by semicolons (default: every setting with a usual range)",
  ),
  search: text(
    "METHOD",
    "random, asha (successive halving, the default), pbt (population-based training) or gp (Gaussian process)",
  ),
  trials: whole("N", "number of trials (default 30; 8 for pbt)", 2, 100_000),
  "tuning-seeds": whole("N", "seeds per trial, from 50 (default 2)", 1, 50),
  "test-seeds": whole(
    "N",
    "test seeds, from 100, for the best settings and for those without tuning; 0 skips the test (default 5)",
    0,
    1000,
  ),
  "search-seed": whole("N", "seed of the search (default 0)"),
  timeout: whole(
    "S",
    "time limit of a training job in seconds, after which it counts as failed (default 3600)",
    1,
  ),
  jobs: whole("N", "parallel processes (default: one per core)", 1),
  fresh: toggle("discard an earlier search of this name"),
  json: toggle("print the result as one JSON object on the last line"),
  "eval-episodes": whole("N", "evaluation episodes per agent (default 30)", 1, 1e6),
  name: text("NAME", "name of the search (default <algorithm>-<env>)"),
  out: text("PATH", "folder of searches (default tuning)"),
};
const { seed: _, seeds: __, threads: ___, device: ____, from: _____, solved: ______, ...shared } = runFlags;
const taken = { ...saveFlags, ...own };

/** `reins tune` */
export const command: Command = {
  usage: "tune <algorithm> <env> [flags]",
  about: `Tunes hyperparameters in parallel, and tests the best settings on new seeds, compared with the settings without tuning. --vary sets the search space; settings given as flags are fixed. An interrupted search continues when the same command is run again, and failed trials are retried. In an environment without save() and restore(), successive halving retrains promoted trials from the start. The importance of each setting is printed and plotted in tuning/<name>/importance.svg; the best settings are in best.json, the tested agents in best/.`,
  groups: (args) => ({ Search: own, Run: shared, ...settingsGroup(args, taken) }),
  examples: [
    ["reins tune ppo CartPole-v1 --steps 50k", "all settings with a usual range, by successive halving"],
    ['reins tune dqn CartPole-v1 --vary "learning-rate=1e-4..1e-2;target-every" --search gp', "two settings"],
    ['reins tune ppo ./my-env.js --vary "hidden=32,32|64,64;learning-rate" --trials 12', "network sizes too"],
    [
      "reins tune ppo Pendulum-v1 --search pbt --trials 8",
      "population-based training: a schedule of settings",
    ],
  ],
  async run(args, io) {
    const { discardSearch } = await import("../tuning/known-pieces.ts");
    const { tune } = await import("../tuning/tune.ts").catch(notInstalled("@reins/recipes", "tune"));
    const { report } = await import("../tuning/report.ts");
    const { testRuns } = await import("../tuning/test-runs.ts");
    const { maker, assembly, envName, typed, flags } = await readSetup(args, taken, "tune");
    if (flags.from !== undefined)
      usageError("trials train new agents: --from is not supported. Leave it out.");
    const method = methods.find((m) => m === (flags.search ?? "asha"));
    if (!method)
      return usageError(`unknown method --search ${flags.search}. Use one of ${methods.join(", ")}.`);
    const { steps } = assembly.config;
    const space =
      flags.vary === undefined
        ? usualSpace(maker, typed).filter((d) => !(d.name in typed))
        : parseSearchSpace(maker, flags.vary);
    const both = space.find((d) => d.name in typed);
    if (both)
      usageError(`${both.name} is both in the search space and fixed by a flag. Leave one of them out.`);
    if (space.length === 0) usageError("the search space is empty. Name settings: --vary learning-rate.");
    const plan = {
      space,
      trials: flags.trials ?? (method === "pbt" ? 8 : 30),
      steps,
      seeds: Array.from({ length: flags["tuning-seeds"] ?? 2 }, (_, i) => firstTuningSeed + i),
      seed: flags["search-seed"] ?? 0,
    };
    const setup = {
      algorithm: maker.definition.name,
      env: envName,
      envOptions: assembly.place.options,
      judge: flags.judge,
      typed,
      defaults: flags.defaults,
      wrappers: flags.wrappers,
      steps,
      episodes: flags["eval-episodes"] ?? 30,
    };
    const name = flags.name ?? `${setup.algorithm}-${assembly.place.spec.id}`.replace(/[^\w.-]+/g, "-");
    const folder = inside(flags.out ?? "tuning", name, "--out PATH");
    const out = flags.json ? io.err : io.out;
    const ink = inkOf(out);
    const interrupt = listenForInterrupt();
    const options = {
      method,
      setup,
      folder,
      jobs: flags.jobs ?? availableParallelism(),
      timeout: flags.timeout ?? 3600,
      savable: assembly.place.savable,
      returnBounds: returnBoundsOf(assembly.place.spec),
      stop: () => interrupt.code !== undefined,
    };
    print(
      out,
      `${ink.bold(`${setup.algorithm} on ${assembly.place.spec.id}`)}   ${method}   ${counted(plan.trials, "trial")} of ${compact(steps)} ${unitOf(assembly.place)}   over ${space.map((d) => d.name).join(", ")}`,
      ...(method === "asha" && !options.savable
        ? [
            `${assembly.place.spec.id} has no save() and restore(): promoted trials are retrained from the start with the same seed, which takes up to half as much time again.`,
          ]
        : []),
    );
    mkdirSync(folder, { recursive: true });
    // Of two processes with one search, each would delete trials that the other one trains.
    const unlock = lockFolder(folder);
    try {
      if (flags.fresh) discardSearch(folder);
      const results = await tune(plan, {
        ...options,
        resumed(done, failed) {
          const again = failed ? `; ${failed} failed and will be retried` : "";
          print(out, `Continuing the search in ${folder}: ${counted(done, "training job")} done${again}.`);
        },
        done({ piece, score }, outcome) {
          const what =
            "failed" in outcome ? `failed: ${outcome.failed.split("\n")[0]}` : `return ${short(score)}`;
          const settings = Object.entries(piece.settings).map(([k, v]) => `${k} ${JSON.stringify(v)}`);
          print(
            out,
            `trial ${piece.trial}, seed ${piece.seed}, ${compact(piece.to)} ${unitOf(assembly.place)}   ${what}   ${ink.dim(settings.join(", "))}`,
          );
        },
      });
      if (interrupt.code === undefined) {
        const tests = await testRuns(plan, results, options, flags["test-seeds"] ?? 5, (line) =>
          print(out, line),
        );
        if (interrupt.code === undefined) {
          const { lines, json, code } = report(plan, results, tests, options, maker);
          print(out, ...lines);
          if (flags.json) print(io.out, JSON.stringify(json));
          return code;
        }
      }
      print(io.err, "Stopped. Finished trials are saved; run the same command to continue.");
      return interrupt.code;
    } finally {
      unlock();
      interrupt.off();
    }
  },
};
