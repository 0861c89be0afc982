import type { Tensor, Tree } from "@reins/tensor";
import type { nn } from "../nn.ts";

/** A distribution over actions of any kind. */
export type ActionDistribution = nn.Distribution<Tree>;

/** What a distribution may depend on beside the network's outputs. */
export interface Circumstances {
  /** bool: allowed choices. */
  readonly mask?: Tree;
  /** The network's last hidden layer, which made the outputs. */
  readonly features?: Tensor;
  /** The noise that was carried into the step, where the likelihood depends on it. */
  readonly given?: Tree;
}

/** How a network's outputs become a distribution over actions, for one action space. */
export interface Head {
  /** Numbers that the network must give. */
  readonly outputs: number;
  /** Parameters beside the network's (a spread that the network does not give); `features` is the width of the last hidden layer. */
  init(features: number): Tree;
  /** The distribution of *raw* actions. */
  distribution(params: Tree, outputs: Tensor, circumstances?: Circumstances): ActionDistribution;
  /** What the environment is given for a raw action: clipped and scaled to its bounds. */
  execute(raw: Tree): Tree;
  /** Whether what is executed differs from the raw action, which must then be kept. */
  readonly maps: boolean;
  /** Noise that is carried from step to step, where actions are not drawn independently. */
  readonly carried?: Carried;
}

/** Settings of `headFor`. */
export interface HeadOptions {
  /** For continuous actions: "normal" is clipped to the bounds, "tanh" is squashed into them, "beta" lives within them. */
  continuous?: "normal" | "tanh" | "beta";
  /** First logarithm of the spread of normal actions, in units of half the range; lower explores less (-2 to 0). */
  logStd?: number;
  /** How the noise of normal actions hangs together over time. */
  noise?: "independent" | "state-dependent" | "correlated";
  /** State-dependent noise: steps after which it is drawn anew (4 to 64). More explores more smoothly. */
  noiseSteps?: number;
  /** Correlated noise: the share that is kept from one step to the next (0 to 0.99). Higher explores further. */
  noiseMemory?: number;
}

/** Noise that outlives the step it was drawn in. It is part of the policy's state, so that it is saved and resumed with it. */
export interface Carried {
  start(rows: number, features: number): Tree;
  /** A raw action, the noise to carry on, and what the likelihood of the action depends on. Without a key there is no noise. */
  draw(params: Tree, mean: Tensor, moment: Draw): { raw: Tensor; state: Tree; given: Tree };
}

/** Where and when noise is drawn. */
export interface Draw {
  readonly features: Tensor;
  readonly state: Tree;
  /** bool [rows]: an episode begins. */
  readonly first: Tensor;
  readonly key?: Tensor;
}
