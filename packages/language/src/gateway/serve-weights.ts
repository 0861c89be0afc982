import type { ServeOptions, ServerHandle } from "@reins/core";
import type { GptParams } from "@reins/nn";
import type { Tree } from "@reins/tensor";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { serveModels } from "./serve-models.ts";

/** Serves trained weights until closed. Replies are greedy unless sampling is requested. */
export const serveWeights = (
  options: TextStageOptions,
  weights: Tree,
  { model, ...how }: ServeOptions = {},
): Promise<ServerHandle> =>
  serveModels([{ ...options, weights: weights as GptParams, ...(model ? { model } : {}) }], how);
