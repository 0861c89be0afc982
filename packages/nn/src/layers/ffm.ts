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
import { type Cell, recurrent } from "./recurrent.ts";

/** `input` makes what is written, its gate, the gate of the output and what goes past the memory; `decay` and `pulse` are the rates of traces and of their turning. */
export type FfmParams = { input: LinearParams; decay: Tensor; pulse: Tensor; mix: LinearParams };
/** Traces that fade and turn, as complex numbers: each is [batch, traces, periods]. */
export type FfmState = { re: Tensor; im: Tensor };

/** Settings of {@link ffm}. */
export interface FfmOptions extends Omit<RecurrentOptions, "weightInit"> {
  /** What is written at a step, each part with a rate of its own at which it fades (8 to 128); `units` by default. */
  traces?: number;
  /** Rates at which every trace turns, by which it is told how long ago something was (1 to 16). Default 4. */
  periods?: number;
  /** Steps after which a hundredth of the slowest trace is left, and of its slowest turn, at the start of training (16 to 1024). Default 1024, the paper's. */
  span?: number;
}

/** One step of a fast and forgetful memory, in parts. The state only fades and turns, at rates that do not depend on what is seen. */
export function ffmCell(options: FfmOptions): Cell<FfmParams, FfmState> {
  const { inputs, units, traces = units, periods = 4, span = 1024 } = options;
  const input = linear({ inputs, outputs: 2 * traces + 2 * units });
  const mix = linear({ inputs: 2 * traces * periods, outputs: units });
  // As in the authors' program: evenly from a rate of e to one that leaves a hundredth after `span` steps, and periods evenly from 1 to it.
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
 * Fast and forgetful memory (Morad et al., "Reinforcement Learning with Fast and Forgetful Memory", 2023): what is seen is written onto traces that fade
 * and turn, each at rates of its own, which are learned but the same at every step. Nothing in it forgets on purpose.
 */
export function ffm(options: FfmOptions): Recurrent<FfmParams, FfmState> {
  return recurrent(ffmCell(options));
}
