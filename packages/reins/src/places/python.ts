import { gymnasium, pettingzoo } from "@reins/envs/elsewhere";
import { type EnvOptions, type EnvSource, sourceOfMaker } from "./source.ts";

/** An environment of an installed Python package by its name, `gymnasium:CartPole-v1`; undefined for other names. */
export function sourceInPython(name: string, options?: EnvOptions): EnvSource | undefined {
  const [, kind, id] = /^(gymnasium|pettingzoo):(.+)$/.exec(name) ?? [];
  if (id === undefined) return undefined;
  return sourceOfMaker((kind === "gymnasium" ? gymnasium : pettingzoo)(id, { options }));
}
