import type { Tensor, Tree } from "@reins/tensor";
import type { nn } from "./nn.ts";
import type { Space } from "./space.ts";

/**
 * The part of a network that sees: observations in, features out. What acts, values or remembers is put on top of it, so one body serves
 * every method. An *encoder* is a body with hidden layers on top; a *network* of one's own is a body with none.
 */
export interface Body {
  /** Length of the result. */
  readonly features: number;
  /** Absent where nothing is learned. */
  readonly init?: (key: Tensor) => Tree;
  /** [leading axes, …] to [leading axes, features]. */
  apply(params: Tree, observation: Tree, leading: number): Tensor;
}

/** What a body is made for. */
export interface Seen {
  /** What is observed. */
  readonly space: Space;
  /** How many numbers an observation has when it is laid out flat: choices are one-hot, bytes lie between 0 and 1. */
  readonly inputs: number;
}

/** A network of one's own: a body, or a layer on the flat observation, whose number of features is found by asking it. */
export type NetworkMaker = (seen: Seen) => Body | nn.Layer;

/** The options about the body that methods have. */
export interface BodyOptions {
  /** What turns observations into features before the hidden layers; by default what fits the space. */
  readonly encoder?: NetworkMaker;
  /** The whole body, in the place of encoder and hidden layers. */
  readonly network?: NetworkMaker;
}
