import { fail } from "@reins/core";
import { type Agent, noAdapters, noModel } from "../agents/agent.ts";
import type { SourceDetails } from "../places/source.ts";

/** Folders for the trained language model at the end of a run, even if it was stopped. */
export interface Targets {
  /**
   * Folder for the language model at the end of the run, in Hugging Face format. A run with a directory stores it: when
   * resumed, it writes the model there.
   */
  readonly saveModel?: string;
  /** Folder for only the adapters at the end of the run, in PEFT format. It is stored too. */
  readonly saveAdapters?: string;
}

/** Nouns for messages. */
export const targetNouns = { saveModel: "language model is", saveAdapters: "adapters are" } as const;

/** Names of {@link Targets}. */
export const targetNames = Object.keys(targetNouns) as readonly (keyof Targets)[];

/** Targets among options or a configuration, each converted by `form`. */
export function targetsIn(from: object, form = (folder: string) => folder): Targets {
  const given = targetNames.flatMap((name) => {
    const folder = (from as { readonly [name: string]: unknown })[name];
    return typeof folder === "string" ? [[name, form(folder)]] : [];
  });
  return Object.fromEntries(given);
}

/** Refuses folders that cannot be written, before training. */
export function checkTargets(
  place: Pick<SourceDetails, "saveModel" | "saveAdapters" | "checkFolder"> & {
    readonly spec: { readonly id: string };
  },
  { saveModel, saveAdapters }: Targets,
): void {
  if (saveModel !== undefined && !place.saveModel) noModel(place.spec.id);
  if (saveAdapters !== undefined && !place.saveAdapters) noAdapters(place.spec.id);
  if (saveModel !== undefined && saveModel === saveAdapters)
    fail(
      "saveAdapters",
      `${saveModel} is the folder of the model, which already contains the merged adapters; they would count twice. Use another folder for the adapters.`,
    );
  if (saveModel !== undefined) place.checkFolder?.(saveModel, "model");
  if (saveAdapters !== undefined) place.checkFolder?.(saveAdapters, "adapters");
}

/** Writes the model and adapters that were requested. */
export async function writeTargets(agent: Agent, { saveModel, saveAdapters }: Targets): Promise<void> {
  if (saveModel !== undefined) await agent.saveModel(saveModel);
  if (saveAdapters !== undefined) await agent.saveAdapters(saveAdapters);
}
