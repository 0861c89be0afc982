import { type EvaluationResult, fail, type Stage } from "@reins/core";
import { type ExampleSource, exampleFault } from "@reins/core/examples";
import type { ExampleEncoder } from "../examples/encoder.ts";
import type { Example } from "../examples/example.ts";
import { comparisonEpisodes, mismatchedEpisodes, stepEpisodes } from "../rollouts/example-comparisons.ts";
import { demonstrationEpisode, ExampleEpisodes } from "../rollouts/example-episodes.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { textLikelihood } from "../rollouts/text-likelihood.ts";
import type { TextTask } from "../tasks/text-task.ts";
import { stageOf } from "./stage.ts";

/** Settings of {@link exampleStage}; those of {@link TextStageOptions} are for the model's own completions. */
export interface ExampleStageOptions extends Omit<TextStageOptions, "task" | "level" | "split"> {
  /** Name in messages and metrics. */
  readonly name: string;
  readonly train: ExampleSource<Example>;
  /** Held-out examples, for validation and evaluation. May be empty. */
  readonly test: ExampleSource<Example>;
  /** Lengths and weights of the parts of `train`, where it is a mixture (default: one part). */
  readonly parts?: Stage["parts"];
  /** How examples become tokens. */
  readonly encoder: ExampleEncoder;
  /** Called with the reason why an example is left out. */
  readonly onFault?: (message: string) => void;
}

/**
 * A stage whose data are recorded examples instead of problems with a verifier: methods learn from demonstrations (`sft`) or comparisons.
 * Evaluations give the mean over held-out examples of their log-probability per token.
 */
export function exampleStage(options: ExampleStageOptions): Stage {
  const { name, train, test, encoder, start, epochs, onFault } = options;
  const text = { ...options, task: examplesTask(name), level: 1 };
  const base = stageOf(text);
  const { context } = start.options;
  let likelihood: ReturnType<typeof textLikelihood> | undefined;
  /** The texts of up to `count` examples, evenly spread over a source, without those that cannot be encoded. */
  const someOf = <T>(
    source: ExampleSource<Example>,
    count: number,
    encode: (example: Example) => T | undefined,
  ): T[] => {
    const most = Math.min(count, source.count);
    return Array.from({ length: most }, (_, i) => Math.floor((i * source.count) / most)).flatMap((index) => {
      try {
        const encoded = encode(source.read(index));
        return encoded === undefined ? [] : [encoded];
      } catch (error) {
        const { message } = exampleFault(error);
        onFault?.(`${source.locate(index)}: ${message}`);
        return [];
      }
    });
  };
  const some = (source: ExampleSource<Example>, count: number) =>
    someOf(source, count, encoder.demonstration);
  const held = test.count ? test : train;
  return {
    ...base,
    problems: train.count,
    ...(options.parts ? { parts: options.parts } : {}),
    epochs,
    samplingModes: ["teacher"],
    limit: Math.min(options.limit ?? context, context),
    play: () =>
      fail(
        name,
        "it has recorded examples and no verifier, so completions of the policy cannot be rewarded. Use sft or a preference method, or pass a judge: --judge exact.",
      ),
    demonstrations: (input) =>
      new ExampleEpisodes({
        source: train,
        input,
        onFault,
        texts: (example) => [encoder.demonstration(example) ?? []].flat(),
        episodes: (examples) => examples.flat().map((text) => demonstrationEpisode(name, text)),
      }),
    comparisons: (input, { mismatched = false, steps = false } = {}) =>
      new ExampleEpisodes({
        source: train,
        input,
        onFault,
        texts: (example) =>
          steps ? [encoder.steps(example) ?? []].flat() : (encoder.comparison(example) ?? []),
        episodes: (examples, batch) => {
          if (steps) return stepEpisodes(name, examples, batch);
          return mismatched
            ? mismatchedEpisodes(name, examples, batch, encoder)
            : comparisonEpisodes(name, examples, batch);
        },
      }),
    heldOutComparisons: (count, _, { trained = false } = {}) =>
      test.count === 0 && !trained
        ? []
        : [
            ...comparisonEpisodes(name, someOf(held, count, encoder.comparison), 0),
            ...stepEpisodes(name, [someOf(held, count, encoder.steps)], 1),
          ],
    validation: {
      policy: base.validation!.policy,
      episodes: (count) =>
        test.count === 0 ? [] : some(test, count).flatMap((text) => demonstrationEpisode(name, text)),
    },
    judge: (episodes) => episodes.map((e) => ({ reward: e.score ?? 0 })),
    async evaluate(weights, { episodes = 100, yieldHook } = {}): Promise<EvaluationResult> {
      const texts = some(held, episodes);
      if (texts.length === 0)
        fail(
          name,
          "none of the held-out examples can be evaluated: they do not fit into the model's context.",
        );
      return (likelihood ??= textLikelihood(start.model))(weights, texts, yieldHook);
    },
  };
}

/** A task without problems of its own: what generation, serving and metrics need of one. */
export const examplesTask = (id: string): TextTask => ({
  id,
  about: "",
  levels: 1,
  alphabet: "",
  longest: { prompt: 1, answer: 1 },
  make: () => fail(id, "it has recorded examples, not problems."),
  verify: () => ({ score: 0 }),
});
