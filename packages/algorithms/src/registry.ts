import type { AlgorithmMaker, OptionTable } from "@reins/core";
import { a2c } from "./a2c.ts";
import { adaptiveDqn, adaptivePpo, penaltyPpo } from "./adaptive.ts";
import { cispo } from "./cispo.ts";
import { dapo } from "./dapo.ts";
import { dqn } from "./dqn.ts";
import { drGrpo } from "./dr-grpo.ts";
import { epsilonGreedy } from "./epsilon-greedy.ts";
import { gradientBandit } from "./gradient-bandit.ts";
import { grpo } from "./grpo.ts";
import { gspo } from "./gspo.ts";
import { linucb } from "./linucb.ts";
import { ppo } from "./ppo.ts";
import { rainbow } from "./rainbow.ts";
import { reinforce } from "./reinforce.ts";
import { reinforcePlusPlus } from "./reinforce-plus-plus.ts";
import { rejection } from "./rejection.ts";
import { remax } from "./remax.ts";
import { rloo } from "./rloo.ts";
import { sac } from "./sac.ts";
import { sft } from "./sft.ts";
import { tabularQ } from "./tabular-q.ts";
import { td3 } from "./td3.ts";
import { thompson } from "./thompson.ts";
import { ucb } from "./ucb.ts";
import { planner } from "./value-iteration.ts";

/** Every algorithm by name. */
export const algorithms: { readonly [name: string]: AlgorithmMaker<OptionTable> } = Object.fromEntries(
  [
    ppo,
    adaptivePpo,
    penaltyPpo,
    a2c,
    grpo,
    drGrpo,
    dapo,
    gspo,
    cispo,
    rloo,
    reinforcePlusPlus,
    remax,
    reinforce,
    sft,
    rejection,
    dqn,
    adaptiveDqn,
    rainbow,
    sac,
    td3,
    tabularQ,
    planner,
    ucb,
    thompson,
    epsilonGreedy,
    gradientBandit,
    linucb,
  ].map((maker) => [maker.definition.name, maker]),
);

/** Names of the algorithms that learn from steps, or from whole episodes of a stage, such as answers in words. */
export const learners = (from: "steps" | "episodes"): string[] =>
  Object.values(algorithms)
    .map(({ definition }) => definition)
    .filter(({ learnsFrom = "steps" }) => learnsFrom === from || learnsFrom === "both")
    .map(({ name }) => name);
