import { type AlgorithmMaker, define, type Option } from "@reins/core";
import { options } from "./options.ts";
import { groupParts, startGroups } from "./start.ts";

type Table = typeof options;
type Changes = { readonly [K in keyof Table]?: Table[K] extends Option<infer V> ? V : never };

/** A published method as other defaults of the shared settings. */
function variant(name: string, summary: string, paper: string, changes: Changes): AlgorithmMaker<Table> {
  const changed = Object.entries(changes).map(([k, value]) => [
    k,
    { ...options[k as keyof Table], default: value },
  ]);
  return define({
    name,
    summary,
    paper,
    options: { ...options, ...Object.fromEntries(changed) } as Table,
    start: (o, context) => startGroups(groupParts(name, o, context), o.klWeight.setting !== 0, context),
  });
}

/** Dr. GRPO: neither the group's deviation nor a text's length changes what a step counts. */
export const drGrpo = variant(
  "dr-grpo",
  "GRPO without the biases of its normalisation: no deviation, a constant length.",
  "Understanding R1-Zero-Like Training: A Critical Perspective (Liu et al., 2025)",
  { scale: "none", aggregation: "constant" },
);

/** DAPO: a higher upper clip, groups that tell nothing are replaced, every token counts the same, and running into the limit costs. */
export const dapo = variant(
  "dapo",
  "GRPO with a higher upper clip, and groups without differences played anew.",
  "DAPO: An Open-Source LLM Reinforcement Learning System at Scale (Yu et al., 2025)",
  { clipHigh: 0.28, filter: "refill", aggregation: "token" },
);

/** GSPO: one ratio for a whole text. */
export const gspo = variant(
  "gspo",
  "GRPO with one ratio for a whole text: steadier where texts are long.",
  "Group Sequence Policy Optimization (Zheng et al., 2025)",
  { ratio: "text", clip: 3e-4, clipHigh: 4e-4, aggregation: "text" },
);

/** CISPO: ratios are held as weights, so that no token loses its gradient. */
export const cispo = variant(
  "cispo",
  "GRPO whose held ratios are weights: rare tokens keep their gradients.",
  "MiniMax-M1: Scaling Test-Time Compute Efficiently with Lightning Attention (MiniMax, 2025)",
  { hold: "weight", clip: 1, clipHigh: 0.28 },
);

/** RLOO: REINFORCE, each play compared with the mean of the others. */
export const rloo = variant(
  "rloo",
  "REINFORCE that compares each play with the mean of its group's others: unbiased.",
  "Back to Basics: Revisiting REINFORCE Style Optimization for Learning from Human Feedback in LLMs (Ahmadian et al., 2024)",
  { baseline: "others", scale: "none", hold: "none", epochs: 1, aggregation: "sum" },
);

/** REINFORCE++: no groups; advantages are brought to one scale over the batch. */
export const reinforcePlusPlus = variant(
  "reinforce++",
  "Clipped REINFORCE whose advantages are scaled over the whole batch: needs no groups.",
  "REINFORCE++: Stabilizing Critic-Free Policy Optimization with Global Advantage Normalization (Hu, 2025)",
  { baseline: "none", scale: "batch", plays: 1, groups: 32, klPlace: "reward" },
);

/** ReMax: REINFORCE, each play compared with the play without chance. */
export const remax = variant(
  "remax",
  "REINFORCE that compares each play with one without chance.",
  "ReMax: A Simple, Effective, and Efficient Reinforcement Learning Method for Aligning Large Language Models (Li et al., 2024)",
  { baseline: "greedy", scale: "none", hold: "none", epochs: 1, plays: 1, groups: 32 },
);
