import { resolve } from "node:path";
import { learners, sft, type Tuned } from "@reins/algorithms";
import { fail, phases, text } from "@reins/core";
import type { Dataset, Family, TextStageOptions } from "@reins/language";
import type { EnvOptions, TextSource } from "../source.ts";
import { isDatasetPath } from "./dataset-path.ts";
import { judgeOf, type KnownJudge } from "./judge.ts";
import type { JudgeLike } from "./judge-like.ts";
import { taughtTokens } from "./lengths.ts";
import { type TextOptions, textOptions } from "./options.ts";
import { textSettings } from "./settings.ts";

/** The source of a family by its name, or of a file of JSON lines; undefined where there is none. */
export async function taskNamed(
  name: string,
  options: EnvOptions = {},
  judge?: JudgeLike,
): Promise<TextSource | undefined> {
  if (isDatasetPath(name)) return datasetSource(name, options, judge);
  const { families, worlds } = await import("@reins/language");
  const all = { ...families, ...worlds };
  return Object.hasOwn(all, name) ? textSource(all[name], options, judge) : undefined;
}

/** The source of a file of JSON lines. */
async function datasetSource(file: string, options: EnvOptions, wanted?: JudgeLike): Promise<TextSource> {
  const { dataset } = await import("@reins/language");
  const { test, ...rest } = options;
  if (test !== undefined && typeof test !== "number")
    fail(
      file,
      `test is ${JSON.stringify(test)}; it must be the share of problems to measure by, such as 0.1.`,
    );
  const known = wanted === undefined ? undefined : await judgeOf(wanted);
  return sourceFrom(dataset(file, { test, judge: known?.judge }), rest, known);
}

/** A task in words as a source, perhaps with another judge than its own. */
export async function textSource(
  family: Family,
  options: EnvOptions = {},
  wanted?: JudgeLike,
): Promise<TextSource> {
  const { judged } = await import("@reins/language");
  const known = wanted === undefined ? undefined : await judgeOf(wanted);
  return sourceFrom(known ? judged(family, known.judge) : family, options, known);
}

/**
 * A model, and the family's verifier. The model is a tiny one from nothing that reads characters, or that of a Hugging Face folder.
 */
async function sourceFrom(
  family: Family & Partial<Pick<Dataset, "file" | "judge" | "test" | "digest">>,
  options: EnvOptions,
  judge: KnownJudge | undefined,
): Promise<TextSource> {
  const { draw, playerOf, textStage } = await import("@reins/language");
  const { id: name } = family;
  const o = textOptions(name, family.levels, options);
  const { folder, level, rows, warmUp, stop, epochs, adapters, player, forkTurn, forkInto } = o;
  const forks = forkTurn && forkInto ? { forks: { turn: forkTurn, into: forkInto } } : {};
  const { folderModel, tinyModel } = await import("./model.ts");
  const { save, saveAdapters, checkFolder, ...answerer } =
    folder === undefined ? tinyModel(family, o) : await folderModel(family, { ...o, folder });
  const learner = folder === undefined ? "tiny" : saveAdapters ? "adapters" : "trained";
  // Before training and not after it: what is measured in the end must be there.
  draw(family, level, "test", 0);
  if (player !== undefined) playerOf(family, player);
  const shown = player === undefined ? {} : { player };
  const stage = {
    family,
    level,
    rows,
    stop,
    epochs,
    sampling: samplingOf(o),
    ...forks,
    ...shown,
    ...answerer,
  };
  const inTexts = family.listed?.test.every((p) => p.alone) ?? false;
  const byName = judge === undefined ? typeof family.judge !== "function" : judge.kept !== "code";
  return {
    spec: {
      id: family.id,
      observation: text(Math.max(1, family.longest.prompt)),
      action: text(family.longest.answer),
      maxSteps: answerer.limit,
      // What a judge of one's own pays has no top that is known, nor has a likelihood.
      ...(judge === undefined && byName && !inTexts ? { solvedAt: 0.95 } : {}),
    },
    // Found again from wherever the run goes on.
    options: {
      ...options,
      ...(folder === undefined ? {} : { folder }),
      ...(adapters === undefined ? {} : { adapters }),
    },
    more: {
      ...(family.file === undefined ? {} : { dataset: resolve(family.file), test: family.test }),
      ...(family.digest === undefined ? {} : { problems: family.digest }),
      ...keptOf(family, judge),
    },
    savable: true,
    family,
    stage: textStage(stage),
    saveModel: save,
    saveAdapters,
    warmUp,
    checkFolder,
    tuned: (algorithm) => inEpochs(textSettings(algorithm, learner), algorithm, stage, learner),
    prepare(algorithm) {
      if (algorithm.learnsFrom === "steps")
        fail(
          algorithm.name,
          `it does not learn from answers in words. ${learners("episodes").join(", ")} do: reins train grpo ${name}.`,
        );
      if (algorithm.name !== "sft") refuseShown(family, algorithm.name, family.file ?? name);
      const imitates = algorithm.name === "sft" || warmUp > 0;
      if (imitates && family.listed?.train.some((p) => p.answer === ""))
        fail(name, "some of its problems have no answer that could be imitated. Give each one an answer.");
      const usual = textSettings("sft", learner)!.options as { batch: number; learningRate: number };
      const { warmUpRate: learningRate = usual.learningRate, warmUpBatch: batch = usual.batch } = o;
      return algorithm.name === "sft" || warmUp <= 0
        ? algorithm
        : phases(algorithm.name, [
            { algorithm: sft({ ...usual, learningRate, batch, validation: 0 }), steps: warmUp },
            { algorithm },
          ]);
    },
  };
}

/** Refuses what only imitation learns from: nobody asks for it, or nobody can judge another answer by it. */
function refuseShown({ listed }: Pick<Family, "listed">, algorithm: string, file: string): void {
  const { train = [], test = [] } = listed ?? {};
  const all = [...train, ...test];
  const way = `sft imitates them: reins train sft ${file}. For ${algorithm}, give each line a prompt and its answer.`;
  if (all.some((p) => p.preferred))
    fail(
      algorithm,
      `some lines of ${file} are preferences (chosen, rejected), from which no method here learns yet but by imitating what was chosen. ${way}`,
    );
  if (all.some((p) => p.alone))
    fail(
      algorithm,
      `some lines of ${file} are texts that nobody asks for, and ${algorithm} learns from answers. ${way}`,
    );
}

/** What a configuration says of the judge: nothing, where the family has its own. */
function keptOf(
  family: Partial<Pick<Dataset, "judge">>,
  judge: KnownJudge | undefined,
): { readonly judge?: string } {
  if (judge) return { judge: judge.kept };
  if (family.judge === undefined) return {};
  return { judge: typeof family.judge === "string" ? family.judge : "code" };
}

/** How answers are drawn, where something was said of it. */
function samplingOf({ temperature, topP, topK }: TextOptions): TextStageOptions["sampling"] {
  const said = Object.entries({ temperature, topP, topK }).filter(([, value]) => value !== undefined);
  return said.length ? Object.fromEntries(said) : undefined;
}

/** Times that a dataset is imitated by a trained model where nobody says so. */
const usualEpochs = 3;

/** Settings with as many steps as going through a list so often takes: exactly, where it is imitated, and at most, where it is answered. */
function inEpochs(
  tuned: Tuned | undefined,
  algorithm: string,
  stage: TextStageOptions & { readonly limit: number },
  learner: "tiny" | "trained" | "adapters",
): Tuned | undefined {
  const { family, limit } = stage;
  const imitates = algorithm === "sft";
  const times = stage.epochs ?? (imitates && learner !== "tiny" ? usualEpochs : undefined);
  if (!tuned || !family.listed || times === undefined) return tuned;
  const { plays = 1 } = tuned.options as { readonly plays?: number };
  const once = imitates ? taughtTokens(stage) : family.listed.train.length * plays * limit;
  return { ...tuned, steps: Math.max(1, Math.ceil(times * once)) };
}
