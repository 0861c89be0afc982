import { random, reshape, type Tensor, type Tree } from "@reins/tensor";
import type { Layer, Recurrent } from "../layer.ts";
import { type FfmParams, type FfmState, ffm } from "../layers/ffm.ts";
import { type GruParams, gru } from "../layers/gru.ts";
import { type LstmParams, type LstmState, lstm } from "../layers/lstm.ts";
import { type MinGruParams, minGru } from "../layers/min-gru.ts";
import { stackRecurrent } from "../layers/recurrent.ts";

type MemoryParams = GruParams | LstmParams | MinGruParams | FfmParams;
type MemoryState = Tensor | LstmState | FfmState;

/** `encoder` if there is one; an entry of `memory` for each recurrent layer. */
export type RecurrentEncoderParams<E extends Tree> = { encoder?: E; memory: MemoryParams[] };

/** Settings of {@link recurrentEncoder}. */
export interface RecurrentEncoderOptions<E extends Tree> {
  /** Features of the observation, or of the encoder's result. */
  inputs: number;
  /** Length of the state and of the result. More remember more (64 to 512). */
  units: number;
  /** "gru" (default), "lstm", "mingru" (cheapest over time) or "ffm" (decaying traces). */
  kind?: "gru" | "lstm" | "mingru" | "ffm";
  /** Number of stacked recurrent layers (default 1). */
  layers?: number;
  /** Encoder of each observation, such as `mlp` or `impalaCnn`; its result has `inputs` features. */
  encoder?: Layer<E>;
}

/** A GRU, LSTM, minimal GRU or fast and forgetful memory over encoded observations: `sequence` takes [time, batch, …observation]. */
export function recurrentEncoder<E extends Tree = undefined>(
  options: RecurrentEncoderOptions<E>,
): Recurrent<RecurrentEncoderParams<E>, MemoryState[]> {
  const { inputs, units, kind = "gru", layers = 1, encoder } = options;
  const make = { gru, lstm, mingru: minGru, ffm }[kind] as (o: {
    inputs: number;
    units: number;
  }) => Recurrent<MemoryParams, MemoryState>;
  const memory = stackRecurrent(
    Array.from({ length: layers }, (_, i) => make({ inputs: i ? units : inputs, units })),
  );
  const encode = (params: RecurrentEncoderParams<E>, x: Tensor) =>
    encoder ? encoder.apply(params.encoder!, x) : x;
  return {
    init(key) {
      const [k1, k2] = random.splitKey(key);
      return encoder ? { encoder: encoder.init(k1), memory: memory.init(k2) } : { memory: memory.init(k2) };
    },
    start: memory.start,
    step: (params, x, state, reset) => memory.step(params.memory, encode(params, x), state, reset),
    sequence(params, xs, state, resets) {
      const [time, batch, ...rest] = xs.shape;
      // Encoders expect one batch axis.
      const encoded = encoder
        ? reshape(encode(params, reshape(xs, [time * batch, ...rest])), [time, batch, inputs])
        : xs;
      return memory.sequence(params.memory, encoded, state, resets);
    },
  };
}
