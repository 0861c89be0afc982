import { fail, type ScoringPolicy, type ServeOptions, type Stage, type Value } from "@reins/core";
import * as judges from "@reins/core/judges";
import type { TeacherComparison } from "@reins/core/losses";
import { defaultSeed, stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { real, type Tree } from "@reins/tensor";
import { distillationPolicy } from "../distillation-policy.ts";
import { serveWeights } from "../gateway/serve-weights.ts";
import type { Generation, TextGenerator } from "../generation/generator.ts";
import { stopAt } from "../generation/stop.ts";
import { checkSamples, conversationStage } from "../multi-turn/conversation-stage.ts";
import { multiPolicy, weightsIn, weightsOf } from "../multi-turn/roles-policy.ts";
import { languagePolicy } from "../policy.ts";
import { Answers, generatorFor } from "../rollouts/answers.ts";
import { Comparisons } from "../rollouts/comparisons.ts";
import { evaluationMetrics, type GeneratedAnswer, mean } from "../rollouts/evaluation-metrics.ts";
import { Examples } from "../rollouts/examples.ts";
import { promptOf } from "../rollouts/prompt.ts";
import type { TextStageOptions } from "../rollouts/stage-options.ts";
import { answerOf } from "../rollouts/text-episode.ts";
import { likelihoodOf } from "../rollouts/text-likelihood.ts";
import { verdictsOf, verifier } from "../rollouts/verifier.ts";
import { isMultiTurn } from "../tasks/episode.ts";
import { answerLimit } from "../tasks/lengths.ts";
import { sampleProblem } from "../tasks/sample-problem.ts";
import type { Problem, TextTask } from "../tasks/text-task.ts";
import { checkStage } from "./check-stage.ts";
import { heldOut, heldOutCandidates, heldOutExamples } from "./held-out.ts";

/**
 * Builds a stage from a language task: a language model answers problems, a teacher gives reference answers, the
 * task's verifier rewards.
 */
export function textStage(options: TextStageOptions): Stage {
  checkStage(options);
  const stage = stageOf(options);
  if (isMultiTurn(options.task) || !hasCandidates(options)) return stage;
  return {
    ...stage,
    comparisons: (input, how) => new Comparisons(options, input, how),
    heldOutComparisons: (count, seed, how) => heldOutCandidates(options, count, seed, how),
  };
}

/** The stage of a task whose problems have been checked. */
export function stageOf(options: TextStageOptions): Stage {
  const { start, sampling, task, teacher } = options;
  const policy = { ...start, ...sampling };
  const { width } = start.options;
  const { write, read } = writer(options);
  const names = weightsIn(task);
  const cast = (one: ScoringPolicy): ScoringPolicy => (names.length > 1 ? multiPolicy(names, one) : one);
  const stage = {
    policy: cast(languagePolicy(policy) as ScoringPolicy),
    critic: cast(languagePolicy({ ...policy, critic: width }) as ScoringPolicy),
    ...(teacher
      ? {
          distillation: (distillation: TeacherComparison) =>
            cast(distillationPolicy({ ...policy, teacher, distillation }) as ScoringPolicy),
        }
      : {}),
    validation: {
      policy: cast(languagePolicy({ ...policy, likeliest: true }) as ScoringPolicy),
      episodes: (count: number, seed: number) => heldOutExamples(options, count, seed),
    },
    levels: Array.from({ length: task.levels }, (_, i) => i + 1),
    ...(task.listed ? { problems: task.listed.train.length, epochs: options.epochs } : {}),
    decodeToken: (token: number) => (token === options.tokenizer.end ? "⏎" : options.tokenizer.textOf(token)),
    serve: (weights: Tree, how?: ServeOptions) => serveWeights(options, weightsOf(task, weights), how),
    answer: (weights: Tree, prompt: Value) =>
      read(
        write(weightsOf(task, weights), [{ problem: { prompt: String(prompt) }, seed: answerSeed }], true),
      )[0].text,
  };
  if (isMultiTurn(task))
    return { ...stage, ...conversationStage(options, (count, seed) => heldOut(options, count, seed)) };
  let likelihood: ReturnType<typeof likelihoodOf> | undefined;
  return {
    ...stage,
    limit: answerLimit(task, options.limit),
    samplingModes: ["greedy", "teacher", "hint", "reference", "mixture"],
    play: (input) => new Answers(options, input),
    demonstrations: (input) => new Examples(options, input),
    judge: verifier(task),
    ...(task.prefer ? { prefer: preference(task) } : {}),
    async evaluate(
      weights,
      { episodes = 100, seed = defaultSeed, greedy = true, samples = 1, yieldHook } = {},
    ) {
      checkSamples(task.id, samples, greedy);
      const own = stream(seed, "evaluation");
      const problems = heldOut(options, episodes, own);
      if (problems.every((p) => p.alone))
        return (likelihood ??= likelihoodOf(options))(weights, problems, yieldHook);
      // Prompts of one problem are adjacent, so that they share a prefix. The first answers are the same for any
      // number of samples.
      const asked = problems.flatMap((problem, i) =>
        Array.from({ length: samples }, (_, j) => ({
          problem,
          seed: stream(j ? stream(own, "sample", j) : own, "text", i),
        })),
      );
      const writing = write(weights, asked, greedy);
      while (yieldHook && !writing.done) {
        writing.advance(1);
        await yieldHook();
      }
      const answers = read(writing);
      const verdicts = await verdictsOf(
        task,
        asked.map(({ problem }, i) => ({ problem, text: answers[i].text })),
      );
      const why = judges.allFailed(verdicts);
      if (why !== undefined)
        fail(
          `task ${task.id}`,
          `the verifier failed on all ${asked.length} answers, so the model has no score. First failure: ${why}`,
        );
      return evaluationMetrics(problems, answers, verdicts);
    },
  };
}

/** Whether problems have recorded completions. */
const hasCandidates = ({ task, level }: TextStageOptions) =>
  task.listed
    ? task.listed.train.some((p) => p.candidates)
    : sampleProblem(task, level, "train", 0).candidates !== undefined;

/** The task's preference between two answers to a problem. */
function preference(task: TextTask): Stage["prefer"] {
  return (one, other) => {
    const { problem, text } = answerOf(one);
    return task.prefer!(problem, text, answerOf(other).text);
  };
}

/** Greedy decoding ignores the seed. */
const answerSeed = stream(defaultSeed, "text");

/** Answers prompts with the weights it is given. Generators are cached: a new one would trace the model again. */
function writer(options: TextStageOptions) {
  const { tokenizer, stop = [] } = options;
  const limit = answerLimit(options.task, options.limit);
  const kept = new Map<boolean, { generator: TextGenerator; weights: Tree }>();
  const write = (
    weights: Tree,
    texts: readonly { problem: Pick<Problem, "prompt" | "messages" | "image">; seed: number }[],
    greedy: boolean,
  ): Generation => {
    const params = weights as GptParams;
    let own = kept.get(greedy);
    if (!own) kept.set(greedy, (own = { generator: generatorFor(options, params, { greedy }), weights }));
    if (own.weights !== weights) own.generator.use(params);
    own.weights = weights;
    return own.generator.begin(
      texts.map(({ problem, seed }) => ({
        ...promptOf(options, problem),
        limit,
        seed,
        ...(stop.length ? { stop: stopAt(stop, tokenizer) } : {}),
      })),
    );
  };
  const read = (writing: Generation): GeneratedAnswer[] =>
    writing.advance().map(({ tokens, modelLogProb, entropy }) => ({
      text: tokenizer.decode(tokens),
      tokens: tokens.length,
      confidence: mean(modelLogProb.map(real.exp)),
      entropy: mean(entropy),
    }));
  return { write, read };
}
