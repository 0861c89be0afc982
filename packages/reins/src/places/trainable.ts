import { ids } from "@reins/envs";
import type { Family } from "@reins/language";
import { type EnvLike, type EnvOptions, type Source, sourceOf } from "./source.ts";

/** What an agent may be trained on: an environment, or problems in words. Either is named, or given as it is. */
export type Trainable = EnvLike | Family;

/** The source of what was asked for, wrappers left aside. Problems in words are loaded when they are asked for. */
export async function sourceOfAny(from: Trainable, options?: EnvOptions): Promise<Source> {
  if (isFamily(from)) {
    const { textSource } = await import("#node");
    return textSource(from, options);
  }
  if (typeof from !== "string" || ids().includes(from)) return sourceOf(from, options);
  const { taskNamed } = await import("#node");
  return (await taskNamed(from, options)) ?? sourceOf(from, options);
}

const isFamily = (x: Trainable): x is Family => typeof x === "object" && "verify" in x;
