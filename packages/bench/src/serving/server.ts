import { gateway, TextGenerator } from "@reins/language";
import { promptTokens, type SizeName, served, workload } from "./subject.ts";

/** A message to the server's process. */
export type ServerRequest =
  | { readonly ask: "bare"; readonly requests: number; readonly round: number }
  | { readonly ask: "memory" }
  | { readonly ask: "processor" };

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
    if (message.ask === "processor") {
      process.send!(processorSeconds());
      return;
    }
    const { requests, round } = message;
    const all = Array.from({ length: requests }, (_, i) => ({
      prompt: promptTokens(round * requests + i, vocabulary),
      seed: i,
      limit,
    }));
    const [begun, before] = [performance.now(), processorSeconds()];
    const texts = generator.generate(all);
    const seconds = (performance.now() - begun) / 1000;
    const processor = processorSeconds() - before;
    process.send!({ tokens: texts.reduce((sum, t) => sum + t.tokens.length, 0), seconds, processor });
  });
  process.send!({ baseURL, vocabulary });
}

/** Processor time of this process: of all its threads. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

await main(process.argv[2] as SizeName);
