import { ids } from "@reins/envs";
import { type Flags, number, text, whole } from "./flags.ts";
import { typedAlgorithm } from "./typed-algorithm.ts";

/** Options of tasks in words, as they are typed. */
export const textFlags: Flags = {
  "env-level": whole("N", "difficulty, from 1 on (default 2)", 1),
  "env-folder": text(
    "PATH",
    "begin with the model of this Hugging Face folder, not with a tiny one from nothing",
  ),
  "env-lora": whole("N", "learn adapters of this rank on the folder's model; 0: all its weights (default 0)"),
  "env-lora-alpha": number("N", "adapters count this divided by their rank (default twice the rank)"),
  "env-lora-targets": text(
    "A,B,…",
    "modules with adapters, by PEFT's names: q_proj,v_proj (default all-linear)",
  ),
  "env-adapters": text("PATH", "begin with the PEFT adapters of this folder"),
  "env-system": text("TEXT", "what the system says before each conversation"),
  "env-temperature": number("N", "how answers are drawn: lower is nearer to the likeliest (default 1)"),
  "env-top-p": number("N", "draw from the likeliest tokens that make up this share (default all)"),
  "env-top-k": whole("N", "draw from so many of the likeliest tokens (default all)", 1),
  "env-max-tokens": whole("N", "most tokens of an answer", 1),
  "env-stop": text("TEXT", 'a text that ends an answer, or several: ["a", "b"]'),
  "env-epochs": number("N", "times that a dataset is gone through, after which training ends"),
  "env-test": number("N", "share of a dataset to measure by, where its lines do not say (default 0.1)"),
  "env-chat": text("true|false", "put problems through the folder's chat template (default: if it has one)"),
  "env-warm-up": whole(
    "N",
    "answer tokens that are imitated before reinforcement begins (default 550000; with a folder 0)",
  ),
  "env-warm-up-rate": number(
    "N",
    "learning rate of that imitation (default 0.003; with a folder 0.00001, of adapters 0.0002)",
  ),
  "env-warm-up-batch": whole(
    "N",
    "examples that it learns from at a time (default 256; with a folder 16): fewer take more steps",
    1,
  ),
  "env-player": text("NAME", "whose turns are imitated in conversations (default expert)"),
  "env-fork-turn": whole("N", "conversations are forked after so many turns …", 1),
  "env-fork-into": whole("N", "… into so many that are compared with each other", 1),
  "env-layers": whole("N", "blocks of a model from nothing (default 2)", 1),
  "env-width": whole("N", "its width (default 64)", 1),
  "env-heads": whole("N", "its heads of attention (default 4)", 1),
  "env-rows": whole("N", "texts that are written at the same time (default 512; with a folder 64)", 1),
};

/** The options of tasks in words, where what was typed may be about them. */
export function textGroup(args: readonly string[], taken: Flags): { readonly [heading: string]: Flags } {
  const definition = typedAlgorithm(args, taken)?.definition;
  const name = definition?.name;
  const words = args.filter((a) => !a.startsWith("-") && a !== name);
  const elsewhere = words.some((w) => ids().includes(w));
  // A method with a way of its own for whole episodes is mostly used elsewhere.
  const mostly =
    definition?.learnsFrom !== undefined && definition.learnsFrom !== "steps" && !definition.episodes;
  return mostly && !elsewhere ? { "Options of tasks in words": textFlags } : {};
}
