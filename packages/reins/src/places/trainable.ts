import type { EpisodePlace } from "@reins/core";
import type { Family } from "@reins/language";
import { isModulePath } from "./module-path.ts";
import { placeAt } from "./place-at.ts";
import type { EnvLike, EnvOptions, Source } from "./source.ts";

/** Problems in words: a `Family` of `@reins/language`, as far as it is looked at where that may not be installed. */
export interface Verifiable {
  readonly id: string;
  readonly levels: number;
  verify(problem: never, answer: string): unknown;
}

/** What an agent may be trained on: an environment, or problems in words. Either is named, or given as it is; so is a stage of one's own. */
export type Trainable = EnvLike | Verifiable | EpisodePlace;

/** The source of what was asked for, wrappers left aside. Problems in words are loaded when they are asked for. */
export async function sourceOfAny(from: Trainable, options?: EnvOptions): Promise<Source> {
  if (isFamily(from)) {
    const { textSource } = await import("#node");
    return textSource(from as Family, options);
  }
  if (isStaged(from)) return { options: options ?? {}, savable: true, ...from };
  const found = typeof from === "string" ? await sourceNamed(from, options) : undefined;
  return found ?? placeAt(from, options);
}

/** The source of an environment or of a task in words by its name, or of a file of code; undefined where nothing is called so. */
export async function sourceNamed(name: string, options?: EnvOptions): Promise<Source | undefined> {
  const { ids, sourceOf } = await import("./environments.ts");
  if (ids().includes(name)) return sourceOf(name, options);
  const { sourceFromModule, sourceInPython, taskNamed } = await import("#node");
  if (isModulePath(name)) return sourceFromModule(name, options);
  return sourceInPython(name, options) ?? taskNamed(name, options);
}

/** A stage as it is, where whole episodes are played. */
const isStaged = (x: Exclude<Trainable, Verifiable>): x is EpisodePlace =>
  typeof x === "object" && x !== null && x.stage !== undefined;

const isFamily = (x: Trainable): x is Verifiable => typeof x === "object" && x !== null && "verify" in x;
