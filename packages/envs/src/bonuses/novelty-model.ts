import { clamp, mul, sub, type Tensor, type Tree } from "@reins/tensor";
import { type IntrinsicOptions, intrinsicNames } from "./intrinsic-reward.ts";

/** How a network that finds things new learns. */
export interface LearnedOptions extends IntrinsicOptions {
  /** Size of its steps; higher forgets sooner that something was new (1e-4 to 1e-3). */
  readonly learningRate?: number;
  /** Width of its layers (32 to 512). */
  readonly width?: number;
  /** Steps of every row between two of its updates, each of which is about all of them (1 to 32). */
  readonly every?: number;
  /** Steps of every row at the beginning without a bonus, in which only means and deviations are measured. */
  readonly warmUp?: number;
}

/** The names of {@link LearnedOptions}. */
export const learnedNames = [...intrinsicNames, "learningRate", "width", "every", "warmUp"] as const;

/** Steps as a network sees them: what was seen and what came next, normalised, and the action; each [steps, numbers]. */
export type SeenSteps = { readonly seen: Tensor; readonly action: Tensor; readonly next: Tensor };

/** Sizes of what a network sees. */
export interface SeenSizes {
  readonly observation: number;
  readonly action: number;
  readonly width: number;
}

/** Networks that find things new: pure functions of weights, of which some are learned. */
export interface NoveltyModel<L extends Tree = Tree, F extends Tree = Tree> {
  init(key: Tensor): { readonly learned: L; readonly fixed: F };
  /** [steps] */
  novelty(learned: L, fixed: F, steps: SeenSteps): Tensor;
  /** What is made small, [] */
  loss(learned: L, fixed: F, steps: SeenSteps): Tensor;
}

/** What observations are normalised by, [numbers]. */
export type Norm = { readonly middle: Tensor; readonly scale: Tensor };

/** Normalised observations are cut off there, as in the paper of RND. */
const cut = 5;

/** Steps as networks see them. */
export function normalised({ seen, action, next }: SeenSteps, { middle, scale }: Norm): SeenSteps {
  const near = (x: Tensor) => clamp(mul(sub(x, middle), scale), -cut, cut);
  return { seen: near(seen), action, next: near(next) };
}
