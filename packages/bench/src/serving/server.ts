import { gateway, TextGenerator } from "@reins/language";
import { promptTokens, type SizeName, served, workload } from "./subject.ts";

/** A message to the server's process. */
export type ServerRequest =
  | { readonly ask: "bare"; readonly requests: number; readonly round: number }
  | { readonly ask: "memory" };

/** Serves a model in a process of its own, as `reins serve` does, and measures its generator without a server. */
async function main(name: SizeName): Promise<void> {
  const { start, tokenizer } = served(name);
  const { clients: rows, reply: limit } = workload;
  const { context, vocabulary } = start.options;
  const { baseURL } = await gateway.serveModels([{ start, tokenizer, rows, model: "bench" }], {
    key: "bench",
  });
  const generator = new TextGenerator({
    ...{ model: start.model, params: start.params, vocabulary, context, rows },
    end: tokenizer.end,
    sampling: { temperature: 0 },
  });
  process.on("message", (message: ServerRequest) => {
    if (message.ask === "memory") {
      globalThis.gc?.();
      const { heapUsed, rss, external } = process.memoryUsage();
      process.send!({ heapUsed, rss, external });
      return;
    }
    const { requests, round } = message;
    const all = Array.from({ length: requests }, (_, i) => ({
      prompt: promptTokens(round * requests + i, vocabulary),
      seed: i,
      limit,
    }));
    const begun = performance.now();
    const texts = generator.generate(all);
    const seconds = (performance.now() - begun) / 1000;
    process.send!({ tokens: texts.reduce((sum, t) => sum + t.tokens.length, 0), seconds });
  });
  process.send!({ baseURL, vocabulary });
}

await main(process.argv[2] as SizeName);
