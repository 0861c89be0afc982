import { gymnasium, pettingzoo } from "@reins/envs/remote";
import { type EnvOptions, type EnvSource, sourceOfMaker } from "./source.ts";

/** An environment of an installed Python package by name, `gymnasium:CartPole-v1`; undefined for other names. */
export function sourceInPython(name: string, options?: EnvOptions): EnvSource | undefined {
  const [, kind, id] = /^(gymnasium|pettingzoo):(.+)$/.exec(name) ?? [];
  if (id === undefined) return undefined;
  const { text, ...own } = options ?? {};
  const how = text === undefined ? { options } : { options: own, text: text as number };
  const place = (kind === "gymnasium" ? gymnasium : pettingzoo)(id, how);
  // A run's configuration stores all options of its environment.
  return { ...sourceOfMaker(place), options: options ?? {} };
}
