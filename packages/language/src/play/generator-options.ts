import type { GptParams } from "@reins/nn";
import type { GeneratorOptions } from "../generation/options.ts";
import type { TextStageOptions } from "../stage-options.ts";

/** What a generator is wanted for. */
export interface GeneratorWishes {
  /** Greedy sampling. */
  readonly greedy?: boolean;
  /** Records kept sets, for texts that are learned from. */
  readonly record?: boolean;
  readonly version?: () => number;
}

/** How a stage's generators write, with the given weights. */
export const generatorOptions = (
  { start, tokenizer, sampling, rows }: Pick<TextStageOptions, "start" | "tokenizer" | "sampling" | "rows">,
  params: GptParams,
  { greedy = false, record = false, version }: GeneratorWishes,
): GeneratorOptions => ({
  model: start.model,
  params,
  vocabulary: start.options.vocabulary,
  context: start.options.context,
  end: tokenizer.end,
  sampling: greedy ? { temperature: 0 } : sampling,
  record,
  rows,
  version,
});
