import { fail } from "@reins/core";
import type { HubConfig } from "./hub-config.ts";

/** Fields that do not affect what a model computes: names, training, generation, other runtimes. */
const harmless = words(`
  architectures auto_map dtype torch_dtype transformers_version transformers.js_config use_cache initializer_range
  bos_token_id eos_token_id pad_token_id sep_token_id decoder_start_token_id forced_bos_token_id forced_eos_token_id
  attention_dropout hidden_dropout resid_pdrop embd_pdrop attn_pdrop classifier_dropout summary_type summary_use_proj summary_activation
  summary_proj_to_labels summary_first_dropout reorder_and_upcast_attn pretraining_tp gradient_checkpointing
  id2label label2id num_labels problem_type finetuning_task task_specific_params return_dict output_attentions
  output_hidden_states chunk_size_feed_forward tokenizer_class torchscript use_bfloat16 name_or_path
  max_length min_length max_new_tokens do_sample early_stopping num_beams num_beam_groups diversity_penalty temperature top_k top_p
  typical_p repetition_penalty length_penalty no_repeat_ngram_size encoder_no_repeat_ngram_size bad_words_ids
  num_return_sequences output_scores return_dict_in_generate remove_invalid_values exponential_decay_length_penalty
  suppress_tokens begin_suppress_tokens prefix pruned_heads is_decoder unsloth_version unsloth_fixed
  is_llama_config max_sequence_length model_max_length cache_implementation attn_implementation tf_legacy_loss
`);

/** Fields that change the computation, with the values at which they do not. Any other value is rejected. */
const neutral: { readonly [field: string]: readonly unknown[] } = {
  is_encoder_decoder: [false],
  add_cross_attention: [false],
  tie_encoder_decoder: [false],
  scale_attn_weights: [true],
  scale_attn_by_inverse_layer_idx: [false],
  cross_attention_hidden_size: [],
};

/**
 * Rejects configurations with a field that may change the computation and is not read here. Fields that are null or
 * false, or begin with an underscore, are ignored.
 */
export function refuseUnknown(config: HubConfig, read: readonly string[], source: string): void {
  const known = new Set([...harmless, ...read, "model_type", "is_causal"]);
  for (const [field, value] of Object.entries(config)) {
    if (value === null || value === undefined || field.startsWith("_")) continue;
    const values = Object.hasOwn(neutral, field) ? neutral[field] : undefined;
    if (values ? values.includes(value) : known.has(field) || value === false) continue;
    fail(
      source,
      values?.length
        ? `${field} is ${JSON.stringify(value)}; only ${values.join(" or ")} is supported.`
        : `unknown field ${field} (${JSON.stringify(value)?.slice(0, 60)}) for models of type ${config.model_type}. It may change what the model computes. Remove it if it does not.`,
    );
  }
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
