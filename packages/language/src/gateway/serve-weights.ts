import type { ServeOptions, ServerHandle } from "@reins/core";
import { defaultSeed } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import type { Tree } from "@reins/tensor";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { Gateway } from "./gateway.ts";
import { serveGateway } from "./serve.ts";

/** Serves trained weights to programs on this machine until closed. Replies are greedy unless sampling is requested. */
export async function serveWeights(
  options: TextStageOptions,
  weights: Tree,
  {
    key = `reins-${crypto.randomUUID()}`,
    port,
    model,
    sample = false,
    seed = defaultSeed,
  }: ServeOptions = {},
): Promise<ServerHandle> {
  const gateway = new Gateway({ ...options, weights: weights as GptParams, ...(model ? { model } : {}) });
  gateway.open(key, { seed, greedy: !sample, passing: true });
  const { baseURL, close } = await serveGateway(gateway, { port });
  return { baseURL, key, model: gateway.model, close };
}
