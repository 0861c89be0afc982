import { ids } from "@reins/envs";
import { type Flags, number, text, whole } from "./flags.ts";
import { typedAlgorithm } from "./typed-algorithm.ts";

/** Options of language tasks, as flags. */
export const textFlags: Flags = {
  "env-level": whole("N", "difficulty level, at least 1 (default 2; 1 if there is only one)", 1),
  "env-folder": text(
    "PATH",
    "start from the model in this Hugging Face folder instead of a tiny model with random weights; short: --model",
  ),
  "env-lora": whole(
    "N",
    "train LoRA adapters of this rank on the folder's model; 0: all weights (default 0); short: --lora",
  ),
  "env-lora-alpha": number("N", "LoRA alpha: adapters are scaled by alpha / rank (default twice the rank)"),
  "env-lora-dropout": number("N", "dropout of the inputs of new adapters in training (default 0)"),
  "env-lora-targets": text(
    "A,B,…",
    "modules with adapters, by PEFT's names: q_proj,v_proj (default all-linear)",
  ),
  "env-adapters": text("PATH", "start from the PEFT adapters in this folder"),
  "env-teacher": text("PATH", "distillation: the teacher's Hugging Face folder; short: --teacher"),
  "env-system": text("TEXT", "system prompt of every conversation"),
  "env-temperature": number("N", "sampling temperature: lower is closer to greedy (default 1)"),
  "env-top-p": number(
    "N",
    "top-p sampling: keep the most likely tokens with this total probability (default 1)",
  ),
  "env-top-k": whole("N", "top-k sampling: keep this number of the most likely tokens (default all)", 1),
  "env-max-tokens": whole("N", "maximum tokens of a completion", 1),
  "env-stop": text("TEXT", 'stop string of completions, or several: ["a", "b"]'),
  "env-epochs": number("N", "epochs over a dataset, after which training ends"),
  "env-test": number("N", "held-out share of a dataset whose lines have no split (default 0.1)"),
  "env-truncation": text(
    "RULE",
    "what happens to examples of a file that are longer than the model's context: end (default) cuts off their end, start their beginning, drop leaves them out",
  ),
  "env-mix": text(
    "FILES",
    "further files of examples with their weights, relative to 1 for the first: b.jsonl:0.5,c.jsonl:2",
  ),
  "env-ensemble": whole(
    "N",
    "heads of a reward model on one body, whose disagreement measures its uncertainty (default 1)",
    1,
  ),
  "env-chat": text("true|false", "apply the folder's chat template to prompts (default: if it has one)"),
  "env-supervised-tokens": whole(
    "N",
    "length of the supervised phase (SFT before reinforcement learning) in completion tokens (default 550000; with a folder 0)",
  ),
  "env-supervised-rate": number(
    "N",
    "learning rate of the supervised phase (default 3e-3; with a folder 1e-5, with adapters 2e-4)",
  ),
  "env-supervised-batch": whole("N", "batch size of the supervised phase (default 256; with a folder 16)", 1),
  "env-player": text("NAME", "scripted player whose turns are imitated in conversations (default expert)"),
  "env-fork-turn": whole("N", "conversations: turns before a fork, with --env-fork-into", 1),
  "env-fork-into": whole(
    "N",
    "conversations: continuations of a fork, which are compared with each other",
    1,
  ),
  "env-layers": whole("N", "transformer blocks of a new model (default 2)", 1),
  "env-width": whole("N", "width of a new model (default 64)", 1),
  "env-heads": whole("N", "attention heads of a new model (default 4)", 1),
  "env-rows": whole("N", "completions that are generated in parallel (default 512; with a folder 64)", 1),
};

/** The options of language tasks, if the command may be about one. */
export function textGroup(args: readonly string[], taken: Flags): { readonly [heading: string]: Flags } {
  const definition = typedAlgorithm(args, taken)?.definition;
  const name = definition?.name;
  const rest = args.filter((a) => !a.startsWith("-") && a !== name);
  const isEnv = rest.some((w) => ids().includes(w));
  // Methods with their own episode objective are mostly used on other environments.
  const isLanguage =
    definition?.learnsFrom !== undefined && definition.learnsFrom !== "steps" && !definition.episodes;
  return isLanguage && !isEnv ? { "Options of language tasks": textFlags } : {};
}
