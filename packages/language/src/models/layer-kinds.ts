import { fail } from "@reins/core";
import type { GptOptions } from "@reins/nn";
import type { ModelFamily } from "./families.ts";
import type { HubConfig } from "./hub-config.ts";
import type { Rotations } from "./rotations.ts";

/** Maximum number of layers; a configuration with more is taken for damaged. */
const most = 10_000;

type Layer = NonNullable<GptOptions["perLayer"]>[number];

/** Attention window and rotary embeddings of each layer; a single entry where all layers are alike. */
export function layersOf(
  config: HubConfig,
  family: ModelFamily,
  rotations: Rotations,
  source: string,
): Pick<GptOptions, "perLayer" | "rotary" | "window"> {
  const [layers, context] = [Number(config.num_hidden_layers), Number(config.max_position_embeddings)];
  const listed = listOf(config, "layer_types", layers, source);
  const odd = listed?.find((kind) => kind !== "full_attention" && kind !== "sliding_attention");
  if (odd !== undefined)
    fail(
      source,
      `layer_types has ${JSON.stringify(odd)}; only "full_attention" and "sliding_attention" are supported.`,
    );
  listOf(config, "no_rope_layers", layers, source);
  const { slides, turns, window: usual } = family;
  const window = config.sliding_window === undefined ? usual : config.sliding_window;
  if (window !== undefined && window !== null && !(Number.isInteger(window) && Number(window) >= 1))
    fail(source, `sliding_window is ${JSON.stringify(window)}; it must be a positive integer.`);
  const layerAt = (i: number): Layer => {
    const slid = listed
      ? listed[i] === "sliding_attention"
      : typeof window === "number" && (slides?.(i, config) ?? true);
    if (slid && typeof window !== "number")
      fail(source, `layer_types gives layer ${i} a sliding window, but sliding_window is not a number.`);
    const rotary = slid ? (rotations.sliding ?? rotations.full) : rotations.full;
    return {
      rotary: (turns?.(i, config) ?? true) ? rotary : false,
      // A window as wide as the context has no effect.
      ...(slid && Number(window) < context ? { window: Number(window) } : {}),
    };
  };
  const first = layerAt(0);
  if (!listed && !slides && !turns) return first;
  if (layers > most) fail(source, `num_hidden_layers is ${layers}; the maximum is ${most}.`);
  const each = Array.from({ length: layers }, (_, i) => layerAt(i));
  return each.every((layer) => layer.rotary === first.rotary && layer.window === first.window)
    ? first
    : { rotary: rotations.full, perLayer: each };
}

/** A per-layer array of a configuration, where it has one. */
function listOf(
  config: HubConfig,
  field: string,
  layers: number,
  source: string,
): readonly unknown[] | undefined {
  const list = config[field];
  if (list === undefined || list === null) return undefined;
  return Array.isArray(list) && list.length === layers
    ? list
    : fail(source, `${field} must be an array with one entry for each of the ${layers} layers.`);
}
