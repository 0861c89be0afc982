import { newModel, TextGenerator } from "@reins/language";
import { random } from "@reins/tensor";
import { tokens } from "../noise.ts";
import { bareWork } from "./bare.ts";
import { generation, type ModelSize } from "./benchmarks.ts";

/** Seconds of one generation of all texts, and of its parts alone. */
export interface GenerationSample {
  readonly whole: number;
  readonly products: number;
  readonly caches: number;
  readonly prompts: number;
}

/** Calls per timing of the parts of a step. */
const calls = 16;

/** Generates, then runs the parts. The first round compiles and is not measured. */
export function generating(size: ModelSize): () => GenerationSample {
  const { rows, prompt, added } = generation;
  const context = prompt + added;
  const { model, params } = newModel({ ...size, context, style: "llama" }, random.key(0));
  const { vocabulary } = size;
  // -1 is not a token: no text ends early.
  const generator = new TextGenerator({ model, params, vocabulary, context, end: -1, rows });
  const bare = bareWork(params, size);
  let round = 0;
  return () => {
    const prompts = tokens(rows * prompt, ++round, vocabulary);
    const requests = Array.from({ length: rows }, (_, i) => ({
      prompt: [...prompts.subarray(i * prompt, (i + 1) * prompt)],
      seed: round * rows + i,
      limit: added,
    }));
    const whole = seconds(() => {
      const short = generator.generate(requests).find((g) => g.tokens.length !== added);
      if (short) throw new Error(`a text ended after ${short.tokens.length} of ${added} tokens`);
    });
    return {
      whole,
      products: added * seconds(bare.products.run, calls),
      caches: added * seconds(bare.caches.run, calls),
      prompts: seconds(bare.prompts.run),
    };
  };
}

function seconds(run: () => void, times = 1): number {
  const start = performance.now();
  for (let i = 0; i < times; i++) run();
  return (performance.now() - start) / 1e3 / times;
}
