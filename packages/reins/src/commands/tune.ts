import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Command } from "../cli/command.ts";
import { text, toggle, whole } from "../cli/flags.ts";
import { listenForInterrupt } from "../cli/interrupt.ts";
import { readSetup, settingsGroup } from "../cli/setup.ts";
import { keepFlags, runFlags } from "../cli/training-flags.ts";
import { misuse } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { inkOf, print } from "../terminal/io.ts";
import { compact, counted, short } from "../terminal/words.ts";
import { usualSpace } from "../tuning/space.ts";
import { varied } from "./tune/varied.ts";

/** Seeds of tuning begin here, those of tests at 100. */
const firstTuningSeed = 50;
const methods = ["random", "asha", "pbt", "gp"] as const;

const own = {
  vary: text(
    "A=1e-4..1e-2;B=x|y;C",
    "what is searched over, with ; between: a range, values, or the name alone for the usual range (default: every setting that has one)",
  ),
  search: text("WAY", "random, asha (halving, the default), pbt (a population) or gp (a Gaussian process)"),
  trials: whole("N", "settings to try (default 30; 8 for pbt)", 2, 100_000),
  "tuning-seeds": whole("N", "seeds of each trial, from 50 on (default 2)", 1, 50),
  "test-seeds": whole(
    "N",
    "seeds from 100 on to test the best settings with, beside the settings without tuning; 0 for none (default 5)",
    0,
    1000,
  ),
  "search-seed": whole("N", "the seed of the search itself (default 0)"),
  timeout: whole("S", "seconds after which a piece of training counts as failed (default 3600)", 1),
  jobs: whole("N", "processes at the same time (default: one for each core)", 1),
  fresh: toggle("discard what an earlier search of this name left"),
  json: toggle("the last line is the result as one JSON object"),
  "eval-episodes": whole("N", "episodes that agents are measured by (default 30)", 1, 1e6),
  name: text("NAME", "what the search is called (default <algorithm>-<env>)"),
  out: text("PATH", "the folder of searches (default tuning)"),
};
const { seed: _, seeds: __, threads: ___, from: ____, solved: _____, ...shared } = runFlags;
const taken = { ...keepFlags, ...own };

/** `reins tune` */
export const command: Command = {
  usage: "tune <algorithm> <env> [flags]",
  about: `Searches for settings, several trainings at a time, and tests what it found on seeds that it did not see, beside the settings without tuning. Interrupted, the same command goes on where it was. Settings that are typed are fixed; --vary says what is searched over. Trials that fail or take too long are counted as such, and tried again when the command is. An environment without save() and restore() can be tuned, too: by halving, trials that are promoted then begin anew. What mattered is printed and drawn: tuning/<name>/mattered.svg; the best settings are in best.json, the tested agents in best/.`,
  groups: (args) => ({ Search: own, Run: shared, ...settingsGroup(args, taken) }),
  examples: [
    ["reins tune ppo CartPole-v1 --steps 50k", "all settings with a usual range, by halving"],
    ['reins tune dqn CartPole-v1 --vary "learning-rate=1e-4..1e-2;target-every" --search gp', "two of them"],
    ['reins tune ppo ./my-env.js --vary "hidden=32,32|64,64;learning-rate" --trials 12', "sizes, too"],
    ["reins tune ppo Pendulum-v1 --search pbt --trials 8", "a population: a course of settings"],
  ],
  async run(args, io) {
    const { tune } = await import("../tuning/tune.ts").catch(notInstalled("@reins/recipes", "tune"));
    const { report } = await import("../tuning/report.ts");
    const { tested } = await import("../tuning/tested.ts");
    const { maker, assembly, envName, typed, flags } = await readSetup(args, taken, "tune");
    if (flags.from !== undefined)
      misuse("--from goes on with an agent, and trials begin anew. Leave it out.");
    const method = methods.find((m) => m === (flags.search ?? "asha"));
    if (!method) return misuse(`--search takes ${methods.join(", ")}, not ${flags.search}.`);
    const { steps } = assembly.config;
    const space =
      flags.vary === undefined
        ? usualSpace(maker).filter((d) => !(d.name in typed))
        : varied(maker, flags.vary);
    const both = space.find((d) => d.name in typed);
    if (both) misuse(`${both.name} is searched over, and was typed as well. Leave one of the two out.`);
    if (space.length === 0) misuse("there is nothing to search over. Name settings: --vary learning-rate.");
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
    const folder = join(flags.out ?? "tuning", name);
    if (flags.fresh) rmSync(folder, { recursive: true, force: true });
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
      returnBounds: assembly.place.spec.returnBounds,
      stop: () => interrupt.code !== undefined,
    };
    print(
      out,
      `${ink.bold(`${setup.algorithm} on ${assembly.place.spec.id}`)}   ${method}   ${counted(plan.trials, "trial")} of ${compact(steps)} steps   over ${space.map((d) => d.name).join(", ")}`,
      ...(method === "asha" && !options.savable
        ? [
            `${assembly.place.spec.id} has no save() and restore(), so it cannot be saved: promoted trials begin anew, with the same seed, which takes up to half as much time again.`,
          ]
        : []),
    );
    try {
      const told = await tune(plan, {
        ...options,
        resumed(done, failed) {
          const again = failed
            ? `; ${failed} more failed and ${failed === 1 ? "is" : "are"} tried again`
            : "";
          print(out, `Goes on in ${folder}: ${counted(done, "piece")} of training done already${again}.`);
        },
        done({ piece, score }, kept) {
          const what = "failed" in kept ? `failed: ${kept.failed.split("\n")[0]}` : `return ${short(score)}`;
          const settings = Object.entries(piece.settings).map(([k, v]) => `${k} ${JSON.stringify(v)}`);
          print(
            out,
            `trial ${piece.trial}, seed ${piece.seed}, ${compact(piece.to)} steps   ${what}   ${ink.dim(settings.join(", "))}`,
          );
        },
      });
      if (interrupt.code === undefined) {
        const tests = await tested(plan, told, options, flags["test-seeds"] ?? 5, (line) => print(out, line));
        if (interrupt.code === undefined) {
          const { lines, json, code } = report(plan, told, tests, options, maker);
          print(out, ...lines);
          if (flags.json) print(io.out, JSON.stringify(json));
          return code;
        }
      }
      print(io.err, "Stopped. What is done is kept; the same command goes on.");
      return interrupt.code;
    } finally {
      interrupt.off();
    }
  },
};
