import { resolve } from "node:path";
import { fail, type LearnsFrom, type Trains, text } from "@reins/core";
import { printable } from "@reins/core/errors";
import { concatExamples, type ExampleSource, exampleFault } from "@reins/core/examples";
import type { Example, ExampleEncoder, ExampleSurvey, Truncation } from "@reins/language";
import type { EnvOptions, TextSource } from "../source.ts";
import { refuseEnsemble, textOptions } from "./options.ts";
import { textSettings, withinEpoch } from "./settings.ts";
import { sharedNotes } from "./shared-prompts.ts";

/** Examples of which tokens are counted to find the length of an epoch: all of a small file, a sample of a large one. */
const counted = 2000;

/** Default epochs of imitation; comparisons are used once. */
const usualEpochs = 3;

/** Options of a file of examples, besides those of the model. */
interface DataOptions {
  readonly test: number;
  readonly truncation?: Truncation;
  /** Further files with their weights, relative to 1 for the first. */
  readonly mix: readonly { readonly file: string; readonly weight: number }[];
}

/** A file of a mixture. */
interface MixturePart {
  readonly weight: number;
  readonly train: ExampleSource<Example>;
}

/** The source of a file of examples for the model of a folder: methods learn from its demonstrations or comparisons. */
export async function dataSource(
  file: string,
  given: EnvOptions,
  learnsFrom: LearnsFrom = "demonstrations",
  trains: Trains = "policy",
): Promise<TextSource> {
  const { exampleEncoder, examplesTask, exampleStage, openExamples, surveyExamples } = await import(
    "@reins/language"
  );
  const { folderModel } = await import("./model.ts");
  const { rewardSource } = await import("./reward.ts");
  const { test, truncation, mix, ...rest } = dataOptions(file, given);
  const name = nameOf(file);
  const o = textOptions(name, 1, rest);
  refuseEnsemble(name, o, trains);
  const {
    folder,
    rows,
    stop,
    epochs = learnsFrom === "comparisons" ? 1 : usualEpochs,
    adapters,
    chat,
    system,
  } = o;
  if (folder === undefined) return fail(file, "the examples need a model. Pass its folder: --model ./model.");
  const parts = await Promise.all(
    [{ file, weight: 1 }, ...mix].map(async ({ file, weight }) => {
      const survey = surveyExamples(await openExamples(file));
      if (survey.usable.count === 0) fail(file, `none of its lines can be used. ${faultOf(survey)}`);
      const split = survey.split(test);
      if (split.train.count === 0)
        fail(file, "all lines are in the test split. Add training lines or lower test.");
      return { file, weight, survey, ...split, prompts: survey.promptHashes(test) };
    }),
  );
  const train = concatExamples(parts.map((p) => p.train));
  const held = concatExamples(parts.map((p) => p.test));
  const notes = parts.flatMap((p) => [
    ...(p.survey.invalid ? [noteOf(p.file, p.survey)] : []),
    ...(isLeaky(p.survey, p.test.count) ? [leakOf(p.file, p.survey)] : []),
    ...sharedNotes(
      p,
      parts.filter((other) => other !== p),
    ),
  ]);
  const conversations = [...kindsOf(parts)].every((kind) => kind === "conversation");
  const model = await folderModel(
    examplesTask(name),
    { ...o, folder, maxTokens: o.maxTokens ?? 256, supervisedTokens: 0 },
    conversations,
    trains === "reward",
  );
  const { save, saveAdapters, checkFolder, saveReward: _, reward, ...answerer } = model;
  const { context } = answerer.start.options;
  const encoder = exampleEncoder({
    tokenizer: answerer.tokenizer,
    // A template that only repeats the plain text is for serving and saving.
    chat: answerer.template === undefined ? chat : false,
    system,
    maxTokens: context,
    // A text without its end is another text, whose reward says nothing about the whole.
    truncation: truncation ?? (trains === "reward" ? "drop" : undefined),
  });
  let faults = 0;
  /** The first faults are printed; the metric data/left-out counts all. */
  const onFault = (message: string) => {
    if (faults++ < 3) console.warn(printable(`${message} The example is left out.`));
  };
  const weighted = mix.length
    ? { parts: parts.map((p) => ({ count: p.train.count, weight: p.weight })) }
    : {};
  const examples = exampleStage({
    name,
    train,
    test: held,
    encoder,
    rows,
    stop,
    epochs,
    onFault,
    ...weighted,
    ...answerer,
  });
  const own =
    trains === "reward"
      ? rewardSource(name, examples, model, o)
      : { stage: examples, saveModel: save, saveAdapters, checkFolder };
  return {
    spec: { id: name, observation: text(context), action: text(context), maxSteps: context },
    // Absolute, so that the run can be resumed from any folder.
    options: {
      ...given,
      epochs,
      folder,
      ...(adapters === undefined ? {} : { adapters }),
      ...(mix.length ? { mix: mix.map((m) => `${resolve(m.file)}:${m.weight}`) } : {}),
    },
    more: {
      data: resolve(file),
      ...(trains === "reward" ? { trains } : {}),
      problems: parts.map((p) => p.survey.usable.digest).join("+"),
    },
    savable: true,
    ...own,
    ...(notes.length ? { notes } : {}),
    prepare(algorithm) {
      if (algorithm.learnsFrom === "comparisons") requireCompared(algorithm.name, file, kindsOf(parts));
      return algorithm;
    },
    tuned(algorithm) {
      const steps = Math.ceil(epochs * tokensInEpoch(algorithm === "sft", encoder, parts));
      const { options = {} } = textSettings(algorithm, saveAdapters ? "adapters" : "trained") ?? {};
      return { steps: Math.max(1, steps), options: withinEpoch(options, train.count) };
    },
  };
}

/** Whether more held-out prompts are also trained on than hashes collide by chance. */
const isLeaky = ({ leaked, usable }: ExampleSurvey, held: number): boolean =>
  leaked > (4 * held * usable.count) / 2 ** 32;

const leakOf = (file: string, { leaked }: ExampleSurvey): string =>
  `${leaked} held-out ${leaked === 1 ? "prompt of" : "prompts of"} ${file} ${leaked === 1 ? "is" : "are"} also in its training lines, so validation is too good. reins data check ${file} names the first.`;

/** The kinds of examples in some files. */
const kindsOf = (parts: readonly { readonly survey: ExampleSurvey }[]): Set<string> =>
  new Set(parts.flatMap((p) => [...p.survey.kinds.keys()]));

/** Refuses files without completions that a method can compare. */
function requireCompared(name: string, file: string, kinds: ReadonlySet<string>): void {
  if (name === "process-reward") {
    if (!kinds.has("steps"))
      fail(
        file,
        `it has no labelled steps, from which ${name} learns; it has ${[...kinds].join(", ")}. Use lines with prompt, completions and labels.`,
      );
    return;
  }
  if (kinds.has("preference") || kinds.has("ranking")) return;
  if (kinds.has("labelled") && name === "kto") return;
  fail(
    file,
    kinds.has("labelled")
      ? `its completions have labels, and ${name} compares several completions of a prompt. Use kto, or lines with prompt, chosen and rejected.`
      : `it has no compared completions, from which ${name} learns; it has ${[...kinds].join(", ")}. Use lines with prompt, chosen and rejected.`,
  );
}

const nameOf = (file: string): string => file.replace(/^.*[/\\]/, "").replace(/\.(jsonl|parquet)$/i, "");

function dataOptions(file: string, given: EnvOptions): DataOptions & EnvOptions {
  const { test = 0.1, truncation, mix, ...rest } = given;
  if (!(typeof test === "number" && test >= 0 && test < 1))
    fail(file, `test is ${JSON.stringify(test)}; it must be the fraction of held-out examples, such as 0.1.`);
  const rules = ["end", "start", "drop"];
  if (truncation !== undefined && !rules.includes(truncation as string))
    fail(file, `truncation is ${JSON.stringify(truncation)}; it must be one of ${rules.join(", ")}.`);
  return {
    ...rest,
    test: test as number,
    truncation: truncation as Truncation | undefined,
    mix: mix === undefined ? [] : mixOf(file, mix),
  };
}

/** Files with weights: `b.jsonl:0.5,c.jsonl`, or a list of such texts. */
function mixOf(file: string, given: unknown): DataOptions["mix"] {
  const all = typeof given === "string" ? given.split(",") : given;
  if (!Array.isArray(all) || !all.every((m) => typeof m === "string"))
    return fail(
      file,
      `mix is ${JSON.stringify(given)}; it must name files with weights: "b.jsonl:0.5,c.jsonl:2".`,
    );
  return all.map((entry: string) => {
    const [, path, weight] = /^(.*?)(?::([\d.eE+-]+))?$/.exec(entry.trim()) as RegExpExecArray;
    const number = weight === undefined ? 1 : Number(weight);
    if (!(number > 0 && number < Number.POSITIVE_INFINITY))
      fail(file, `the weight of ${path} in mix is ${weight}; it must be a number above 0.`);
    return { file: path, weight: number };
  });
}

const faultOf = ({ faults: [first] }: ExampleSurvey): string => `${first.at[0]}: ${first.message}`;

/** What is said of lines that are left out. */
const noteOf = (file: string, survey: ExampleSurvey): string =>
  `${survey.invalid} of ${survey.invalid + survey.usable.count} lines are left out. ${faultOf(survey)} reins data check ${file} lists all.`;

/** Tokens of as many examples as all parts have together, drawn by weight. */
function tokensInEpoch(imitates: boolean, encoder: ExampleEncoder, parts: readonly MixturePart[]): number {
  const tokens = parts.map(({ train }) => tokensOf(imitates, encoder, train));
  if (parts.length === 1) return tokens[0];
  const examples = parts.reduce((sum, { train }) => sum + train.count, 0);
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  return parts.reduce(
    (sum, { weight, train }, i) => sum + (examples * weight * tokens[i]) / (weights * train.count),
    0,
  );
}

/** Tokens of the training examples that enter the loss: exact for small files, estimated from a sample of large ones. */
function tokensOf(imitates: boolean, encoder: ExampleEncoder, train: ExampleSource<Example>): number {
  const seen = Math.min(counted, train.count);
  let tokens = 0;
  for (let i = 0; i < seen; i++) {
    const texts = textsOf(encoder, imitates, train.read(Math.floor((i * train.count) / seen)));
    for (const text of texts)
      for (const { by, tokens: own } of text?.spans ?? []) if (by === "teacher") tokens += own.length;
  }
  return (tokens * train.count) / seen;
}

/** The texts of an example; none if it is refused, which training reports. */
function textsOf(encoder: ExampleEncoder, imitates: boolean, example: Example) {
  try {
    if (imitates) return [encoder.demonstration(example)];
    return encoder.comparison(example) ?? [encoder.steps(example) ?? []].flat();
  } catch (error) {
    exampleFault(error);
    return [];
  }
}
