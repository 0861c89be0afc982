import { ids } from "@reins/envs";
import { type Flags, text, whole } from "./flags.ts";
import { typedAlgorithm } from "./setup.ts";

/** Options of tasks in words, as they are typed. */
export const textFlags: Flags = {
  "env-level": whole("N", "difficulty, from 1 on (default 2)", 1),
  "env-folder": text(
    "PATH",
    "begin with the model of this Hugging Face folder, not with a tiny one from nothing",
  ),
  "env-lora": whole("N", "learn adapters of this rank on the folder's model; 0: all its weights (default 0)"),
  "env-chat": text("true|false", "put problems through the folder's chat template (default: if it has one)"),
  "env-warm-up": whole(
    "N",
    "answer tokens that are imitated before reinforcement begins (default 550000; with a folder 0)",
  ),
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
