import type { ImagePatches } from "../models/images.ts";
import type { RequestSampling } from "./sampling.ts";

/** A prompt to continue. */
export interface Request {
  readonly prompt: readonly number[];
  /** Image whose patches replace the prompt's placeholders, for models that read images. */
  readonly image?: ImagePatches;
  /** The same seed gives the same completion, whatever else is generated in the batch. */
  readonly seed: number;
  /** Maximum number of tokens to generate. */
  readonly limit: number;
  /** Restricts the next token; see {@link Constraint}. */
  readonly constraint?: Constraint;
  /** Ends the text when it returns true, given all generated tokens: stop strings, budgets. */
  readonly stop?: (tokens: readonly number[]) => boolean;
  /** Temperature and `topP` of this request (default: the generator's). Other settings are always the generator's. */
  readonly sampling?: RequestSampling;
}

/** Called with the tokens so far; marks the allowed next tokens. */
export type Constraint = (tokens: readonly number[], allowed: Uint8Array) => void;

/** A completion, token by token: each array has one entry for each token, and the name of the column of an episode. */
export interface Generated {
  readonly tokens: readonly number[];
  /** Under the sampling distribution. */
  readonly logProb: readonly number[];
  /** Under the model itself. */
  readonly modelLogProb: readonly number[];
  /** Entropy of the sampling distribution at each token, in nats. */
  readonly entropy: readonly number[];
  /** Weight version at each token. */
  readonly version: readonly number[];
  /**
   * With `record`, the kept set of each token: the tokens that sampling could choose from, one bit per vocabulary
   * entry. Undefined where neither a constraint nor topK, topP or minP restricted the choice.
   */
  readonly kept?: readonly (Int32Array | undefined)[];
  /** The request's temperature; undefined where the generator's applied. */
  readonly temperature?: number;
  readonly ended: "end" | "stop" | "limit" | "paused";
}

/** An array that grows. */
type Growing<T> = T extends readonly (infer E)[] ? E[] : T;

/** A text being generated. */
export interface Sequence {
  readonly request: Request;
  readonly order: number;
  /** The completion so far. */
  readonly text: { -readonly [K in keyof Generated]: Growing<Generated[K]> };
}

/** A text without any generated tokens. */
export const sequenceOf = (request: Request, order: number, record: boolean): Sequence => ({
  request,
  order,
  text: {
    tokens: [],
    logProb: [],
    modelLogProb: [],
    entropy: [],
    version: [],
    ...(record ? { kept: [] } : {}),
    ...(request.sampling?.temperature === undefined ? {} : { temperature: request.sampling.temperature }),
    ended: "paused",
  },
});
