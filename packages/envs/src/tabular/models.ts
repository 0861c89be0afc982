import { fail } from "@reins/core";
import { didYouMean } from "@reins/core/errors";
import { chainModel, riverSwimModel } from "../chain.ts";
import { cliffWalkingModel } from "../toy/cliff-walking.ts";
import { frozenLakeModel } from "../toy/frozen-lake.ts";
import { taxiModel } from "../toy/taxi.ts";
import type { TabularMdp } from "./mdp.ts";

const models: { readonly [id: string]: () => TabularMdp } = {
  "FrozenLake-v1": () => frozenLakeModel(),
  "FrozenLake8x8-v1": () => frozenLakeModel({ map: "8x8", id: "FrozenLake8x8-v1" }),
  "CliffWalking-v1": () => cliffWalkingModel(),
  "CliffWalkingSlippery-v1": () => cliffWalkingModel({ slippery: true, id: "CliffWalkingSlippery-v1" }),
  "Taxi-v4": () => taxiModel(),
  "Chain-v0": () => chainModel(),
  "RiverSwim-v0": () => riverSwimModel(),
};

/** The exact MDP of an environment, for planning. */
export function tabularModel(id: string): TabularMdp {
  if (Object.hasOwn(models, id)) return models[id]();
  const known = Object.keys(models);
  return fail(
    "tabularModel",
    `${id} has no tabular model.${didYouMean(id, known)} Models exist for ${known.join(", ")}.`,
  );
}
