import { choice, fail, type Given, size } from "@reins/core";
import {
  categorical,
  expected,
  implicitQuantiles,
  type Penalty,
  quantiles,
  type ValueForm,
} from "./value-form.ts";

/** The options about what is learned of a return, and how errors count. */
export const distributionRows = {
  distribution: choice<"none" | "categorical" | "quantile" | "implicit">(
    "none",
    ["none", "categorical", "quantile", "implicit"],
    "What is learned of a return: its mean, or its distribution (C51, QR-DQN, IQN).",
  ),
  atoms: size(
    51,
    "Categorical, quantile: numbers for a distribution. More is finer and costs more (21 to 201).",
    {
      within: "count",
    },
  ),
  low: size(-10, "Categorical: the lowest return it can express.", { within: "any" }),
  high: size(10, "Categorical: the highest. Choose both to just hold the discounted returns.", {
    within: "any",
  }),
  fractions: size(
    8,
    "Implicit: fractions at which quantiles are learned in an update. More is steadier and costs more (8 to 64).",
    { within: "count" },
  ),
  goalFractions: size(
    8,
    "Implicit: fractions of the next state that they are learned from. More is steadier and costs more (8 to 64).",
    { within: "count" },
  ),
  choiceFractions: size(
    32,
    "Implicit: fractions whose mean says which action is best. More chooses with less chance (8 to 64).",
    { within: "count" },
  ),
  cosines: size(64, "Implicit: waves by which a network is shown a fraction (16 to 64).", {
    within: "count",
  }),
  loss: choice<Penalty>(
    "squared",
    ["squared", "huber"],
    "Of errors. Huber grows less with large ones: steadier with wild rewards, but then rare ones count too little.",
  ),
};

/** The form that options describe. */
export function valueForm(o: Given<typeof distributionRows>, name: string): ValueForm {
  if (o.distribution === "quantile") return quantiles(o);
  if (o.distribution === "implicit")
    return implicitQuantiles({
      prediction: o.fractions,
      goal: o.goalFractions,
      choice: o.choiceFractions,
    });
  if (o.distribution === "none") return expected(o.loss);
  if (!(o.high > o.low) || o.atoms < 2)
    fail(
      name,
      `a distribution over ${o.atoms} returns from ${o.low} to ${o.high} is none. Set low < high, and 2 atoms or more.`,
    );
  return categorical(o);
}
