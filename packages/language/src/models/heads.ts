import { fail } from "@reins/core";
import { type GptParams, init } from "@reins/nn";
import { add, gather, matmul, reshape, sub, type Tensor, transpose, zeros } from "@reins/tensor";
import { join } from "#node";
import { architectureOf } from "./families.ts";
import { readFolder, writeFolder } from "./folder.ts";
import type { LanguageModel } from "./language-model.ts";
import { tensorsOf } from "./layout.ts";
import { plainParams } from "./lora.ts";
import { configOf } from "./own-config.ts";

/** A decoder's parameters (adapters alone, where it has some), and the head: weight [width, 1] and bias [1]. */
export type RewardParams = { base: GptParams; head: { weight: Tensor; bias: Tensor } };

/** A decoder that gives a text one number. */
export interface RewardModel {
  /** What reads the texts. */
  readonly base: LanguageModel;
  readonly params: RewardParams;
  /** A number for each row of `tokens` (i32 [batch, time]): what the head makes of its last token. `lengths` (i32 [batch]) say where that is. */
  score(params: RewardParams, tokens: Tensor, lengths: Tensor): Tensor;
}

/** A model with a new head that scores texts: judges answers once it has learned from preferences (Stiennon et al., 2020). */
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
 * Writes a folder that `AutoModelForSequenceClassification` reads; adapters are folded in. Its heads have no bias: there scores are
 * lower by ours, which is kept beside. `padding` is the token that fills up rows there; without it, it takes one text at a time.
 */
export async function saveReward(
  folder: string,
  { base, params }: RewardModel,
  { padding }: { padding?: number } = {},
): Promise<void> {
  const own = { ...base, params: params.base };
  const config = own.config ?? configOf(own.options);
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

/** Loads such a folder, with one label. */
export async function loadReward(folder: string): Promise<RewardModel> {
  const { model, tensors } = await readFolder(folder, ["score.weight", "score.bias"]);
  const file = join(folder, "model.safetensors");
  const score =
    tensors.get("score.weight") ??
    fail(file, 'it has no tensor "score.weight". Is it a model for sequence classification?');
  const { width } = model.options;
  if (score.shape.join() !== `1,${width}`)
    fail(file, `score.weight has shape [${score.shape.join(", ")}]; one label needs [1, ${width}].`);
  return scoring(model, { weight: transpose(score), bias: tensors.get("score.bias") ?? zeros([1]) });
}
