import { choice, fail, type ResolvedOptions, size } from "@reins/core";
import {
  categorical,
  expected,
  implicitQuantiles,
  type Penalty,
  quantiles,
  type ValueForm,
} from "./value-form.ts";

/** Options of the return distribution and the loss. */
export const distributionRows = {
  distribution: choice<"none" | "categorical" | "quantile" | "implicit">(
    "none",
    ["none", "categorical", "quantile", "implicit"],
    "Value form: the expected return, or a distribution (C51, QR-DQN, IQN).",
  ),
  atoms: size(
    51,
    "Categorical, quantile: atoms of the distribution. More is finer and costs more (21 to 201).",
    {
      within: "count",
    },
  ),
  low: size(-10, "Categorical: lowest return of the support.", { within: "any" }),
  high: size(
    10,
    "Categorical: highest return of the support. Choose both to just cover the discounted returns.",
    {
      within: "any",
    },
  ),
  fractions: size(
    8,
    "Implicit: fractions of the online network per update. More is steadier and costs more (8 to 64).",
    { within: "count" },
  ),
  targetFractions: size(
    8,
    "Implicit: fractions of the target network per update. More is steadier and costs more (8 to 64).",
    { within: "count" },
  ),
  choiceFractions: size(
    32,
    "Implicit: fractions averaged to choose an action. More chooses with less noise (8 to 64).",
    { within: "count" },
  ),
  cosines: size(64, "Implicit: cosines in the embedding of a fraction (16 to 64).", {
    within: "count",
  }),
  loss: choice<Penalty>(
    "squared",
    ["squared", "huber"],
    "Loss of TD errors. Huber limits the gradient of large errors: steadier with outliers, but rare large rewards count less.",
  ),
};

/** The value form that the options describe. */
export function valueForm(o: ResolvedOptions<typeof distributionRows>, name: string): ValueForm {
  if (o.distribution === "quantile") return quantiles(o);
  if (o.distribution === "implicit")
    return implicitQuantiles({
      prediction: o.fractions,
      target: o.targetFractions,
      choice: o.choiceFractions,
    });
  if (o.distribution === "none") return expected(o.loss);
  if (!(o.high > o.low) || o.atoms < 2)
    fail(
      name,
      `${o.atoms} atoms from ${o.low} to ${o.high} do not make a distribution. Set low < high and atoms to 2 or more.`,
    );
  return categorical(o);
}
