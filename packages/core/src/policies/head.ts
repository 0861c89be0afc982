import type { Tensor, Tree } from "@reins/tensor";
import type { nn } from "../nn.ts";

/** A distribution over actions of any kind. */
export type ActionDistribution = nn.Distribution<Tree>;

/** What a distribution may depend on besides the network's outputs. */
export interface DistributionInput {
  /** bool: allowed choices. */
  readonly mask?: Tree;
  /** The network's last hidden layer, which made the outputs. */
  readonly features?: Tensor;
  /** The noise before the step, if the likelihood depends on it. */
  readonly given?: Tree;
}

/** Maps a network's outputs to a distribution over actions, for one action space. */
export interface Head {
  /** Number of network outputs. */
  readonly outputs: number;
  /** Parameters besides the network's (a state-independent standard deviation); `features` is the width of the last hidden layer. */
  init(features: number): Tree;
  /** The distribution of *raw* actions. */
  distribution(params: Tree, outputs: Tensor, circumstances?: DistributionInput): ActionDistribution;
  /** Maps a raw action to the executed one: clipped and scaled to the bounds. */
  execute(raw: Tree): Tree;
  /** The raw action of an executed one, for actions that were recorded without their trace. */
  recover?(action: Tree): Tree;
  /** Whether the executed action differs from the raw one, which must then be stored. */
  readonly maps: boolean;
  /** Noise carried from step to step, if actions are not sampled independently. */
  readonly carried?: Carried;
}

/** Settings of `headFor`. */
export interface HeadOptions {
  /** For continuous actions: "normal" is clipped to the bounds, "tanh" is squashed into them, "beta" has them as its support. */
  continuous?: "normal" | "tanh" | "beta";
  /** Initial log standard deviation of normal actions, in units of half the range; lower explores less (-2 to 0). */
  logStd?: number;
  /** Temporal structure of the noise of normal actions. */
  noise?: "independent" | "state-dependent" | "correlated";
  /** State-dependent noise: steps until it is resampled (4 to 64). More explores more smoothly. */
  noiseSteps?: number;
  /** Correlated noise: autocorrelation from one step to the next (0 to 0.99). Higher explores further. */
  noiseMemory?: number;
}

/** Noise that persists over steps. It is part of the policy's state, so that it is saved and resumed with it. */
export interface Carried {
  start(rows: number, features: number): Tree;
  /** A raw action, the noise to carry over, and what the action's likelihood depends on. Without a key there is no noise. */
  draw(params: Tree, mean: Tensor, moment: NoiseContext): { raw: Tensor; state: Tree; given: Tree };
}

/** The context in which noise is sampled. */
export interface NoiseContext {
  readonly features: Tensor;
  readonly state: Tree;
  /** bool [rows]: an episode begins. */
  readonly first: Tensor;
  readonly key?: Tensor;
}
