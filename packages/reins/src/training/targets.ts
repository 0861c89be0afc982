import { fail } from "@reins/core";
import { type Agent, noAdapters, noModel } from "../agents/agent.ts";
import type { Acquaintance } from "../places/source.ts";

/** Folders that what learned in words is written to when a run ends, be it that it was stopped. */
export interface Targets {
  /**
   * The folder that the language model of a task in words is written to at the end, as a Hugging Face folder. A run that is kept remembers
   * it: resumed, it writes the model there.
   */
  readonly saveModel?: string;
  /** The folder that the adapters alone are written to at the end, as PEFT does, where adapters learn. It is remembered too. */
  readonly saveAdapters?: string;
}

/** What is written to each, in words. */
export const targetWords = { saveModel: "language model is", saveAdapters: "adapters are" } as const;

/** Names of {@link Targets}. */
export const targetNames = Object.keys(targetWords) as readonly (keyof Targets)[];

/** Those that options or a configuration name, each as `form` writes it. */
export function targetsIn(from: object, form = (folder: string) => folder): Targets {
  const given = targetNames.flatMap((name) => {
    const folder = (from as { readonly [name: string]: unknown })[name];
    return typeof folder === "string" ? [[name, form(folder)]] : [];
  });
  return Object.fromEntries(given);
}

/** Stops with the reason where nothing can be written to them: before training and not after it. */
export function checkTargets(
  place: Pick<Acquaintance, "saveModel" | "saveAdapters" | "checkFolder"> & {
    readonly spec: { readonly id: string };
  },
  { saveModel, saveAdapters }: Targets,
): void {
  if (saveModel !== undefined && !place.saveModel) noModel(place.spec.id);
  if (saveAdapters !== undefined && !place.saveAdapters) noAdapters(place.spec.id);
  if (saveModel !== undefined && saveModel === saveAdapters)
    fail(
      "saveAdapters",
      `${saveModel} is for the model, into which adapters are folded: beside it they would count twice. Choose another folder.`,
    );
  for (const folder of [saveModel, saveAdapters]) if (folder !== undefined) place.checkFolder?.(folder);
}

/** Writes what was asked for. */
export async function writeTargets(agent: Agent, { saveModel, saveAdapters }: Targets): Promise<void> {
  if (saveModel !== undefined) await agent.saveModel(saveModel);
  if (saveAdapters !== undefined) await agent.saveAdapters(saveAdapters);
}
