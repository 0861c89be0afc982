import {
  defaultRng,
  type Episode,
  type EpisodeSource,
  estimate,
  type Judge,
  makers,
  type Problem as Play,
  type Playing,
  type Snapshot,
  type Stage,
} from "@reins/core";
import type { GptParams } from "@reins/nn";
import { type Tree, tensor } from "@reins/tensor";
import { Generator } from "./generation/generator.ts";
import type { Sampling } from "./generation/sampling.ts";
import type { LanguageModel } from "./models/folder.ts";
import { languagePolicy } from "./policy.ts";
import { draw, type Split } from "./tasks/draw.ts";
import type { Family, Problem } from "./tasks/family.ts";
import type { Tokenizer } from "./tokenizers/tokenizer.ts";

/** Settings of {@link textStage}. */
export interface TextStageOptions {
  readonly family: Family;
  readonly level: number;
  readonly start: LanguageModel;
  readonly tokenizer: Tokenizer;
  readonly sampling?: Sampling;
  /** Most tokens of an answer (default: the family's longest, and the end). */
  readonly limit?: number;
  /** Texts that are written at the same time (default 64). */
  readonly rows?: number;
  readonly split?: Split;
}

/** Problems in words, a language model that answers them, a teacher that knows the answers, and the family's verifier as judge. */
export function textStage(options: TextStageOptions): Stage {
  const { start, sampling } = options;
  return {
    policy: languagePolicy({ ...start, temperature: sampling?.temperature }) as unknown as Stage["policy"],
    play: (playing) => new Answers(options, playing),
    show: (playing) => new Examples(options, playing),
    judge: verifier(options.family),
    async evaluate(weights, { episodes = 100, seed = 0, greedy = true } = {}) {
      const { family, level } = options;
      const problems = Array.from({ length: episodes }, (_, i) => draw(family, level, "test", i, seed));
      const answers = answerAll(options, weights, problems, greedy, seed);
      const verdicts = await Promise.all(problems.map((p, i) => family.verify(p, answers[i].text)));
      const returns = Float64Array.from(verdicts, (v) => (Number.isFinite(v.score) ? v.score : 0));
      return { ...estimate(returns), returns, lengths: Float64Array.from(answers, (a) => a.tokens) };
    },
    answer: (weights, prompt) => answerAll(options, weights, [{ prompt: String(prompt) }], true, 0)[0].text,
  };
}

/** What these weights answer to each prompt. */
function answerAll(
  { start, tokenizer, sampling, rows, family, limit = family.longest.answer + 1 }: TextStageOptions,
  weights: Tree,
  problems: readonly { readonly prompt: string }[],
  greedy: boolean,
  seed: number,
): { text: string; tokens: number }[] {
  const generator = new Generator({
    model: start.model,
    params: weights as unknown as GptParams,
    vocabulary: start.options.vocabulary,
    context: start.options.context,
    end: tokenizer.end,
    sampling: greedy ? { temperature: 0 } : sampling,
    rows,
  });
  return generator
    .generate(problems.map(({ prompt }, i) => ({ prompt: tokenizer.encode(prompt), limit, seed: seed + i })))
    .map(({ tokens }) => ({ text: tokenizer.decode(tokens), tokens: tokens.length }));
}

/** What was asked and answered, in an episode's `info`. */
export interface Answered {
  readonly problem: Problem;
  readonly text: string;
  readonly ended: string;
}

/** Pays what the verifier says. A verifier that fails pays nothing, and the reason is kept. */
export function verifier(family: Family): Judge {
  return (episodes) =>
    Promise.all(
      episodes.map(async ({ info }) => {
        const { problem, text } = info as unknown as Answered;
        try {
          const { score, formed, why } = await family.verify(problem, text);
          if (!Number.isFinite(score)) return { reward: 0, info: { failed: `the score is ${score}` } };
          return { reward: score, info: { formed, ...(why === undefined ? {} : { why }) } };
        } catch (error) {
          return { reward: 0, info: { failed: (error as Error).message } };
        }
      }),
    );
}

/** The problem that a task means: its seed chooses one, its context may choose the level. */
function problemOf({ family, level, split = "train" }: TextStageOptions, play: Play): Problem {
  const own = play.context?.level;
  return draw(family, typeof own === "number" ? own : level, split, play.seed ?? 0);
}

/** A text as an episode: each step sees a token and chooses the next. The prompt's are the environment's. */
function textEpisode(
  prompt: readonly number[],
  answer: readonly number[],
  by: "policy" | "teacher",
  more: { logProbs?: readonly number[]; versions?: readonly number[] },
  rest: Pick<Episode, "task" | "group" | "context" | "truncated" | "info">,
): Episode {
  const all = [...prompt, ...answer];
  const steps = all.length - 1;
  const own = prompt.length - 1;
  const column = (values: readonly number[] | undefined) =>
    Array.from({ length: steps }, (_, i) => (i < own ? 0 : (values?.[i - own] ?? 0)));
  return {
    columns: {
      observation: tensor(Int32Array.from(all.slice(0, -1)), { dtype: "i32" }),
      action: tensor(Int32Array.from(all.slice(1)), { dtype: "i32" }),
      logProb: tensor(Float32Array.from(column(more.logProbs))),
      version: tensor(Int32Array.from(column(more.versions)), { dtype: "i32" }),
      by: tensor(
        Uint8Array.from({ length: steps }, (_, i) => makers.indexOf(i < own ? "environment" : by)),
        { dtype: "u8" },
      ),
    },
    segments: [{ from: 0, to: steps }],
    terminated: !rest.truncated,
    return: [],
    ...rest,
  };
}

/** The model's own answers. */
class Answers implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private plays = 0;
  private readonly seed: number;
  private readonly generator: Generator;
  private readonly options: TextStageOptions;
  private readonly playing: Playing;

  constructor(options: TextStageOptions, playing: Playing) {
    this.options = options;
    this.playing = playing;
    const { start, tokenizer, sampling, rows } = options;
    this.seed = defaultRng([playing.key.data[0], playing.key.data[1]]).integers(2 ** 31);
    this.generator = new Generator({
      model: start.model,
      params: playing.weights as unknown as GptParams,
      vocabulary: start.options.vocabulary,
      context: start.options.context,
      end: tokenizer.end,
      sampling,
      rows,
      version: playing.version,
    });
  }

  next(): readonly Episode[] {
    const { tokenizer, family, limit = family.longest.answer + 1 } = this.options;
    const { task, statistics } = this.playing;
    const queue = task.next(statistics).flatMap((play, p) => {
      const problem = problemOf(this.options, play);
      const prompt = tokenizer.encode(problem.prompt);
      const group = `${this.batches}/${p}`;
      return Array.from({ length: play.plays }, () => ({ play, problem, prompt, group }));
    });
    this.batches++;
    const answers = this.generator.generate(
      queue.map(({ prompt }) => ({ prompt, limit, seed: (this.seed + this.plays++) % 2 ** 31 })),
    );
    return answers.map(({ tokens, logProbs, versions, ended }, i) => {
      const { play, problem, prompt, group } = queue[i];
      this.steps += tokens.length;
      const info: Answered = { problem, text: tokenizer.decode(tokens), ended };
      return textEpisode(
        prompt,
        tokens,
        "policy",
        { logProbs, versions },
        {
          task: `${family.id} ${problem.level}`,
          group,
          context: play.context,
          truncated: ended === "limit",
          info: info as unknown as Episode["info"],
        },
      );
    });
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches, plays: this.plays };
  }

  restore(from: Snapshot): void {
    const s = from as { steps: number; batches: number; plays: number };
    Object.assign(this, { steps: s.steps, batches: s.batches, plays: s.plays });
  }
}

/** A teacher's answers. */
class Examples implements EpisodeSource {
  steps = 0;
  private readonly options: TextStageOptions;
  private readonly playing: Playing;

  constructor(options: TextStageOptions, playing: Playing) {
    this.options = options;
    this.playing = playing;
  }

  next(): readonly Episode[] {
    const { tokenizer, family } = this.options;
    return this.playing.task.next(this.playing.statistics).map((play) => {
      const problem = problemOf(this.options, play);
      const answer = [...tokenizer.encode(problem.answer), tokenizer.end];
      this.steps += answer.length;
      const info: Answered = { problem, text: problem.answer, ended: "end" };
      return textEpisode(
        tokenizer.encode(problem.prompt),
        answer,
        "teacher",
        {},
        {
          task: `${family.id} ${problem.level}`,
          truncated: false,
          info: info as unknown as Episode["info"],
        },
      );
    });
  }

  save(): Snapshot {
    return { steps: this.steps };
  }

  restore(from: Snapshot): void {
    this.steps = (from as { steps: number }).steps;
  }
}
