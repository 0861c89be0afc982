import { random, type Tensor, type Tree } from "@reins/tensor";
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
  /** Whether parts of it are random while it learns, such as dropout: they draw from the context's key. */
  readonly random?: boolean;
  /** [leading axes, …] to [leading axes, features]. A context with a key means that it learns, and is only given to what is `random`. */
  apply(params: Tree, observation: Tree, leading: number, context?: nn.Context): Tensor;
}

/** What a body gets where it learns: a key of its own, if it draws from one. */
export const learningContext = ({ random: draws }: Body, key: Tensor | undefined): nn.Context | undefined =>
  draws && key ? { key: random.foldKey(key, drawing) } : undefined;

/** Tells what bodies draw from what else is drawn from the same key. */
const drawing = 0x64726f70;

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
