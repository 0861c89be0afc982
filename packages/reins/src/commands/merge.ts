import { readArguments } from "../cli/arguments.ts";
import type { Command } from "../cli/command.ts";
import { number, text, whole, words } from "../cli/flags.ts";
import { readNumber } from "../cli/numbers.ts";
import { usageError } from "../cli/usage.ts";
import { notInstalled } from "../places/optional.ts";
import { print } from "../terminal/io.ts";

const flags = {
  out: text("FOLDER", "the new folder"),
  method: text("NAME", "linear (default), slerp, task-arithmetic, ties, dare or dare-ties"),
  base: text("FOLDER", "the model before training, for adapters and for all methods but linear and slerp"),
  weights: words("W,W,…", "a weight for each model (default 1); linear and slerp divide them by their sum"),
  density: number(
    "X",
    "share of each difference that ties and dare keep: less interferes less and loses more (default 0.2)",
  ),
  seed: whole("N", "which elements dare keeps (default 0)"),
};

/** `reins merge` */
export const command: Command = {
  usage: "merge <folder …> --out FOLDER [flags]",
  about: `Merges language models of one architecture, or PEFT adapters with their base model, into a new Hugging Face folder, without training. linear averages weights; slerp moves along the arc between two models; task-arithmetic adds the differences from the base model; ties keeps the largest elements of each difference, and of these the ones with the sign of the majority; dare keeps random elements. Tokenizer and configuration are those of the base model, or of the first.`,
  groups: () => ({ Flags: flags }),
  examples: [
    ["reins merge ./adapters --base ./model --out ./merged", "adapters into their model"],
    ["reins merge ./a ./b --out ./mean", "the mean of two models"],
    ["reins merge ./code ./maths --base ./base --method ties --density 0.3 --out ./both", "two specialists"],
    [
      "reins merge ./sft ./grpo --method slerp --weights 0.3,0.7 --out ./between",
      "70% of the way to the second",
    ],
  ],
  async run(args, io) {
    const { words: models, flags: given } = readArguments(args, flags, { command: "merge" });
    const { out, method, base, weights, density, seed } = given;
    if (models.length === 0) usageError("missing folders. Example: reins merge ./a ./b --out ./merged.");
    if (out === undefined) return usageError("--out is required: the folder of the new model.");
    const { mergeMethods, mergeModels } = await import("@reins/language").catch(
      notInstalled("@reins/language", models[0]),
    );
    const known = mergeMethods.find((m) => m === (method ?? "linear"));
    if (!known) return usageError(`unknown method ${method}. Use one of ${mergeMethods.join(", ")}.`);
    if (!base && known !== "linear" && known !== "slerp")
      usageError(`${known} adds differences from a base model. Pass --base, the model before training.`);
    await mergeModels({
      models,
      out,
      method: known,
      ...(base === undefined ? {} : { base }),
      ...(weights ? { weights: weights.map((w) => readNumber(w, "--weights")) } : {}),
      ...(density === undefined ? {} : { density }),
      ...(seed === undefined ? {} : { seed }),
      onTensor: (done, of) => {
        if (io.err.isTTY) io.err.write(`\r${done} of ${of} tensors`);
      },
    });
    if (io.err.isTTY) io.err.write("\r\x1b[K");
    const [only] = models;
    const merged = base === undefined ? only : `${only} merged into ${base}`;
    print(io.out, `${out}   ${models.length === 1 ? merged : `${models.length} models merged by ${known}`}`);
    return 0;
  },
};
