import { defaultSeed, estimate, fail, judges, type Stage, stream } from "@reins/core";
import type { GptParams } from "@reins/nn";
import type { Tree } from "@reins/tensor";
import type { TextGenerator, Writing } from "./generation/generator.ts";
import { stopAt } from "./generation/stop.ts";
import { Answers, generatorFor } from "./play/answers.ts";
import { Examples } from "./play/examples.ts";
import { checkStage } from "./play/fits.ts";
import { likelihoodOf } from "./play/likelihood.ts";
import { asked } from "./play/prompt.ts";
import { verdictsOf, verifier } from "./play/verifier.ts";
import { languagePolicy } from "./policy.ts";
import type { TextStageOptions } from "./stage-options.ts";
import { draw } from "./tasks/draw.ts";
import type { Problem } from "./tasks/family.ts";

/** Problems in words, a language model that answers them, a teacher that knows the answers, and the family's verifier as judge. */
export function textStage(options: TextStageOptions): Stage {
  checkStage(options);
  const { start, sampling, family, limit = family.longest.answer + 1 } = options;
  const policy = { ...start, ...sampling };
  const { width } = start.options;
  const { write, read } = writer(options);
  let likelihood: ReturnType<typeof likelihoodOf> | undefined;
  return {
    policy: languagePolicy(policy),
    critic: languagePolicy({ ...policy, critic: width }),
    levels: Array.from({ length: family.levels }, (_, i) => i + 1),
    ...(family.listed ? { problems: family.listed.train.length, epochs: options.epochs } : {}),
    limit,
    offers: ["greedy", "teacher", "hint"],
    play: (playing) => new Answers(options, playing),
    show: (playing) => new Examples(options, playing),
    judge: verifier(family),
    async evaluate(weights, { episodes = 100, seed = defaultSeed, greedy = true, breath } = {}) {
      const own = stream(seed, "evaluation");
      const problems = heldOut(options, episodes, own);
      if (problems.every((p) => p.alone))
        return (likelihood ??= likelihoodOf(options))(weights, problems, breath);
      const writing = write(weights, problems, greedy, own);
      while (breath && !writing.done) {
        writing.advance(1);
        await breath();
      }
      const answers = read(writing);
      const verdicts = await verdictsOf(
        family,
        problems.map((problem, i) => ({ problem, text: answers[i].text })),
      );
      const why = judges.allFailed(verdicts);
      if (why !== undefined)
        fail(
          `task ${family.id}`,
          `the verifier failed on all ${problems.length} answers, so nothing is known of the model. The first time it said: ${why}`,
        );
      const returns = Float64Array.from(verdicts, (v) => Number(v.reward));
      return {
        ...estimate(returns),
        returns,
        lengths: Float64Array.from(answers, (a) => a.tokens),
        answers: problems.map(({ prompt, answer: right }, i) => {
          const { terms } = verdicts[i];
          const measured = { prompt, answer: answers[i].text, score: returns[i], right };
          return terms === undefined ? measured : { ...measured, terms };
        }),
      };
    },
    answer: (weights, prompt) =>
      read(write(weights, [{ prompt: String(prompt) }], true, defaultSeed))[0].text,
  };
}

/** Problems that training never sees. Of a list there are no more than it has: all of them, or some from all over it. */
function heldOut({ family, level }: TextStageOptions, count: number, seed: number): readonly Problem[] {
  const all = family.listed?.test;
  // Who can be asked something is measured by answers.
  const test = all?.every((p) => p.alone) ? all : all?.filter((p) => !p.alone);
  if (!test) return Array.from({ length: count }, (_, i) => draw(family, level, "test", i, seed));
  const some = Math.min(count, test.length);
  return Array.from({ length: some }, (_, i) => test[Math.floor((i * test.length) / some)]);
}

/** Answers prompts with whatever weights it gets. Its generators are kept: making one anew would trace the model anew. */
function writer(options: TextStageOptions) {
  const { tokenizer, stop = [], family, limit = family.longest.answer + 1 } = options;
  const kept = new Map<boolean, { generator: TextGenerator; weights: Tree }>();
  const write = (
    weights: Tree,
    problems: readonly Pick<Problem, "prompt" | "messages" | "picture">[],
    greedy: boolean,
    seed: number,
  ): Writing => {
    const params = weights as GptParams;
    let own = kept.get(greedy);
    if (!own) kept.set(greedy, (own = { generator: generatorFor(options, params, { greedy }), weights }));
    if (own.weights !== weights) own.generator.use(params);
    own.weights = weights;
    return own.generator.begin(
      problems.map((problem, i) => ({
        ...asked(options, problem),
        limit,
        seed: stream(seed, "text", i),
        ...(stop.length ? { stop: stopAt(stop, tokenizer) } : {}),
      })),
    );
  };
  /** What is written, once it is. */
  const read = (writing: Writing) =>
    writing.advance().map(({ tokens }) => ({ text: tokenizer.decode(tokens), tokens: tokens.length }));
  return { write, read };
}
