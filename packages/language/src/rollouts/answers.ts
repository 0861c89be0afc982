import type { Episode, EpisodeSource, TaskItem as Play, RolloutInput, Snapshot } from "@reins/core";
import { seedOf, stream } from "@reins/core/random";
import type { GptParams } from "@reins/nn";
import { TextGenerator } from "../generation/generator.ts";
import type { Generated, Request } from "../generation/sequence.ts";
import { stopAt } from "../generation/stop.ts";
import { answerLimit } from "../tasks/lengths.ts";
import type { Problem } from "../tasks/text-task.ts";
import { checkLength } from "./check-length.ts";
import { type GeneratorPurpose, generatorOptions } from "./generator-options.ts";
import { formOf, type Prompt, promptOf } from "./prompt.ts";
import type { TextStageOptions } from "./stage-options.ts";
import { problemOf } from "./task-problem.ts";
import { textEpisode } from "./text-episode.ts";

/** A generator for a stage with the given weights. For training, it records kept sets. */
export function generatorFor(
  options: TextStageOptions,
  params: GptParams,
  more: GeneratorPurpose = {},
): TextGenerator {
  return new TextGenerator(generatorOptions(options, params, more));
}

/** One text to generate. */
interface Rollout extends Prompt {
  readonly play: Play;
  readonly problem: Problem;
  readonly group: string;
  /** The prefix of the reference answer that is given as a hint. */
  readonly hint: readonly number[];
}

/** Rollouts of the model's own answers. A problem's context may set a sampling temperature for it, as `temperature`. */
export class Answers implements EpisodeSource {
  steps = 0;
  private batches = 0;
  private plays = 0;
  private readonly seed: number;
  private readonly generator: TextGenerator;
  private greedy: TextGenerator | undefined;
  private readonly options: TextStageOptions;
  private readonly playing: RolloutInput;

  constructor(options: TextStageOptions, playing: RolloutInput) {
    this.options = options;
    this.playing = playing;
    this.seed = seedOf(playing.key);
    this.generator = generatorFor(options, this.params, { record: true, version: playing.version });
  }

  private get params(): GptParams {
    return this.playing.weights as GptParams;
  }

  next(): readonly Episode[] {
    const { task, statistics } = this.playing;
    const rollouts = task.next(statistics).map((play, p) => this.rollout(play, p));
    this.batches++;
    // A resumed run has empty KV caches.
    this.generator.forget();
    this.greedy?.forget();
    const own = rollouts.flatMap((rollout) => Array.from({ length: rollout.play.groupSize }, () => rollout));
    const answers = this.generator.generate(own.map((rollout) => this.request(rollout, this.plays++)));
    const compared = rollouts.filter((s) => s.play.greedy);
    if (compared.length && !this.greedy)
      this.greedy = generatorFor(this.options, this.params, { greedy: true, version: this.playing.version });
    const best = this.greedy?.generate(compared.map((rollout) => this.request(rollout, 0, false))) ?? [];
    return [
      ...own.map((rollout, i) => this.episode(rollout, answers[i], false)),
      ...compared.map((rollout, i) => this.episode(rollout, best[i], true)),
      ...rollouts.flatMap((s) => Array.from({ length: s.play.teachers ?? 0 }, () => this.taught(s))),
    ];
  }

  private rollout(play: Play, index: number): Rollout {
    const { tokenizer } = this.options;
    const problem = problemOf(this.options, play);
    const share = Number((play.context as { hint?: number } | undefined)?.hint ?? 0);
    const right = share > 0 ? tokenizer.encode(problem.answer) : [];
    return {
      play,
      problem,
      group: play.group ?? `${this.batches}/${index}`,
      ...promptOf(this.options, problem),
      hint: right.slice(0, Math.floor(share * right.length)),
    };
  }

  private request(
    { prompt, picture, hint, play: { context } }: Rollout,
    play: number,
    sampled = true,
  ): Request {
    const { family, stop = [], tokenizer, limit } = this.options;
    const temperature = context?.temperature;
    return {
      prompt: [...prompt, ...hint],
      picture,
      limit: Math.max(1, answerLimit(family, limit) - hint.length),
      seed: stream(this.seed, "text", play),
      ...(sampled && typeof temperature === "number" ? { sampling: { temperature } } : {}),
      ...(stop.length ? { stop: stopAt(stop, tokenizer) } : {}),
    };
  }

  private episode(rollout: Rollout, answer: Generated, greedy: boolean): Episode {
    const { tokens, logProbs, versions, kept, temperature, ended } = answer;
    this.steps += tokens.length;
    const text = this.options.tokenizer.decode([...rollout.hint, ...tokens]);
    return textEpisode(
      [
        { by: "environment", tokens: rollout.prompt },
        { by: "hint", tokens: rollout.hint },
        { by: greedy ? "greedy" : "policy", tokens, logProbs, versions, kept, temperature },
      ],
      {
        ...this.about(rollout),
        truncated: ended === "limit",
        ...(greedy ? { role: "greedy" as const } : {}),
        answered: { problem: rollout.problem, text, ended },
      },
      this.sight(rollout),
    );
  }

  /** The teacher's reference answer. */
  private taught(rollout: Rollout): Episode {
    const { tokenizer } = this.options;
    const text = rollout.problem.answer;
    const answer = [...tokenizer.encode(text), tokenizer.end];
    checkLength(this.options, rollout.prompt.length, answer.length);
    return textEpisode(
      [
        { by: "environment", tokens: rollout.prompt },
        { by: "teacher", tokens: answer },
      ],
      {
        ...this.about(rollout),
        truncated: false,
        role: "teacher",
        answered: { problem: rollout.problem, text, ended: "end" },
      },
      this.sight(rollout),
    );
  }

  private sight({ picture }: Rollout) {
    return { ...formOf(this.options), picture };
  }

  private about({ problem, group, play }: Rollout) {
    return { task: `${this.options.family.id} ${problem.level}`, group, context: play.context };
  }

  save(): Snapshot {
    return { steps: this.steps, batches: this.batches, plays: this.plays };
  }

  restore(from: Snapshot): void {
    const s = from as { steps: number; batches: number; plays: number };
    Object.assign(this, { steps: s.steps, batches: s.batches, plays: s.plays });
  }
}
