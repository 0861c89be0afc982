import type { Picture } from "../models/pictures.ts";
import type { RequestSampling } from "./sampling.ts";

/** Something to continue. */
export interface Request {
  readonly prompt: readonly number[];
  /** What stands in the places of the prompt's placeholders, for models that read pictures. */
  readonly picture?: Picture;
  /** The same seed gives the same continuation, whatever else is generated beside it. */
  readonly seed: number;
  /** Most tokens to add. */
  readonly limit: number;
  /** Tokens that may follow; see {@link Constraint}. */
  readonly constraint?: Constraint;
  /** Ends the text when it says so, given all tokens so far: stop strings, budgets. */
  readonly stop?: (tokens: readonly number[]) => boolean;
  /** Temperature and `topP` of this request (default: the generator's). Other settings stay the generator's. */
  readonly sampling?: RequestSampling;
}

/** What may follow: called with the tokens so far, it marks the allowed ones. */
export type Constraint = (tokens: readonly number[], allowed: Uint8Array) => void;

/** A continuation, and how likely each of its tokens was. */
export interface Generated {
  readonly tokens: readonly number[];
  /** Under the distribution that was sampled from. */
  readonly logProbs: readonly number[];
  /** Under the model itself. */
  readonly modelLogProbs: readonly number[];
  /** How uncertain the sampling distribution was at each token, in nats. */
  readonly entropies: readonly number[];
  /** The weights' version at each token. */
  readonly versions: readonly number[];
  /**
   * With `record`, the kept set of each token: the tokens that sampling could choose from, one bit for each token of the vocabulary.
   * Undefined where neither a constraint nor topK, topP or minP restricted the choice.
   */
  readonly kept?: readonly (Int32Array | undefined)[];
  /** The temperature that the request asked for; undefined where the generator's applied. */
  readonly temperature?: number;
  readonly ended: "end" | "stop" | "limit" | "paused";
}

/** A text that grows. */
export interface Sequence {
  readonly request: Request;
  readonly order: number;
  readonly tokens: number[];
  readonly logProbs: number[];
  readonly modelLogProbs: number[];
  readonly entropies: number[];
  readonly versions: number[];
  readonly kept?: (Int32Array | undefined)[];
  readonly temperature?: number;
  ended: Generated["ended"];
}

/** A text that has not begun. */
export const sequenceOf = (request: Request, order: number, record: boolean): Sequence => ({
  request,
  order,
  tokens: [],
  logProbs: [],
  modelLogProbs: [],
  entropies: [],
  versions: [],
  ...(record ? { kept: [] } : {}),
  ...(request.sampling?.temperature === undefined ? {} : { temperature: request.sampling.temperature }),
  ended: "paused",
});
