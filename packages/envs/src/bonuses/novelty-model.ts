import { clamp, mul, sub, type Tensor, type Tree } from "@reins/tensor";
import { type IntrinsicOptions, intrinsicNames } from "./intrinsic-reward.ts";

/** Training options of a novelty network. */
export interface LearnedNoveltyOptions extends IntrinsicOptions {
  /** Learning rate; higher loses novelty sooner (1e-4 to 1e-3). */
  readonly learningRate?: number;
  /** Width of its layers (32 to 512). */
  readonly width?: number;
  /** Steps of every row between updates, each on all of them (1 to 32). */
  readonly every?: number;
  /** Initial steps of every row without a bonus, in which only statistics are measured. */
  readonly warmUp?: number;
}

/** The names of {@link LearnedNoveltyOptions}. */
export const learnedNames = [...intrinsicNames, "learningRate", "width", "every", "warmUp"] as const;

/** A batch of steps: normalised observations and next observations, and actions; each [steps, numbers]. */
export type SeenSteps = { readonly seen: Tensor; readonly action: Tensor; readonly next: Tensor };

/** Input sizes of a network. */
export interface SeenSizes {
  readonly observation: number;
  readonly action: number;
  readonly width: number;
}

/** Novelty networks: pure functions of weights, some of which are trained. */
export interface NoveltyModel<L extends Tree = Tree, F extends Tree = Tree> {
  init(key: Tensor): { readonly learned: L; readonly fixed: F };
  /** [steps] */
  novelty(learned: L, fixed: F, steps: SeenSteps): Tensor;
  /** The loss, [] */
  loss(learned: L, fixed: F, steps: SeenSteps): Tensor;
}

/** Statistics that normalise observations, [numbers]. */
export type Norm = { readonly middle: Tensor; readonly scale: Tensor };

/** Normalised observations are clipped at this value, as in the RND paper. */
const cut = 5;

/** Steps as network inputs. */
export function normalised({ seen, action, next }: SeenSteps, { middle, scale }: Norm): SeenSteps {
  const near = (x: Tensor) => clamp(mul(sub(x, middle), scale), -cut, cut);
  return { seen: near(seen), action, next: near(next) };
}
