import { fail } from "@reins/core";
import { type GptParams, init } from "@reins/nn";
import { add, gather, matmul, reshape, sub, type Tensor, transpose, zeros } from "@reins/tensor";
import { join } from "#node";
import { architectureOf } from "./families.ts";
import { readFolder, writeFolder } from "./folder.ts";
import type { LanguageModel } from "./language-model.ts";
import { tensorsOf } from "./layout.ts";
import { plainParams } from "./lora.ts";
import { configFromOptions } from "./own-config.ts";

/** A decoder's parameters (or its adapters), and the head: weight [width, 1] and bias [1]. */
export type RewardParams = { base: GptParams; head: { weight: Tensor; bias: Tensor } };

/** A reward model: a decoder that scores texts. */
export interface RewardModel {
  /** The decoder. */
  readonly base: LanguageModel;
  readonly params: RewardParams;
  /**
   * One score per row of `tokens` (i32 [batch, time]): the head at the row's last token. `lengths` (i32 [batch]) give
   * its position.
   */
  score(params: RewardParams, tokens: Tensor, lengths: Tensor): Tensor;
}

/** A reward model with a new head on a decoder, to be trained on preferences (Stiennon et al., 2020). */
export function rewardHead(base: LanguageModel, key: Tensor): RewardModel {
  const { width } = base.options;
  const weight = init.normal(1 / Math.sqrt(width + 1))(key, [width, 1]);
  return scoring(base, { weight, bias: zeros([1]) });
}

function scoring(base: LanguageModel, head: RewardParams["head"]): RewardModel {
  return {
    base,
    params: { base: base.params, head },
    score(params, tokens, lengths) {
      const [rows] = tokens.shape;
      const hidden = base.model.hidden(params.base, tokens);
      const last = gather(hidden, reshape(sub(lengths, 1), [rows, 1, 1]), 1);
      return add(reshape(matmul(last, params.head.weight), [rows]), params.head.bias);
    },
  };
}

/**
 * Writes a folder that `AutoModelForSequenceClassification` can load; adapters are merged. Heads have no bias there,
 * so scores are lower by the bias, which is stored separately. `padding` is the padding token; without it, texts can
 * be scored only one at a time there.
 */
export async function saveReward(
  folder: string,
  { base, params }: RewardModel,
  { padding }: { padding?: number } = {},
): Promise<void> {
  const own = { ...base, params: params.base };
  const config = own.config ?? configFromOptions(own.options);
  const [name] = (config.architectures ?? [architectureOf(config.model_type)]) as string[];
  const tensors = tensorsOf(plainParams(own), { ...own.options, tied: true }, own.config?.model_type);
  tensors.set("score.weight", transpose(params.head.weight));
  tensors.set("score.bias", params.head.bias);
  await writeFolder(
    folder,
    {
      ...config,
      // "Llama" of "LlamaForCausalLM", "GPT2" of "GPT2LMHeadModel".
      architectures: [`${name.replace(/(For|LMHead|Model).*$/, "")}ForSequenceClassification`],
      num_labels: 1,
      id2label: { 0: "LABEL_0" },
      label2id: { LABEL_0: 0 },
      ...(padding === undefined ? {} : { pad_token_id: padding }),
    },
    tensors,
  );
}

/** Loads a sequence classification folder with one label. */
export async function loadReward(folder: string): Promise<RewardModel> {
  const { model, tensors } = await readFolder(folder, ["score.weight", "score.bias"]);
  const file = join(folder, "model.safetensors");
  const score =
    tensors.get("score.weight") ??
    fail(file, 'tensor "score.weight" is missing. Check that this is a sequence classification model.');
  const { width } = model.options;
  if (score.shape.join() !== `1,${width}`)
    fail(file, `score.weight has shape [${score.shape.join(", ")}]; one label needs [1, ${width}].`);
  return scoring(model, { weight: transpose(score), bias: tensors.get("score.bias") ?? zeros([1]) });
}
