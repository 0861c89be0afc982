import type { HubConfig } from "./hub-config.ts";

/** Fields that are floats. Other readers distinguish 30.0 from 30 and may reject the wrong form. */
const floats = new Set(
  `attention_dropout hidden_dropout resid_pdrop embd_pdrop attn_pdrop summary_first_dropout initializer_range rms_norm_eps
  layer_norm_epsilon rope_theta rope_local_base_freq partial_rotary_factor factor low_freq_factor high_freq_factor attention_factor
  beta_fast beta_slow mscale mscale_all_dim short_factor long_factor attn_logit_softcapping final_logit_softcapping
  temperature top_p typical_p repetition_penalty length_penalty`.split(/\s+/),
);

/** Prefix of a number that is written with a decimal point. */
const mark = "float:\u0001";

/** A configuration as JSON text. JavaScript has one number type, so fields that are floats elsewhere are marked. */
export function configText(config: HubConfig): string {
  const pointed = (x: unknown) => (Number.isInteger(x) && Math.abs(x as number) < 1e15 ? `${mark}${x}.0` : x);
  const text = JSON.stringify(
    config,
    (name, value) =>
      floats.has(name) ? (Array.isArray(value) ? value.map(pointed) : pointed(value)) : (value as unknown),
    2,
  );
  return text.replaceAll(
    new RegExp(`"${JSON.stringify(mark).slice(1, -1).replaceAll("\\", "\\\\")}(-?\\d+\\.0)"`, "g"),
    "$1",
  );
}
