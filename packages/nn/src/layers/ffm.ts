import {
  abs,
  add,
  concat,
  cos,
  exp,
  expandDims,
  layerNorm,
  mul,
  neg,
  ones,
  random,
  real,
  reshape,
  sigmoid,
  sin,
  split,
  sub,
  type Tensor,
  tensor,
  zeros,
} from "@reins/tensor";
import type { Recurrent } from "../layer.ts";
import type { RecurrentOptions } from "./gru.ts";
import { type LinearParams, linear } from "./linear.ts";
import { type RecurrentCell, recurrent } from "./recurrent.ts";

/** `input` computes the written value, its gate, the output gate and the skip connection; `decay` and `pulse` are the decay rates and frequencies of the traces. */
export type FfmParams = { input: LinearParams; decay: Tensor; pulse: Tensor; mix: LinearParams };
/** Decaying, oscillating traces as complex numbers: each is [batch, traces, periods]. */
export type FfmState = { re: Tensor; im: Tensor };

/** Settings of {@link ffm}. */
export interface FfmOptions extends Omit<RecurrentOptions, "weightInit"> {
  /** Number of traces, each with its own decay rate (8 to 128; default `units`). */
  traces?: number;
  /** Frequencies of each trace, which encode how long ago something was written (1 to 16; default 4). */
  periods?: number;
  /** Steps after which 1% of the slowest trace, and of its slowest period, remains at the start of training (16 to 1024; default 1024, as in the paper). */
  span?: number;
}

/** One step of a fast and forgetful memory, in parts. The state only decays and oscillates, at rates that do not depend on the input. */
export function ffmCell(options: FfmOptions): RecurrentCell<FfmParams, FfmState> {
  const { inputs, units, traces = units, periods = 4, span = 1024 } = options;
  const input = linear({ inputs, outputs: 2 * traces + 2 * units });
  const mix = linear({ inputs: 2 * traces * periods, outputs: units });
  // As in the authors' code: decay rates are spaced evenly from e to one that leaves 1% after `span` steps, periods evenly from 1 to `span`.
  const [fastest, slowest] = [Math.E, real.log(100) / span];
  const evenly = (from: number, to: number, count: number) =>
    Array.from({ length: count }, (_, i) => from + ((to - from) * i) / Math.max(1, count - 1));
  const empty = (batch: number) => zeros([batch, traces, periods]);
  return {
    init(key) {
      const [a, b] = random.splitKey(key);
      return {
        input: input.init(a),
        decay: tensor(evenly(fastest, slowest, traces)),
        pulse: tensor(evenly(1, span, periods).map((steps) => (2 * Math.PI) / steps)),
        mix: mix.init(b),
      };
    },
    start: (batch) => ({ re: empty(batch), im: empty(batch) }),
    project(params, x) {
      const [write, gate, open, past] = split(
        input.apply(params.input, x),
        [traces, traces, units, units],
        -1,
      );
      return concat([mul(write, sigmoid(gate)), sigmoid(open), past], -1);
    },
    advance(params, projected, { re, im }) {
      const [written, open, past] = split(projected, [traces, units, units], -1);
      const kept = reshape(exp(neg(abs(params.decay))), [traces, 1]);
      const [c, s] = [mul(kept, cos(params.pulse)), mul(kept, sin(params.pulse))];
      const next = {
        re: add(sub(mul(re, c), mul(im, s)), expandDims(written, -1)),
        im: add(mul(re, s), mul(im, c)),
      };
      const all = reshape(concat([next.re, next.im], 1), [re.shape[0], 2 * traces * periods]);
      const read = layerNorm(mix.apply(params.mix, all), ones([units]), zeros([units]));
      return { output: add(past, mul(open, sub(read, past))), state: next };
    },
  };
}

/**
 * Fast and forgetful memory (Morad et al., "Reinforcement Learning with Fast and Forgetful Memory", 2023): inputs are written to traces
 * that decay and oscillate, each at its own rates, which are learned but constant over time. It has no forget gate.
 */
export function ffm(options: FfmOptions): Recurrent<FfmParams, FfmState> {
  return recurrent(ffmCell(options));
}
