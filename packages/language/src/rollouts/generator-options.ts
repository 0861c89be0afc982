import type { GptParams } from "@reins/nn";
import type { GeneratorOptions } from "../generation/options.ts";
import type { TextStageOptions } from "./stage-options.ts";

/** Purpose of a generator. */
export interface GeneratorPurpose {
  /** Greedy sampling. */
  readonly greedy?: boolean;
  /** Records kept sets, for training. */
  readonly record?: boolean;
  readonly version?: () => number;
}

/** Options of a stage's generators, with the given weights. */
export const generatorOptions = (
  {
    start,
    tokenizer,
    ends,
    sampling,
    rows,
  }: Pick<TextStageOptions, "start" | "tokenizer" | "ends" | "sampling" | "rows">,
  params: GptParams,
  { greedy = false, record = false, version }: GeneratorPurpose,
): GeneratorOptions => ({
  model: start.model,
  params,
  vocabulary: start.options.vocabulary,
  context: start.options.context,
  end: tokenizer.end,
  ends,
  sampling: greedy ? { temperature: 0 } : sampling,
  record,
  rows,
  version,
});
