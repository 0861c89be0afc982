import { choice, type Given, setting, size } from "@reins/core";
import * as rows from "../options.ts";

/** What all methods share that compare several plays of the same problem. Every choice is a part of its own. */
export const options = {
  learningRate: setting(3e-3, "Size of a step. Higher learns faster until it diverges (1e-6 to 1e-2).", {
    within: "nonnegative",
  }),
  clip: setting(
    0.2,
    "How far the policy may move in one batch. Higher moves further and less safely (0.1 to 0.3).",
    { per: "token", within: "nonnegative" },
  ),
  clipHigh: setting(
    0,
    "The same for actions that become likelier; 0: as clip. Higher lets rare ones grow (0.2 to 0.3).",
    { per: "token", within: "nonnegative" },
  ),
  klWeight: setting(
    0,
    "Penalty for moving away from the first weights. Higher stays nearer to them (0 to 0.1).",
    { per: "token", within: "nonnegative" },
  ),
  entropyWeight: setting(
    0,
    "Reward for staying random. Higher explores more and settles later (0 to 0.05).",
    { per: "token", within: "any" },
  ),
  bandWeight: setting(
    0,
    "Penalty for an entropy outside of a band. Higher keeps it from collapsing and from running away (0 to 0.1).",
    { per: "token", within: "nonnegative" },
  ),
  bandCentre: setting(
    1,
    "Middle of that band, in nats; average(of=policy/entropy, initial=1) follows what it was (0.1 to 2).",
    { per: "token", within: "nonnegative" },
  ),
  bandWidth: setting(0.2, "Share by which the band reaches beyond its middle (0.1 to 0.5).", {
    per: "token",
    within: "nonnegative",
  }),
  clipNorm: setting(0.5, "Longest gradient. Lower is steadier and slower (0.3 to 1).", {
    within: "positive",
  }),
  groups: size(4, "Problems in a batch. More makes gradients less noisy (1 to 1024).", { within: "count" }),
  plays: size(8, "Plays of each problem. More judges each play better (4 to 64).", { within: "count" }),
  epochs: size(4, "Passes over each batch. More learns more from it and moves further (1 to 10).", {
    within: "count",
  }),
  minibatches: size(1, "Parts of each pass. More gives more, noisier steps (1 to 16).", { within: "count" }),
  accumulate: rows.accumulate,
  baseline: choice<"mean" | "others" | "length" | "greedy" | "batch" | "none">(
    "mean",
    ["mean", "others", "length", "greedy", "batch", "none"],
    "What a play is compared with: its group, all of it but itself, its group by length, a play without chance, the batch, nothing.",
  ),
  scale: choice<"std" | "batch" | "none">(
    "std",
    ["std", "batch", "none"],
    "Whether advantages are divided by the group's deviation, by the batch's, or not.",
  ),
  credit: choice<"episode" | "turn">(
    "episode",
    ["episode", "turn"],
    "What is compared: whole plays, or each turn by what is earned from it on, with the same turn of the others.",
  ),
  turnDiscount: setting(
    1,
    "Discount for each turn, where turns are compared. Lower looks less far ahead (0.5 to 1).",
    { within: "share" },
  ),
  ratio: choice<"token" | "text">(
    "token",
    ["token", "text"],
    "Whether ratios are of steps or of whole texts.",
  ),
  hold: choice<"clip" | "dual" | "weight" | "geometric" | "none">(
    "clip",
    ["clip", "dual", "weight", "geometric", "none"],
    "How ratios are held: clipped, also from above for bad steps, as weights that keep every gradient, as a text's mean, not at all.",
  ),
  aggregation: choice<"token" | "text" | "sum" | "constant">(
    "token",
    ["token", "text", "sum", "constant"],
    "What a text counts: by its tokens, the same as others, the sum of its tokens, that over the longest length.",
  ),
  kl: choice<"k1" | "k2" | "k3">("k3", ["k1", "k2", "k3"], "How the divergence is estimated in the loss."),
  klPlace: choice<"loss" | "reward">("loss", ["loss", "reward"], "Where the divergence is paid for."),
  klEvery: size(
    10,
    "On language tasks, updates between measurements of the KL divergence from the first weights where the loss has no such term; 0: never, which saves a copy of the weights. More often costs more forward passes (5 to 100).",
    { within: "whole" },
  ),
  filter: choice<"none" | "flat" | "refill">(
    "none",
    ["none", "flat", "refill"],
    "Groups without differences: kept, left out, or replaced by playing on.",
  ),
  overlong: choice<"keep" | "drop">("keep", ["keep", "drop"], "What becomes of texts that hit their limit."),
  overlongMargin: size(0, "Steps before the limit that cost more and more; 0: none (a tenth of the limit).", {
    within: "whole",
  }),
  lengthWeight: setting(0, "What an answer of full length loses. Higher answers more shortly (0 to 0.5).", {
    per: "task",
    within: "nonnegative",
  }),
  lengthBy: choice<"all" | "solved" | "rate">(
    "all",
    ["all", "solved", "rate"],
    "Who pays for length: everyone, right answers, or by how often the problem is solved.",
  ),
  formWeight: setting(0, "Reward for the form that was asked for, right or wrong (0 to 0.2).", {
    per: "task",
    within: "nonnegative",
  }),
  replay: size(
    0,
    "Problems whose last success is kept and joins a group without any; 0: none (256 to 4096).",
    { within: "whole" },
  ),
  correction: setting(
    0,
    "Truncated importance sampling: most that a step weighs whose probability has changed since; 0: off (2 to 10).",
    { per: "token", within: "nonnegative" },
  ),
  teachers: size(0, "A teacher's answers that join each group (0 to 2).", { within: "whole" }),
  hint: setting(
    0,
    "Share of the right answer that is given away at the beginning; let it fall, as linear(0.5, 0) does (0 to 0.9).",
    { per: "task", within: "share" },
  ),
  curriculum: choice<"given" | "learnable">(
    "given",
    ["given", "learnable"],
    "Difficulty: the level given, or the levels at which there is most to learn.",
  ),
  allocation: choice<"even" | "uncertain">(
    "even",
    ["even", "uncertain"],
    "Plays of a problem: the same for all, or more where success is uncertain.",
  ),
  pool: size(0, "Different problems that training draws from; 0: endless.", { within: "whole" }),
  ...rows.actor,
};

/** The settings, alive. */
export type Settings = Given<typeof options>;
