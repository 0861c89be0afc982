import { random, type Tensor, type Tree } from "@reins/tensor";
import type { nn } from "./nn.ts";
import type { Space } from "./space.ts";

/**
 * The feature extractor of a network: observations in, features out. Heads, critics and recurrent layers go on top, so one body serves
 * every method. An *encoder* is a body with hidden layers on top; a custom *network* is a body without them.
 */
export interface Body {
  /** Length of the output. */
  readonly features: number;
  /** Absent if it has no parameters. */
  readonly init?: (key: Tensor) => Tree;
  /** Whether parts of it, such as dropout, are random during training; they use the context's key. */
  readonly random?: boolean;
  /** [leading axes, …] to [leading axes, features]. A context with a key means training mode, and is passed to `random` bodies only. */
  apply(params: Tree, observation: Tree, leading: number, context?: nn.LayerContext): Tensor;
}

/** The context of a body during training: its own key, if it is random. */
export const learningContext = (
  { random: draws }: Body,
  key: Tensor | undefined,
): nn.LayerContext | undefined => (draws && key ? { key: random.foldKey(key, "drop") } : undefined);

/** What a body is built for. */
export interface BodyInput {
  /** The observation space. */
  readonly space: Space;
  /** Length of a flattened observation: choices are one-hot, bytes are scaled to [0, 1]. */
  readonly inputs: number;
}

/** A custom network: a body, or a layer on the flat observation whose output size is inferred. */
export type NetworkMaker = (seen: BodyInput) => Body | nn.Layer;

/** Options of the body, common to all methods. */
export interface BodyOptions {
  /** Turns observations into features before the hidden layers (default: chosen by the observation space). */
  readonly encoder?: NetworkMaker;
  /** The whole body; replaces the encoder and the hidden layers. */
  readonly network?: NetworkMaker;
}
