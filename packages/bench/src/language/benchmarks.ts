/** The shape of a Llama-style model. */
export interface ModelSize {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly vocabulary: number;
}

/** A model and the batch of a training step, as in `peers/language.py`. */
export interface TrainingSize extends ModelSize {
  readonly batch: number;
  readonly tokens: number;
}

const texts = { batch: 16, tokens: 128, vocabulary: 256 };

/** The two models. */
export const models = {
  "0.8m": { layers: 4, width: 128, heads: 4, ...texts },
  "10m": { layers: 6, width: 384, heads: 6, ...texts },
} satisfies { readonly [name: string]: TrainingSize };

/** A model with the same operations that the reference backend can check in a second. */
export const smallModel: TrainingSize = {
  layers: 2,
  width: 32,
  heads: 2,
  batch: 2,
  tokens: 24,
  vocabulary: 48,
};

/** The sizes of generation: rows, prompt tokens and completion tokens. Prompt and completion fill the context. */
export const generation = { rows: 256, prompt: 16, added: 112 };

/** A whole GRPO update: prompts, completions of each, and their tokens. `peers/language.py` has the same sizes. */
export const update = { prompts: 4, completions: 8, prompt: 32, completion: 64 };

/** A benchmark of the suite. */
export interface LanguageBenchmark {
  readonly name: string;
  readonly kind: "train" | "generate" | "update" | "grpo";
  readonly model?: keyof typeof models;
  readonly about: string;
  /** Required ratio, on native with one thread. */
  readonly floor?: number;
}

const sizes = Object.keys(models) as (keyof typeof models)[];

/** All benchmarks of the suite. */
export const languageBenchmarks: readonly LanguageBenchmark[] = [
  ...sizes.map(
    (model): LanguageBenchmark => ({
      name: `train-${model}`,
      kind: "train",
      model,
      about: "a step of AdamW with clipping at 1 on 16 × 128 tokens",
      floor: 1,
    }),
  ),
  ...sizes.map(
    (model): LanguageBenchmark => ({
      name: `generate-${model}`,
      kind: "generate",
      model,
      about: "256 prompts of 16 tokens, 112 more for each, sampled at temperature 1",
      floor: 0.7,
    }),
  ),
  {
    name: "grpo-10m",
    kind: "update",
    model: "10m",
    about: "a whole GRPO update: 4 prompts of 32 tokens, 8 completions of 64 tokens each, one step of AdamW",
    floor: 1.2,
  },
  {
    name: "grpo-share",
    kind: "grpo",
    about: "GRPO on arithmetic: shares of its time, and answer tokens per second",
  },
];
