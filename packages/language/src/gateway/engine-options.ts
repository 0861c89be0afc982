import type { GptParams } from "@reins/nn";
import type { TextStageOptions } from "../rollouts/stage-options.ts";

/** Settings of a model that is served. */
export interface EngineOptions
  extends Pick<TextStageOptions, "start" | "tokenizer" | "ends" | "sampling" | "rows" | "format" | "limit"> {
  /** Name of the model for clients (default `reins`). */
  readonly model?: string;
  /**
   * Weights to serve (default: those of `start`). They are read in place, so that a model in training is served as it
   * is.
   */
  readonly weights?: GptParams;
  /** Changes whenever the weights do. */
  readonly version?: () => number;
  /** Records kept sets, so that replies can be trained on. */
  readonly record?: boolean;
  /** Maximum tokens of a prompt and its reply (default: the model's context). KV caches have this length. */
  readonly capacity?: number;
  /** Replies that may wait for a free row before requests are refused with status 429 (default: no limit). */
  readonly queue?: number;
}
