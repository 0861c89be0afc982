import { learners, sft } from "@reins/algorithms";
import { fail, phases, text } from "@reins/core";
import { unknownEnv } from "@reins/envs";
import type { Family } from "@reins/language";
import { isMissing, notInstalled } from "../optional.ts";
import type { EnvOptions, TextSource } from "../source.ts";
import { textOptions } from "./options.ts";
import { textSettings } from "./settings.ts";

/** The source of a family by its name; undefined where there is none. */
export async function taskNamed(name: string, options: EnvOptions = {}): Promise<TextSource | undefined> {
  const { families } = await import("@reins/language").catch((error: unknown) => {
    if (!isMissing(error, "@reins/language")) throw error;
    // What is written like an environment, or nearly called like one, is no task.
    if (/^[a-z][a-z-]*$/.test(name) && !unknownEnv(name)) notInstalled("@reins/language", name)(error);
    return { families: {} as { readonly [name: string]: Family } };
  });
  return Object.hasOwn(families, name) ? textSource(families[name], options) : undefined;
}

/**
 * A task in words as a source: a model, and the family's verifier. The model is a tiny one from nothing that reads characters, or that
 * of a Hugging Face folder.
 */
export async function textSource(family: Family, options: EnvOptions = {}): Promise<TextSource> {
  const { textStage } = await import("@reins/language");
  const { id: name } = family;
  const o = textOptions(name, family.levels, options);
  const { folder, level, rows, warmUp } = o;
  const { folderModel, tinyModel } = await import("./model.ts");
  const { save, checkFolder, ...answerer } =
    folder === undefined ? tinyModel(family, o) : await folderModel(family, { ...o, folder });
  const learner = folder === undefined ? "tiny" : o.lora > 0 ? "adapters" : "trained";
  return {
    spec: {
      id: family.id,
      observation: text(family.longest.prompt),
      action: text(family.longest.answer),
      maxSteps: answerer.limit,
      solvedAt: 0.95,
    },
    // Found again from wherever the run goes on.
    options: folder === undefined ? options : { ...options, folder },
    savable: true,
    stage: textStage({ family, level, rows, ...answerer }),
    saveModel: save,
    checkFolder,
    tuned: (algorithm) => textSettings(algorithm, learner),
    prepare(algorithm) {
      if (algorithm.learnsFrom === "steps")
        fail(
          algorithm.name,
          `it does not learn from answers in words. ${learners("episodes").join(", ")} do: reins train grpo ${name}.`,
        );
      const imitation = textSettings("sft", learner)!.options as { batch: number; learningRate: number };
      return algorithm.name === "sft" || warmUp <= 0
        ? algorithm
        : phases(algorithm.name, [{ algorithm: sft(imitation), steps: warmUp }, { algorithm }]);
    },
  };
}
