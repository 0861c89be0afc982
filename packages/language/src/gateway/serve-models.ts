import type { ServeOptions, ServerHandle } from "@reins/core";
import { defaultSeed } from "@reins/core/random";
import type { EngineOptions } from "./engine-options.ts";
import { Gateway } from "./gateway.ts";
import { serveGateway } from "./serve.ts";
import type { ServedScorer } from "./served-scorer.ts";

/** Idle connections are closed after a minute, and bodies are smaller than an agent's in training. */
const limits = { idle: 60_000, body: { bytes: 8 * 2 ** 20 } };

/** Serves language models and reward models until closed. Replies are greedy unless sampling is requested. */
export async function serveModels(
  models: readonly EngineOptions[],
  { key = `reins-${crypto.randomUUID()}`, port, host, sample = false, seed = defaultSeed }: ServeOptions = {},
  scorers: readonly ServedScorer[] = [],
): Promise<ServerHandle> {
  const gateway = new Gateway(...models);
  for (const scorer of scorers) gateway.addScorer(scorer);
  const session = gateway.open(key, { seed, greedy: !sample, passing: true });
  const { baseURL, close } = await serveGateway(gateway, { port, host, ...limits });
  return {
    baseURL,
    key,
    model: gateway.model,
    async close(options) {
      await close(options);
      // Replies that outlast the grace period are cancelled.
      gateway.close(session);
    },
  };
}
