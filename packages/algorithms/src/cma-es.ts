import { define, size } from "@reins/core";
import { covarianceAdaptation } from "./search/covariance-adaptation.ts";
import { comparable, searching } from "./search/options.ts";
import { population } from "./search/population.ts";

const options = {
  sigma: size(
    0.5,
    "Initial standard deviation of each weight; it adapts from there. Higher searches further away (0.1 to 2).",
    { within: "positive" },
  ),
  full: size(
    150,
    "Maximum number of weights for a full covariance matrix; beyond it, only variances are learned. More costs cubically (50 to 500).",
    { within: "whole" },
  ),
  ...searching({ population: 24, hidden: [], normalise: false }),
};

/** Covariance matrix adaptation evolution strategy (Hansen and Ostermeier, 2001), as in Hansen's tutorial. */
export const cmaEs = define({
  name: "cma-es",
  summary:
    "Learns the covariance of weights while it searches: few members and generations, for policies with few weights.",
  paper: "The CMA Evolution Strategy: A Tutorial (Hansen, 2016)",
  options,
  requires: comparable(),
  start: (o, context, name) =>
    population({ ...o, name, strategy: (start, random) => covarianceAdaptation(start, o, random) }, context),
});
