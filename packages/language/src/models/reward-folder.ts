import { fail } from "@reins/core";
import { transpose } from "@reins/tensor";
import { existsSync, join, readFileSync } from "#node";
import { architectureOf } from "./families.ts";
import { readFolder, writeFolder } from "./folder.ts";
import type { HubConfig } from "./hub-config.ts";
import { tensorsOf } from "./layout.ts";
import { plainParams } from "./lora.ts";
import { configFromOptions } from "./own-config.ts";
import { type RewardModel, rewardModel } from "./reward-model.ts";
import { type SpecialTokens, tokenFields } from "./special-tokens.ts";

/** Label of a head of an ensemble in `config.json`, by which it differs from a class of a classifier. */
const headLabel = /^REWARD_\d+$/;

/**
 * Writes a folder that `AutoModelForSequenceClassification` can load, with a label for each head; adapters are merged.
 * Without a padding token, texts can be scored only one at a time there. Classifiers there have no bias: a loaded bias
 * is stored separately.
 */
export async function saveReward(
  folder: string,
  { base, params, heads, padding }: RewardModel,
  tokens?: SpecialTokens,
): Promise<void> {
  const own = { ...base, params: params.base };
  const config = own.config ?? configFromOptions(own.options);
  const [name] = (config.architectures ?? [architectureOf(config.model_type)]) as string[];
  const tensors = tensorsOf(plainParams(own), { ...own.options, tied: true }, own.config?.model_type);
  tensors.set("score.weight", transpose(params.head.weight));
  if (params.head.bias) tensors.set("score.bias", params.head.bias);
  const labels = Array.from({ length: heads }, (_, i) => (heads === 1 ? "LABEL_0" : `REWARD_${i}`));
  await writeFolder(
    folder,
    {
      ...config,
      ...(tokens ? tokenFields(tokens, config) : {}),
      // "Llama" of "LlamaForCausalLM", "GPT2" of "GPT2LMHeadModel".
      architectures: [`${name.replace(/(For|LMHead|Model).*$/, "")}ForSequenceClassification`],
      num_labels: heads,
      id2label: Object.fromEntries(labels.map((label, i) => [i, label])),
      label2id: Object.fromEntries(labels.map((label, i) => [label, i])),
      ...(padding === undefined ? {} : { pad_token_id: padding }),
    },
    tensors,
  );
}

/** Whether a folder has a reward model: a model for sequence classification. */
export function isRewardFolder(folder: string): boolean {
  const path = join(folder, "config.json");
  if (!existsSync(path)) return false;
  try {
    const { architectures } = JSON.parse(readFileSync(path, "utf8")) as HubConfig;
    return [architectures ?? []].flat().some((name) => /ForSequenceClassification$/.test(String(name)));
  } catch {
    return false;
  }
}

/** Loads a sequence classification folder with one label, or with a label for each head of an ensemble. */
export async function loadReward(folder: string): Promise<RewardModel> {
  const { model, tensors } = await readFolder(folder, ["score.weight", "score.bias"]);
  const score =
    tensors.get("score.weight") ??
    fail(
      folder,
      'tensor "score.weight" is missing, so this is not a reward model. Train one: reins train reward pairs.jsonl --model ./model --save-model ./reward-model.',
    );
  const { width } = model.options;
  const [heads] = score.shape;
  const { id2label = {}, pad_token_id: pad } = model.config ?? { model_type: "" };
  const labels = Object.values(id2label as object);
  const isEnsemble = labels.length === heads && labels.every((label) => headLabel.test(String(label)));
  if (score.shape.length !== 2 || score.shape[1] !== width || (heads > 1 && !isEnsemble))
    fail(
      folder,
      `score.weight has shape [${score.shape.join(", ")}]; one label needs [1, ${width}].${heads > 1 ? " A classifier is not a reward model." : ""}`,
    );
  for (const [name, t] of [
    ["score.weight", score] as const,
    ["score.bias", tensors.get("score.bias")] as const,
  ]) {
    const at = t?.data.findIndex((x) => !Number.isFinite(x)) ?? -1;
    if (at >= 0)
      fail(
        folder,
        `${name} has ${t?.data[at]} at index ${at}. Train the reward model again, or use another checkpoint.`,
      );
  }
  const bias = tensors.get("score.bias");
  return rewardModel(
    { ...model, folder },
    { weight: transpose(score), ...(bias ? { bias } : {}) },
    typeof pad === "number" ? pad : undefined,
  );
}
