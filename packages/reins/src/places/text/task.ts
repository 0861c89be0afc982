import { resolve } from "node:path";
import { learnerNames, sft, type Tuned } from "@reins/algorithms";
import { fail, phases, type Trains, text } from "@reins/core";
import type { Dataset, Problem, TextStageOptions, TextTask } from "@reins/language";
import type { EnvOptions, TextSource } from "../source.ts";
import { isDatasetPath } from "./dataset-path.ts";
import { judgeOf, type KnownJudge } from "./judge.ts";
import type { JudgeLike } from "./judge-like.ts";
import { comparedTokens, taughtTokens } from "./lengths.ts";
import { refuseEnsemble, type TextOptions, textOptions } from "./options.ts";
import { textSettings, withinEpoch } from "./settings.ts";

/** The source of a language task by name, or of a JSON Lines file; undefined if there is none. */
export async function taskNamed(
  name: string,
  options: EnvOptions = {},
  judge?: JudgeLike,
  trains?: Trains,
): Promise<TextSource | undefined> {
  if (isDatasetPath(name)) return datasetSource(name, options, judge, trains);
  const { textTasks, multiTurnTasks } = await import("@reins/language");
  const all = { ...textTasks, ...multiTurnTasks };
  return Object.hasOwn(all, name) ? textSource(all[name], options, judge, trains) : undefined;
}

/** The source of a JSON Lines file. */
async function datasetSource(
  file: string,
  options: EnvOptions,
  wanted?: JudgeLike,
  trains?: Trains,
): Promise<TextSource> {
  const { dataset } = await import("@reins/language");
  const { test, ...rest } = options;
  if (test !== undefined && typeof test !== "number")
    fail(file, `test is ${JSON.stringify(test)}; it must be the fraction of held-out problems, such as 0.1.`);
  const known = wanted === undefined ? undefined : await judgeOf(wanted);
  return sourceFrom(dataset(file, { test, judge: known?.judge }), rest, known, trains);
}

/** The source of a language task, optionally with another judge. */
export async function textSource(
  task: TextTask,
  options: EnvOptions = {},
  wanted?: JudgeLike,
  trains?: Trains,
): Promise<TextSource> {
  const { withJudge } = await import("@reins/language");
  const known = wanted === undefined ? undefined : await judgeOf(wanted);
  return sourceFrom(known ? withJudge(task, known.judge) : task, options, known, trains);
}

/**
 * A model and the task's verifier. The model is a tiny character model from scratch, or that of a Hugging Face folder.
 */
async function sourceFrom(
  task: TextTask & Partial<Pick<Dataset, "file" | "judge" | "test" | "digest" | "leaked">>,
  options: EnvOptions,
  judge: KnownJudge | undefined,
  trains: Trains = "policy",
): Promise<TextSource> {
  const { sampleProblem, playerOf, textStage } = await import("@reins/language");
  const { id: name } = task;
  const o = textOptions(name, task.levels, options);
  refuseEnsemble(name, o, trains);
  const { folder, level, rows, supervisedTokens, stop, epochs, adapters, player, forkTurn, forkInto } = o;
  const forks = forkTurn && forkInto ? { forks: { turn: forkTurn, into: forkInto } } : {};
  const { folderModel, tinyModel } = await import("./model.ts");
  const { teacherModel } = await import("./teacher.ts");
  const { rewardSource } = await import("./reward.ts");
  const isConversation = ({ messages }: Problem) => messages !== undefined;
  const conversations = task.listed?.train.every(isConversation) ?? false;
  const model =
    folder === undefined
      ? tinyModel(task, o, conversations)
      : await folderModel(task, { ...o, folder }, conversations, trains === "reward");
  const { save, saveAdapters, checkFolder, saveReward: _, reward, ...answerer } = model;
  const teacher =
    o.teacher === undefined ? {} : { teacher: await teacherModel(o.teacher, answerer.tokenizer) };
  const learner = folder === undefined ? "tiny" : saveAdapters ? "adapters" : "trained";
  // Checked before training: the final evaluation needs held-out problems.
  sampleProblem(task, level, "test", 0);
  if (player !== undefined) playerOf(task, player);
  const shown = player === undefined ? {} : { player };
  const stage = {
    task,
    level,
    rows,
    stop,
    epochs,
    sampling: samplingOf(o),
    ...forks,
    ...shown,
    ...teacher,
    ...answerer,
  };
  const texts = textStage(stage);
  const own =
    trains === "reward"
      ? rewardSource(name, texts, model, o)
      : { stage: texts, saveModel: save, saveAdapters, checkFolder };
  // A reward model is not trained on demonstrations first.
  const supervised = trains === "reward" ? 0 : supervisedTokens;
  const inTexts = task.listed?.test.every((p) => p.alone) ?? false;
  const byName = judge === undefined ? typeof task.judge !== "function" : judge.kept !== "code";
  return {
    spec: {
      id: task.id,
      observation: text(Math.max(1, task.longest.prompt)),
      action: text(task.longest.answer),
      maxSteps: answerer.limit,
      // A custom judge and a likelihood have no known maximum.
      ...(judge === undefined && byName && !inTexts && trains === "policy" ? { solvedAt: 0.95 } : {}),
    },
    // Absolute, so that the run can be resumed from any folder.
    options: {
      ...options,
      ...(folder === undefined ? {} : { folder }),
      ...(adapters === undefined ? {} : { adapters }),
      ...(o.teacher === undefined ? {} : { teacher: o.teacher }),
    },
    more: {
      ...(task.file === undefined ? {} : { dataset: resolve(task.file), test: task.test }),
      ...(task.digest === undefined ? {} : { problems: task.digest }),
      ...(trains === "reward" ? { trains } : {}),
      ...keptOf(task, judge),
    },
    ...(task.leaked ? { notes: [leakNote(task.leaked, task.file ?? name)] } : {}),
    savable: true,
    task,
    ...own,
    supervisedTokens: supervised,
    tuned: (algorithm) => inEpochs(textSettings(algorithm, learner), algorithm, stage, learner),
    prepare(algorithm) {
      if (algorithm.learnsFrom === "steps")
        fail(
          algorithm.name,
          `it does not support language tasks. ${learnerNames("episodes").join(", ")} do: reins train grpo ${name}.`,
        );
      if (algorithm.name !== "sft" && algorithm.learnsFrom !== "comparisons")
        refuseShown(task, algorithm.name, task.file ?? name);
      const imitates = algorithm.name === "sft" || supervised > 0;
      if (imitates && task.listed?.train.some((p) => p.answer === ""))
        fail(name, "some problems have no answer to imitate. Add an answer to each.");
      const usual = textSettings("sft", learner)!.options as { batch: number; learningRate: number };
      const { supervisedRate: learningRate = usual.learningRate, supervisedBatch: batch = usual.batch } = o;
      return algorithm.name === "sft" || supervised <= 0
        ? algorithm
        : phases(algorithm.name, [
            { algorithm: sft({ ...usual, learningRate, batch, validation: 0 }), steps: supervised },
            { algorithm },
          ]);
    },
  };
}

/** Refuses data that only imitation can use: texts without a prompt, and preferences. */
function refuseShown({ listed }: Pick<TextTask, "listed">, algorithm: string, file: string): void {
  const { train = [], test = [] } = listed ?? {};
  const all = [...train, ...test];
  const way = `sft imitates them: reins train sft ${file}. For ${algorithm}, each line needs a prompt and an answer.`;
  if (all.some((p) => p.preferred))
    fail(
      algorithm,
      `some lines of ${file} are preferences (chosen, rejected), which only preference methods such as dpo and imitation of the chosen text support. ${way}`,
    );
  if (all.some((p) => p.alone))
    fail(
      algorithm,
      `some lines of ${file} are texts without a prompt, and ${algorithm} needs prompts and answers. ${way}`,
    );
}

/** The judge's entry in the configuration; none for the task's own verifier. */
function keptOf(
  task: Partial<Pick<Dataset, "judge">>,
  judge: KnownJudge | undefined,
): { readonly judge?: string } {
  if (judge) return { judge: judge.kept };
  if (task.judge === undefined) return {};
  return { judge: typeof task.judge === "string" ? task.judge : "code" };
}

const leakNote = (leaked: number, name: string): string =>
  `${leaked} held-out ${leaked === 1 ? "prompt of" : "prompts of"} ${name} ${leaked === 1 ? "is" : "are"} also in its training lines, so evaluations are too good. Remove ${leaked === 1 ? "it" : "them"} from one of the splits.`;

/** Sampling options, if any were given. */
function samplingOf({ temperature, topP, topK }: TextOptions): TextStageOptions["sampling"] {
  const said = Object.entries({ temperature, topP, topK }).filter(([, value]) => value !== undefined);
  return said.length ? Object.fromEntries(said) : undefined;
}

/** Default number of epochs over a dataset when a pretrained model imitates it. */
const usualEpochs = 3;

/** Settings with the steps that the epochs of a dataset take: exact for imitation, an upper bound for reinforcement. */
function inEpochs(
  tuned: Tuned | undefined,
  algorithm: string,
  stage: TextStageOptions & { readonly limit: number },
  learner: "tiny" | "trained" | "adapters",
): Tuned | undefined {
  const { task, limit } = stage;
  const imitates = algorithm === "sft";
  const compares = learnerNames("comparisons").includes(algorithm);
  const times = stage.epochs ?? (compares ? 1 : imitates && learner !== "tiny" ? usualEpochs : undefined);
  if (!tuned || !task.listed || times === undefined) return tuned;
  const { groupSize = 1 } = tuned.options as { readonly groupSize?: number };
  const once = compares
    ? comparedTokens(stage)
    : imitates
      ? taughtTokens(stage)
      : task.listed.train.length * groupSize * limit;
  const options = compares || imitates ? withinEpoch(tuned.options, task.listed.train.length) : tuned.options;
  return { ...tuned, steps: Math.max(1, Math.ceil(times * once)), options };
}
