import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ids } from "@reins/envs";
import { algorithmTyped, envNamed } from "../cli/names.ts";
import { type LoadOptions, openForResume } from "../load.ts";
import { loadCode } from "../places/code-options.ts";
import { isModulePath } from "../places/module-path.ts";
import type { EnvOptions } from "../places/source.ts";
import { isDatasetPath } from "../places/text/dataset-path.ts";
import { assemble } from "../training/assembly.ts";
import { Listeners } from "../training/callbacks.ts";
import { assembleFrom, loadLearner } from "../training/from-agent.ts";
import { openRunWriter } from "../training/open-run-writer.ts";
import { runTraining } from "../training/run-training.ts";
import type { Settings } from "./space.ts";

/** The common setup of all trials, as plain data. */
export interface PieceSetup {
  readonly algorithm: string;
  readonly env: string;
  readonly envOptions: EnvOptions;
  readonly judge?: string;
  /** Fixed settings from the command line. */
  readonly typed: Settings;
  readonly defaults?: boolean;
  readonly wrappers?: readonly string[];
  /** Steps of a whole training. */
  readonly steps: number;
  /** Evaluation episodes per agent. */
  readonly episodes: number;
}

/** A training job. */
export interface Work {
  readonly seed: number;
  readonly settings: Settings;
  /** Steps at which it stops. */
  readonly to: number;
  /** Run directory, if it is continued later. */
  readonly folder?: string;
  /** Whether to resume the run in `folder`. */
  readonly resume?: boolean;
  /** Folder of an agent to continue; `to` then counts from there. */
  readonly from?: string;
}

/** The result of a training job. */
export interface WorkResult {
  readonly score: number;
  readonly steps: number;
  readonly seconds: number;
}

/** Trains a piece and evaluates the agent. */
export async function workOn(setup: PieceSetup, work: Work): Promise<WorkResult> {
  const began = performance.now();
  const { to, folder } = work;
  const listeners = new Listeners({
    onUpdate: (_, control) => {
      if (control.steps >= to) control.stop();
    },
  });
  const { run, keeper } = await startRun(setup, work, listeners);
  const options = { evalEpisodes: 0, ...(folder && { checkpointEvery: to }) };
  const trained = await runTraining(run, keeper, options, began, listeners);
  const { mean } = await trained.evaluate(setup.episodes, { seed: work.seed });
  return { score: mean, steps: run.steps, seconds: (performance.now() - began) / 1000 };
}

/** The code of a setup, as `openForResume` takes it. */
const codeOf = ({ env, judge }: PieceSetup): LoadOptions => ({
  ...(isModulePath(env) && !isDatasetPath(env) && !ids().includes(env) ? { file: env } : {}),
  ...(judge === undefined ? {} : { judge }),
});

async function startRun(setup: PieceSetup, work: Work, listeners: Listeners) {
  const { folder, resume, from, seed, to } = work;
  // The code is that of the command line: the folder's config.json is untrusted.
  if (folder && resume) return openForResume(folder, codeOf(setup), listeners);
  const { defaults, wrappers, episodes: evalEpisodes } = setup;
  const place = await envNamed(setup.env, setup.envOptions, setup.judge);
  const maker = await algorithmTyped(setup.algorithm);
  const { settings, files } = await loadCode(maker, { ...setup.typed, ...work.settings });
  const options = { place, algorithm: maker.definition.name, settings, files, defaults, wrappers, seed };
  const assembly = await assembled();
  const run = assembly.begin();
  if (!folder) return { run, keeper: undefined };
  mkdirSync(dirname(folder), { recursive: true });
  // Remove the remains of a killed process.
  rmSync(folder, { recursive: true, force: true });
  return { run, keeper: openRunWriter(run, assembly, { path: folder }) };

  async function assembled() {
    if (from === undefined) return assemble({ ...options, steps: setup.steps, evalEpisodes });
    const { content, name } = await loadLearner(from);
    return assembleFrom(content, name, { ...options, steps: to, evalEpisodes });
  }
}
