import { dict, discrete, type Goals, multiBinary, type TracedEnv, type VectorEnv } from "@reins/core";
import { fromTraced, goalReward } from "@reins/core/forms";
import { cast, eq, ge, iota, random, reshape, split, sub, type Tensor, vmap, where } from "@reins/tensor";
import type { BatchedOptions } from "../batch-form.ts";
import { bitsPicture, bitsText } from "./rendering.ts";

/** Options of {@link bitFlip}. */
export interface BitFlipOptions extends BatchedOptions {
  /** Bits of the state and of the goal, and number of actions. */
  readonly bits?: number;
}

/** Current and desired bits, each [rows, bits]. */
type Bits = { readonly bits: Tensor; readonly goal: Tensor };

const goals: Goals = { tolerance: 0.5, reward: "sparse", ends: true };

/**
 * Flip one bit per step until all match the goal (Andrychowicz et al., "Hindsight Experience Replay", 2017). With
 * 15 bits or more random actions never reach a goal, and every step has the same reward: only hindsight goals make
 * learning possible.
 */
export function tracedBitFlip({
  bits: n = 15,
  maxSteps = n,
}: Omit<BitFlipOptions, "rows"> = {}): TracedEnv<Record<string, never>, Bits> {
  const all = multiBinary(n);
  return {
    spec: {
      id: "BitFlip-v0",
      observation: dict({ observation: all, achieved: all, desired: all }),
      action: discrete(n),
      ...(maxSteps === Number.POSITIVE_INFINITY ? {} : { maxSteps }),
      goals,
    },
    rowKeys: true,
    reset(_, __, key) {
      const drawn = cast(ge(vmap((own: Tensor) => random.uniform(own, [2 * n]))(key), 0.5), "i32");
      const [bits, goal] = split(drawn, [n, n], 1);
      return { bits, goal };
    },
    observe: (_, { bits, goal }) => ({ observation: bits, achieved: bits, desired: goal }),
    step(_, { bits, goal }, action) {
      const chosen = eq(reshape(action as Tensor, [-1, 1]), reshape(iota([n]), [1, n]));
      const flipped = where(chosen, sub(1, bits), bits);
      const reward = goalReward(goals, flipped, goal);
      return { state: { bits: flipped, goal }, reward, terminated: ge(reward, 0) };
    },
    picture: (_, state, row) => bitsPicture(rowOf(state.bits, row), rowOf(state.goal, row)),
    render: (_, state, row) => bitsText(rowOf(state.bits, row), rowOf(state.goal, row)),
  };
}

const rowOf = ({ data, shape }: Tensor, row: number): number[] =>
  Array.from(data.slice(row * shape[1], (row + 1) * shape[1]));

/** BitFlip-v0 as a vector environment. */
export const bitFlip = ({ rows = 1, ...options }: BitFlipOptions = {}): VectorEnv =>
  fromTraced(tracedBitFlip(options), {}, rows);
