import { random, reshape, type Tensor, type Tree } from "@reins/tensor";
import type { Layer, Recurrent } from "../layer.ts";
import { gru } from "../layers/gru.ts";
import { lstm } from "../layers/lstm.ts";
import { stacked } from "../layers/recurrent.ts";

export type RecurrentEncoderParams = { encoder?: Tree; memory: Tree[] };

export interface RecurrentEncoderOptions {
  /** Features of the observation, or of the encoder's result. */
  inputs: number;
  /** Length of the state and of the result; more remember more (64 to 512). */
  units: number;
  /** "gru" (default) or "lstm". */
  kind?: "gru" | "lstm";
  /** Recurrent layers on top of each other; default 1. */
  layers?: number;
  /** What each observation goes through first, `mlp` or `impalaCnn` for instance; its result has `inputs` features. */
  encoder?: Layer;
}

/** A GRU or LSTM over encoded observations: `sequence` takes [time, batch, …observation]. */
export function recurrentEncoder({ inputs, units, kind = "gru", layers = 1, encoder }: RecurrentEncoderOptions): Recurrent<RecurrentEncoderParams, Tree[]> {
  const make = kind === "gru" ? gru : lstm;
  const memory = stacked(Array.from({ length: layers }, (_, i) => make({ inputs: i ? units : inputs, units }) as Recurrent));
  const encode = (params: RecurrentEncoderParams, x: Tensor) => (encoder ? encoder.apply(params.encoder, x) : x);
  return {
    init(key) {
      const [k1, k2] = random.splitKey(key);
      return encoder ? { encoder: encoder.init(k1), memory: memory.init(k2) } : { memory: memory.init(k2) };
    },
    start: memory.start,
    step: (params, x, state, reset) => memory.step(params.memory, encode(params, x), state, reset),
    sequence(params, xs, state, resets) {
      const [time, batch, ...rest] = xs.shape;
      // Encoders see one batch axis.
      const encoded = encoder ? reshape(encode(params, reshape(xs, [time * batch, ...rest])), [time, batch, inputs]) : xs;
      return memory.sequence(params.memory, encoded, state, resets);
    },
  };
}
